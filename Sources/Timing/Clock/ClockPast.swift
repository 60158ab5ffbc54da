/// The recent states of a clock's filter, each just before an observation: with them, what was observed later corrects
/// what was believed earlier (fixed-interval smoothing: Rauch, Tung and Striebel, AIAA Journal 3, 1965).
struct ClockPast: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var state: ClockFilter
        /// The observation that came next.
        var observation: ClockObservation
    }
    private var entries: [Entry] = []
    /// The most states that are kept.
    private let most: Int

    init(most: Int = 1024) { self.most = most }

    /// The time of the first state.
    var start: Int64? { entries.first?.state.time }

    /// Adds a state and the observation that came next, unless the last state was less than `grain` ns before. If there
    /// are too many, the older half is forgotten.
    mutating func append(_ state: ClockFilter, _ observation: ClockObservation, every grain: Int64 = 0) {
        if grain > 0, let last = entries.last, state.time - last.state.time < grain { return }
        if entries.count >= most { entries.removeFirst(most / 2) }
        entries.append(Entry(state: state, observation: observation))
    }

    /// Replaces the states after the first one of `other`, with which the past has turned out to be different.
    mutating func append(_ other: ClockPast) {
        guard let turn = other.entries.first?.state.time else { return }
        entries.removeAll { $0.state.time > turn }
        for entry in other.entries { append(entry.state, entry.observation) }
    }

    /// Forgets what is not needed for times from `time` on.
    mutating func forget(before time: Int64) {
        // A turn needs what was observed before it.
        let needed = time - ClockKink.before - ClockKink.after
        guard let last = entries.lastIndex(where: { $0.state.time <= needed }) else { return }
        entries.removeFirst(last)
    }

    /// The time at which a position was at the converter, in ns, from the observations before and after it. Near a turn,
    /// also one that is only suspected to have been after the times `suspected`, it is that of a kink.
    func time(of position: FramePosition, _ present: ClockFilter, suspected: [Int64] = []) -> Double {
        let time = smoothed(position, present)
        guard time < Double(present.time), !present.wanders else { return time }
        let turns = zip(entries, entries.dropFirst()).filter { $0.state.time == $1.state.time }.map(\.0.state.time)
        for turn in turns + suspected {
            guard Double(turn - ClockKink.before) < time, time < Double(turn + ClockKink.after) else { continue }
            let kink = kink(at: turn, isProven: turns.contains(turn))
            if let time = kink?.time(of: position, near: time) { return time }
        }
        return time
    }

    /// What was observed around a turn.
    private func kink(at turn: Int64, isProven: Bool) -> ClockKink? {
        guard !entries.isEmpty else { return nil }
        let first = entries.lastIndex { $0.state.time <= turn - ClockKink.before } ?? 0
        let around = entries[first...].prefix { $0.state.time < turn + ClockKink.after }.map(\.observation)
        return ClockKink(turn: turn, isProven: isProven, state: entries[first].state, around)
    }

    private func smoothed(_ position: FramePosition, _ present: ClockFilter) -> Double {
        var time = present.time(of: position)
        // The position at this time tells a better time; after the second step it no longer changes.
        for _ in 0..<2 {
            guard time < Double(present.time), var state = state(at: time) else { break }
            var (next, correction) = (present, (position: 0.0, rate: 0.0))
            for entry in entries.reversed() {
                guard entry.state.time > state.time else { break }
                correction = entry.state.correction(by: next, correction)
                next = entry.state
            }
            if state.time < Int64(time) {
                state.predict(to: Int64(time))
            }
            correction = state.correction(by: next, correction)
            let error = state.seconds(position.frame - state.frame) - state.offset - correction.position
            time =
                Double(state.time) + (error + position.fraction / Double(state.nominalRate)) * 1e9
                / (1 + state.deviation)
        }
        return time
    }

    /// The last state before a time; the first of all if it is later.
    private func state(at time: Double) -> ClockFilter? {
        (entries.last { Double($0.state.time) <= time } ?? entries.first)?.state
    }
}

extension ClockFilter {
    /// By how much the state is wrong, in s and as a deviation, given the next state and by how much that one is wrong.
    fileprivate func correction(
        by next: ClockFilter, _ correction: (position: Double, rate: Double)
    ) -> (position: Double, rate: Double) {
        let dt = Double(next.time - time) * 1e-9
        // A state that allows for a turn is of the same time as the one before it.
        var predicted = next
        if dt > 0 {
            predicted = self
            predicted.predict(to: next.time)
        }
        let (p00, p01, p11) = (predicted.p00, predicted.p01, predicted.p11)
        let determinant = p00 * p11 - p01 * p01
        guard determinant > 0 else { return (0, 0) }
        let position = seconds(next.frame - predicted.frame) + next.offset - predicted.offset + correction.position
        let rate = next.deviation - predicted.deviation + correction.rate
        let a = (p11 * position - p01 * rate) / determinant
        let b = (p00 * rate - p01 * position) / determinant
        return ((self.p00 + dt * self.p01) * a + self.p01 * b, (self.p01 + dt * self.p11) * a + self.p11 * b)
    }
}
