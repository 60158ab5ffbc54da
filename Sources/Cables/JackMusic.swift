internal import Scores
package import Timing

/// Where the music is that follows JACK's transport. Its leader is the server: the clock of that counts frames, here as ns.
package struct JackMusic: Sendable {
    /// The transport.
    package enum Transport: Sendable, Equatable {
        /// It stands at this frame.
        case stopped(UInt32)
        /// It stands at this frame, and will roll from a frame of the server on.
        case starting(UInt32, at: UInt32)
        /// It rolls, so many frames ahead of those of the server, modulo 2^32.
        case rolling(ahead: UInt32)
    }

    private let rate: Int64
    /// The frame of the transport at which the passage begins, and how many frames later than the transport the music is.
    private let begin: Int64
    private let late: Int64
    private let passage: Passage
    private let speed: Speed
    private let start: Int
    /// The frames of the server, which wrap after a day, counted on; and those at the beginning, and the leader's time then.
    private var frames: Int64
    private let first: Int64
    private let zero: Int64

    /// The music of a performance that begins with its piece at a time of the transport; `now` are the frames of the server, at
    /// which the leader's time is `zero`, in ns.
    package init(
        _ performance: Performance, at begin: Duration, rate: Int, late: Int, now: UInt32, zero: Int64 = 0
    ) {
        (self.rate, self.late) = (Int64(max(rate, 1)), Int64(late))
        (passage, speed, start) = (performance.passage, performance.speed, performance.first)
        (frames, first, self.zero) = (Int64(now), Int64(now), zero)
        let time = begin + speed.realDuration(of: passage.start)
        self.begin = Int64(clamping: time.attoseconds * Int128(self.rate) / 1_000_000_000_000_000_000)
    }

    /// Takes the frames of the server now, which have gone on by less than 2^31; returns the same as ns of a leader.
    package mutating func take(_ now: UInt32) -> Int64 {
        frames = whole(now)
        return zero + nanoseconds(frames - first)
    }

    /// Frames of the server near to those that were taken last, counted on.
    private func whole(_ frame: UInt32) -> Int64 {
        frames + Int64(Int32(bitPattern: frame &- UInt32(truncatingIfNeeded: frames)))
    }

    private func nanoseconds(_ frames: Int64) -> Int64 {
        Int64(clamping: Int128(frames) * 1_000_000_000 / Int128(rate))
    }

    /// The music while the transport is so, from the frames on that were taken last.
    package func music(_ transport: Transport) -> LeaderMusic {
        // The frames of the server from which the music goes on, and how far the transport is in the passage then.
        var (from, ahead) = (frames, Int64(0))
        switch transport {
        case .stopped(let frame): ahead = Int64(frame) - begin
        case .starting(let frame, let start): (from, ahead) = (whole(start), Int64(frame) - begin)
        // It may have begun to roll after these frames.
        case .rolling(let lead): ahead = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: frames) &+ lead)) - begin
        }
        var position = speed.scoreDuration(of: .nanoseconds(nanoseconds(max(ahead, 0))))
        var anchor = Anchor(speed: speed)
        var paused: Duration?
        if case .stopped = transport {
            // The end of the music would end the program.
            if let total = passage.total { position = min(position, total - .nanoseconds(1)) }
            paused = position
        } else {
            anchor.time = .nanoseconds(nanoseconds(from - min(ahead, 0) + late - first))
        }
        anchor.position = position
        var music = LeaderMusic(zero: zero, anchor: anchor, stretches: passage.stretches, passes: passage.passes)
        (music.paused, music.first) = (paused, start)
        // The old music stops now, and not when the new music begins.
        music.effect = .nanoseconds(nanoseconds(frames - first))
        return music
    }
}
