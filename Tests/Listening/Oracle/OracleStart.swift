internal import Playback
internal import Shared

/// A start at a time of day, by a wall clock that may be set while the music waits for it. Times are s of the simulation.
struct OracleStart: Sendable {
    /// The time at which the music is to begin, by the wall clock, which is that of the simulation at first.
    let time: Double
    /// How much later than at the converter it is heard.
    let latency: Double
    /// When the wall clock is set, and by how much; nil if it is not.
    let change: (at: Double, by: Double)?

    init(seed: UInt64, until end: Double) {
        var random = Seeded(state: seed ^ 0xA7)
        time = Simulation.beginning + .random(in: 0...min(end, 12), using: &random)
        latency = random.chance(2) ? 0 : .random(in: 0...0.3, using: &random)
        change =
            random.chance(2)
            ? nil
            : (Simulation.beginning + .random(in: 0...14, using: &random), .random(in: -3...5, using: &random))
    }

    /// Gives a performance this start.
    func set(_ options: inout Conductor.Options) {
        options.start = Int64(time * 1e9)
        options.latency = .nanoseconds(Int64(latency * 1e9))
        let (at, by) = change.map { (Int64($0.at * 1e9), Int64($0.by * 1e9)) } ?? (.max, 0)
        options.wallClock = { monotonicNanoseconds() < at ? 0 : by }
    }

    /// How the start was not as it should be: the music follows the wall clock as long as it waits, and not any more after
    /// that. A program that `stands` still for seconds may learn of the clock too late.
    func judge(_ play: SimulatedPlay, stands: Bool) -> [String] {
        guard let last = play.statuses.last else { return ["there is no status"] }
        var zeros = [time]
        if let change {
            let moved = time - change.by
            if let before = play.statuses.last(where: { $0.time < change.at })?.status {
                switch before.moment(at: Int64(change.at * 1e9)) {
                // Whoever is about to begin may do so.
                case .waiting(let left, _): zeros = left > .seconds(2) && !stands ? [moved] : [time, moved]
                // In a pause, a start that has passed may move: nobody can hear it.
                default: if before.pause != nil { zeros = [time, moved] }
                }
            } else {
                zeros = [time, moved]
            }
        }
        let zero = Double(last.status.zeroHeard) * 1e-9
        return zeros.contains { abs($0 - zero) < 1e-3 } ? [] : ["time zero is at \(zero) s, not at \(zeros)"]
    }
}
