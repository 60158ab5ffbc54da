internal import Languages
internal import Scores
internal import Timing

/// The names of the intervals of a plan that is rendered, as chapters have them: `Run 4 of 8, 1:00`.
struct IntervalNames {
    private let performance: Performance
    /// For each boundary of an interval: its number among those of its name, from 1.
    private var numbers: [Int: Int] = [:]
    private var counts: [String: Int] = [:]

    init(_ performance: Performance) {
        self.performance = performance
        for n in 0..<(performance.passage.count ?? 0) {
            guard let name = announced(n)?.name else { continue }
            counts[name, default: 0] += 1
            numbers[n] = counts[name]
        }
    }

    private func announced(_ n: Int) -> Announcement? { performance.passage.bar(of: n).written.details.announcement }

    /// The name of the interval that boundary `n` begins; nil if it is not one of a plan.
    func name(of n: Int) -> String? {
        guard let announced = announced(n), let number = numbers[n], let count = counts[announced.name] else {
            return nil
        }
        let bar = performance.passage.bar(of: n)
        let time = performance.passage.stretch(of: n).speed.realDuration(of: bar.duration)
        let name = count == 1 ? announced.name : localized("\(announced.name) \(number) of \(count)")
        return "\(name), \(announced.length ?? time.clock)"
    }
}
