internal import Glibc

/// Pieces of music, all equally loud, that are played one after the other, and again from the first after the last.
package struct BackingProgram: Sendable, Equatable {
    package let pieces: [Piece]

    /// A piece of music, and how loud it is played.
    package struct Piece: Sendable, Equatable {
        package var path: String
        /// Factor of its samples.
        package var gain: Double
        /// Its length in seconds.
        package var seconds: Double

        package init(path: String, gain: Double, seconds: Double) {
            (self.path, self.gain, self.seconds) = (path, gain, seconds)
        }
    }

    /// The loudness of music, cues and speech, in LUFS: that of streaming services.
    package static let loudness = -14.0

    /// Makes a program of pieces whose gains are known.
    package init(pieces: [Piece]) { self.pieces = pieces }

    /// Measures files, as many as are played in `seconds`; the others are not read.
    ///
    /// Each piece gets the gain with which it is at -14 LUFS in a rendering of `channels` channels, or less if its
    /// peaks would be above a master's ceiling: its dynamics stay. Silence, which has no loudness, stays as it is.
    ///
    /// `progress` gets 0 ... 1 now and then; an error that it throws ends the measuring. Errors: `noMusic`, `badMusic`.
    package init(
        _ paths: [String], seconds wanted: Double, channels: Int,
        progress: (Double) throws(RenderError) -> Void = { _ in }
    ) throws(RenderError) {
        var pieces: [Piece] = []
        var seconds = 0.0
        for path in paths where seconds < wanted {
            let (before, share) = (seconds, min(1, 1 / max(wanted, 1)))
            let piece = try Piece(path, channels: channels) { done throws(RenderError) in
                // A program that is shorter than the rendering is done with its last piece.
                let ofTime = (before + done) * share
                try progress(min(ofTime, 1))
            }
            pieces.append(piece)
            seconds += piece.seconds
        }
        self.pieces = pieces
    }
}

extension BackingProgram.Piece {
    private static let blockFrames = 8192

    /// Reads a whole file and measures it; `progress` gets the seconds that have been read.
    fileprivate init(
        _ path: String, channels: Int, progress: (Double) throws(RenderError) -> Void
    ) throws(RenderError) {
        var file = try SoundReader(path)
        let heard = min(channels, 2)
        guard var meter = LoudnessMeter(rate: file.rate, channels: heard) else { throw .engine(.invalidFormat) }
        var frames: Int64 = 0
        let read = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockFrames * file.channels)
        let spread = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockFrames * heard)
        defer {
            read.deallocate()
            spread.deallocate()
        }
        while true {
            let count = try file.read(into: read)
            if count == 0 { break }
            for frame in 0..<count {
                for channel in 0..<heard {
                    spread[frame * heard + channel] = Backing.sample(
                        read, frame, of: file.channels, on: channel, heard)
                }
            }
            meter.add(UnsafeBufferPointer(rebasing: spread[..<(count * heard)]))
            frames += Int64(count)
            try progress(Double(frames) / Double(file.rate))
        }
        var gain = meter.integrated.map { pow(10, (BackingProgram.loudness - $0) / 20) } ?? 1
        if meter.peak > 0 { gain = min(gain, MasterLimiter.ceiling / Double(meter.peak)) }
        (self.path, self.gain, seconds) = (path, gain, Double(frames) / Double(file.rate))
    }
}
