internal import Scores
package import Timing

extension Performance {
    /// Begins with another passage, which is practiced: where the performance begins, if that bar is in it.
    package mutating func practice(_ practiced: Passage) {
        let bar = passage.bar(of: first).index
        passage = practiced
        // A program that ends adds up its time, as the piece does; a loop shows that of the score.
        countsPasses = countsPasses && practiced.passes != nil
        // A program begins with its own first bar, unless another one is asked for.
        first = first > 0 ? practiced.boundary(ofBar: bar, near: 0) ?? 0 : 0
    }
}

/// Where the music is, and what it can go back to: a value, so that a command can be tried on a copy.
package struct Music: Sendable {
    package var scheduler: Scheduler
    /// The performance that was asked for at the start.
    package let start: Performance
    /// The boundary of the home passage at which practice of another one began; nil while the home passage is played.
    package var leftHome: Int?

    /// The passage that was asked for at the start.
    package var home: Passage { start.passage }

    private var performance: Performance { scheduler.performance }

    package init(scheduler: Scheduler, start: Performance, leftHome: Int? = nil) {
        (self.scheduler, self.start, self.leftHome) = (scheduler, start, leftHome)
    }

    /// Carries out a command at a frame. Returns the flags of the first boundary after it, for the log; nil if it has no
    /// effect in the present state, and nothing has changed.
    @discardableResult
    package mutating func carryOut(_ command: Command, at frame: Int64) -> TimingRow.Flags? {
        switch command {
        case .continue:
            guard isHolding(at: frame) else { return nil }
            scheduler.proceed(at: frame)
            return .held
        case .togglePause: return carryOut(isStanding(at: frame) ? .resume : .pause, at: frame)
        case .pause:
            guard !isStanding(at: frame) else { return nil }
            scheduler.pause(at: frame)
        case .resume where scheduler.isPaused:
            scheduler.resume(at: frame)
            return .resumed
        case .resume: return carryOut(.continue, at: frame)
        case .jump(let jump): return go(jump, at: frame)
        case .practice(nil, _):
            guard leftHome != nil else { return nil }
            return goHome(at: frame)
        case .practice(let stretches?, let passes):
            let bars = 0..<home.timeline.barCount
            let canBePlayed = stretches.allSatisfy { !$0.bars.isEmpty && $0.bars.clamped(to: bars) == $0.bars }
            guard !stretches.isEmpty, canBePlayed, passes ?? 1 > 0 else { return nil }
            leftHome = leftHome ?? performance.passage.boundary(at: position(at: frame))
            // Practice goes to and fro, so the time shown is that of the score. Only at home does a plan add up its passes.
            let passage = Passage(home.timeline, stretches, passes: passes)
            return scheduler.change(passage: passage, countsPasses: false, at: frame) ? .jump : []
        case .speed(let change):
            let speed = scheduler.anchor.speed.adding(percentagePoints: change)
            scheduler.change(speed: speed, at: frame)
        case .speedTo(let speed): scheduler.change(speed: speed, at: frame)
        case .nudge(let time): scheduler.nudge(by: min(max(time, .seconds(-3600)), .seconds(3600)), at: frame)
        case .revert:
            scheduler.change(speed: start.speed, at: frame)
            scheduler.change(at: frame) { [start] in $0.revert(to: start) }
        case .silence, .toggleDrone, .dronePitch, .drone, .droneWaveform, .droneLevel, .a4, .toggleClicks, .clickLevel,
            .toggleCountIn:
            scheduler.change(at: frame) { $0.carryOut(command) }
        case .say:
            // The events from here on are handed out again, after the word.
            scheduler.remap(scheduler.mapping, from: frame)
        case .tell: return nil
        case .stop: scheduler.stop(at: frame)
        }
        return []
    }

    /// Whether the music stands still at `frame`: paused, or at a hold that waits.
    func isStanding(at frame: Int64) -> Bool { scheduler.isPaused || isHolding(at: frame) }

    private func isHolding(at frame: Int64) -> Bool {
        if case .holding = scheduler.state(at: frame) { true } else { false }
    }

    func position(at frame: Int64) -> Duration { max(scheduler.position(at: frame), .zero) }

    /// Plays the home passage again, from the bar that is sounding if the passage has it; otherwise it jumps, as the flags say.
    @discardableResult
    mutating func goHome(at frame: Int64) -> TimingRow.Flags {
        guard let left = leftHome else { return [] }
        leftHome = nil
        let jumps = scheduler.change(passage: home, near: left, countsPasses: start.countsPasses, at: frame)
        return jumps ? .jump : []
    }
}
