internal import Scores
package import Timing

/// Where the music is that follows JACK's transport. Its leader is the server: the clock of that counts frames, here as ns.
package struct JackMusic: Sendable {
    /// The transport.
    package enum Transport: Sendable, Equatable {
        /// It stands at this frame.
        case stopped(UInt32)
        /// It rolls, so many frames ahead of those of the server, modulo 2^32.
        case rolling(ahead: UInt32)
    }

    private let rate: Int64
    /// The frame of the transport at which the passage begins, and how many frames later than the transport the music is.
    private let begin: Int64
    private let late: Int64
    private let passage: Passage
    private let speed: Speed
    /// The frames of the server, which wrap after a day, counted on; and those at the beginning.
    private var frames: Int64
    private let zero: Int64

    /// The music of a performance that begins with its piece at a time of the transport; `now` are the frames of the server.
    package init(_ performance: Performance, at begin: Duration, rate: Int, late: Int, now: UInt32) {
        (self.rate, self.late) = (Int64(max(rate, 1)), Int64(late))
        (passage, speed) = (performance.passage, performance.speed)
        (frames, zero) = (Int64(now), Int64(now))
        let time = begin + speed.realDuration(of: passage.start)
        self.begin = Int64(clamping: time.attoseconds * Int128(self.rate) / 1_000_000_000_000_000_000)
    }

    /// Takes the frames of the server now, which have gone on by less than 2^31; returns the same as ns of a leader.
    package mutating func take(_ now: UInt32) -> Int64 {
        frames += Int64(Int32(bitPattern: now &- UInt32(truncatingIfNeeded: frames)))
        return nanoseconds(frames)
    }

    private func nanoseconds(_ frames: Int64) -> Int64 {
        Int64(clamping: Int128(frames) * 1_000_000_000 / Int128(rate))
    }

    /// The music while the transport is so, from the frames on that were taken last.
    package func music(_ transport: Transport) -> LeaderMusic {
        let ahead =
            switch transport {
            case .stopped(let frame): Int64(frame) - begin
            // It may have begun to roll after these frames.
            case .rolling(let ahead): Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: frames) &+ ahead)) - begin
            }
        var position = speed.scoreDuration(of: .nanoseconds(nanoseconds(max(ahead, 0))))
        var anchor = Anchor(speed: speed)
        var paused: Duration?
        switch transport {
        case .stopped:
            // The end of the music would end the program.
            if let total = passage.total { position = min(position, total - .nanoseconds(1)) }
            paused = position
        case .rolling:
            anchor.time = .nanoseconds(nanoseconds(frames - min(ahead, 0) + late) - nanoseconds(zero))
        }
        anchor.position = position
        var music = LeaderMusic(
            zero: nanoseconds(zero), anchor: anchor, stretches: passage.stretches, passes: passage.passes)
        music.paused = paused
        return music
    }
}
