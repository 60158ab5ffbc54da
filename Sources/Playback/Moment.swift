public import Timing

/// What is heard at one moment.
public enum Moment: Sendable, Equatable {
    /// Nothing yet, and how long it is until the start time that was set.
    case waiting(left: Duration, isPaused: Bool = false)
    /// The count-in, and how much of it is left.
    case countIn(left: Duration, isPaused: Bool = false)
    /// A bar.
    case bar(Bar)
    /// Nothing more.
    case end

    /// A bar that sounds. What is left of it, its duration and the wait are real times (speed included).
    public struct Bar: Sendable, Equatable {
        /// The boundary that began it.
        public var boundary: Int
        /// The pass through the passage, from 1.
        public var pass: Int
        /// The bar.
        public var bar: TimedBar
        /// The position of the music in the passage, as score time.
        public var position: Duration
        /// The time that is left of it.
        public var left: Duration
        /// Its duration.
        public var duration: Duration
        /// Where the music is in the score, as a time at 100 %: the same at every speed. In a score that repeats forever,
        /// and in a plan, the time since the start, all passes.
        public var elapsed: Duration
        /// The length of the score, as a time at 100 %; nil if it has no end.
        public var total: Duration?
        /// Whether the music goes on in it, is paused, or waits for the player.
        public var state: State

        package init(
            boundary: Int, pass: Int, bar: TimedBar, position: Duration, left: Duration, duration: Duration,
            elapsed: Duration, total: Duration?, state: State
        ) {
            (
                self.boundary, self.pass, self.bar, self.position, self.left, self.duration, self.elapsed, self.total,
                self.state
            ) = (boundary, pass, bar, position, left, duration, elapsed, total, state)
        }
    }

    /// Whether the music goes on, is paused, or waits for the player.
    public enum State: Sendable, Equatable {
        /// It goes on; in a hold that ends by itself, with that hold.
        case playing(Hold?)
        /// It stands still because it was paused; in a hold that ends by itself, with that hold.
        case paused(Hold?)
        /// It waits at a hold until the player goes on, and has waited so long.
        case untilCue(waited: Duration)
    }

    /// A hold that ends by itself, in real time (speed included).
    public struct Hold: Sendable, Equatable {
        /// The time that is left of it.
        public var left: Duration
        /// Its duration.
        public var duration: Duration

        package init(left: Duration, duration: Duration) {
            (self.left, self.duration) = (left, duration)
        }
    }
}

extension Moment.Bar {
    /// Whether the music stands still because it was paused.
    public var isPaused: Bool { if case .paused = state { true } else { false } }

    /// Whether the music waits at a hold until the player goes on.
    public var isWaiting: Bool { if case .untilCue = state { true } else { false } }

    /// Whether the music is in a hold, of either kind, and not paused.
    public var isHolding: Bool { isWaiting || !isPaused && hold != nil }

    /// The hold that ends by itself in which the music is, paused or not; nil if it is in none.
    public var hold: Moment.Hold? {
        switch state {
        case .playing(let hold), .paused(let hold): hold
        case .untilCue: nil
        }
    }

    /// How long the music has waited at a hold until the player goes on; zero if it does not wait.
    public var waited: Duration { if case .untilCue(let waited) = state { waited } else { .zero } }
}
