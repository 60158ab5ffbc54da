internal import Languages

/// The music under a rendering, frame by frame. It has one file open at a time.
struct Backing: ~Copyable {
    private let pieces: [BackingProgram.Piece]
    private let format: SoundFormat
    private var index = 0
    private var file: ResampledSound?
    /// The piece after which a round without a single frame has begun; nil while there is sound.
    private var silentSince: Int?
    private var room: [Float] = []

    /// Opens the first piece, for the rate and the channels of `format`.
    init(_ program: BackingProgram, format: SoundFormat) throws(RenderError) {
        pieces = program.pieces
        self.format = format
        if let first = pieces.first { file = try ResampledSound(first.path, rate: format.rate) }
    }

    /// Adds the next frames to interleaved samples, each multiplied by its gain in `gains`.
    ///
    /// Music is heard on channels 1 and 2: one channel on both, and two as their mean if there is only one.
    mutating func add(to mix: inout [Float], gains: [Float]) throws(RenderError) {
        var at = 0
        while at < gains.count, !pieces.isEmpty {
            let count = try add(to: &mix, from: at, gains)
            at += count
            if at < gains.count { try goOn(isSilent: count == 0) }
        }
    }

    /// Adds what the open piece has, at most to the end of the gains. Returns how many frames.
    private mutating func add(to mix: inout [Float], from start: Int, _ gains: [Float]) throws(RenderError) -> Int {
        guard let channels = file?.channels else { return 0 }
        let wanted = gains.count - start
        if room.count < wanted * channels { room = [Float](repeating: 0, count: wanted * channels) }
        let gain = Float(pieces[index].gain)
        let (heard, all) = (min(format.channels, 2), format.channels)
        return try room.withUnsafeMutableBufferPointer { room throws(RenderError) in
            let read = UnsafeMutableBufferPointer(rebasing: room[..<(wanted * channels)])
            let count = try file?.read(into: read) ?? 0
            for frame in 0..<count {
                let factor = gain * gains[start + frame]
                for channel in 0..<heard {
                    mix[(start + frame) * all + channel] +=
                        factor * Backing.sample(read, frame, of: channels, on: channel, heard)
                }
            }
            return count
        }
    }

    /// Opens the piece after the one that has ended.
    private mutating func goOn(isSilent: Bool) throws(RenderError) {
        // Files that were emptied after they were measured would be opened for ever.
        if !isSilent { silentSince = nil }
        if isSilent, silentSince == index { throw .badMusic(localized("'\(pieces[index].path)' is empty")) }
        if isSilent, silentSince == nil { silentSince = index }
        index = (index + 1) % pieces.count
        file = try ResampledSound(pieces[index].path, rate: format.rate)
    }

    /// A frame of `channels` interleaved channels as it is heard on one of `heard` channels, 1 or 2.
    static func sample(
        _ samples: UnsafeMutableBufferPointer<Float>, _ frame: Int, of channels: Int, on channel: Int, _ heard: Int
    ) -> Float {
        if channels == 1 { return samples[frame] }
        if heard == 1 { return (samples[2 * frame] + samples[2 * frame + 1]) / 2 }
        return samples[2 * frame + channel]
    }
}
