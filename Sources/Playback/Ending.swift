internal import Scores
public import Timing

/// How a performance ended. This is decided once, where the stop takes effect; everyone else only repeats it.
public enum Ending: Sendable, Equatable {
    /// It was played to its end.
    case complete
    /// The player ended it, and this was heard last. In `bar`, times are those of the moment of the stop.
    case stopped(Moment)
}

extension Status {
    /// Whether a performance goes on.
    public enum Stage: Sendable, Equatable {
        /// It goes on: it counts in, plays, holds or is paused.
        case going
        /// It has been ended, and the drone fades.
        case fading(Ending)
        /// All is silent.
        case over(Ending)
    }

    /// A pause of the music.
    public struct Pause: Sendable, Equatable {
        /// The time after time zero at which the music stopped.
        public var time: Duration
        /// Whether the music was paused because the machine had been suspended, and not by the player.
        public var isBySuspend: Bool

        package init(_ time: Duration, isBySuspend: Bool = false) {
            (self.time, self.isBySuspend) = (time, isBySuspend)
        }
    }

    /// How the performance has ended; nil while it goes on.
    public var ending: Ending? {
        switch stage {
        case .going: nil
        case .fading(let ending), .over(let ending): ending
        }
    }

    /// Whether the performance is over.
    public var hasEnded: Bool { if case .over = stage { true } else { false } }

    /// The boundary whose bar was heard last, or was counted in; nil while the performance goes on, if all was played,
    /// and if the performance was ended before its start.
    var lastBoundary: Int? {
        guard case .stopped(let moment)? = ending else { return nil }
        switch moment {
        case .bar(let bar): return bar.boundary
        case .countIn: return performance.passage.boundary(at: max(anchor.position, .zero))
        case .waiting, .end: return nil
        }
    }

    /// The bar at which to go on another time: the one in which the performance was ended. Nil while it goes on, if all
    /// was played, and if it was ended before its start.
    public var placeLeft: TimedBar? { lastBoundary.map { performance.passage.bar(of: $0) } }
}
