/// The recent states of a clock's filter, each just before an observation: with them, what was observed later corrects
/// what was believed earlier (fixed-interval smoothing: Rauch, Tung and Striebel, AIAA Journal 3, 1965).
struct ClockPast: Sendable, Equatable {
    private var states: [ClockFilter] = []

    /// The most states that are kept.
    private static let most = 1024

    /// Adds a state. If there are too many, the older half is forgotten.
    mutating func append(_ state: ClockFilter) {
        if states.count >= Self.most { states.removeFirst(Self.most / 2) }
        states.append(state)
    }

    /// Replaces the states after the first one of `other`, with which the past has turned out to be different.
    mutating func append(_ other: ClockPast) {
        guard let turn = other.states.first?.time else { return }
        states.removeAll { $0.time > turn }
        for state in other.states { append(state) }
    }

    /// Forgets what is not needed for times from `time` on.
    mutating func forget(before time: Int64) {
        guard let last = states.lastIndex(where: { $0.time <= time }) else { return }
        states.removeFirst(last)
    }

    /// The time at which a position was at the converter, in ns, from the observations before and after it.
    func time(of position: FramePosition, _ present: ClockFilter) -> Double {
        var time = present.time(of: position)
        // The position at this time tells a better time; after the second step it no longer changes.
        for _ in 0..<2 {
            guard time < Double(present.time), var state = state(at: time) else { break }
            var (next, correction) = (present, (position: 0.0, rate: 0.0))
            for earlier in states.reversed() {
                guard earlier.time > state.time else { break }
                correction = earlier.correction(by: next, correction)
                next = earlier
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
    private func state(at time: Double) -> ClockFilter? { states.last { Double($0.time) <= time } ?? states.first }
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
