internal import Running
internal import Scores

/// The power of an interval in a Zwift file of Barline: a pace as a share of a threshold pace, or a fixed share for its
/// kind. The writer and the reader share these rules.
struct ZwiftPower {
    /// The share of the threshold, as a decimal number.
    let text: String
    /// Whether it is a pace.
    let isPace: Bool
    /// The attribute `pace`, which tells whose share the power is. Without it, editors and treadmills disagree: the
    /// editors of zwiftworkout.com and its kin take the time of a mile, QZ the one that its user has chosen. So every
    /// interval has one: a pace is a share of the time of 10 km, as in the files of TrainAsONE, and a power that only
    /// stands for a kind one of the marathon, the slowest.
    var mark: String { " pace=\"\(isPace ? Self.tenKilometers : Self.marathon)\"" }
    private static let (tenKilometers, marathon) = ("2", "4")

    /// Whether the attribute `pace` of a file by Barline marks a pace.
    static func isPace(_ mark: String?) -> Bool { mark == tenKilometers }
    private let share: Double

    /// The power of an interval with a pace, if it has one.
    init(_ kind: Interval.Kind, _ pace: Pace?, _ threshold: Threshold?) {
        isPace = pace != nil && threshold != nil
        if let pace, let threshold {
            // Five decimals are exact to some thousandths of a second per kilometer.
            text = Duration(inSeconds: pace.metersPerSecond / threshold.pace.metersPerSecond).seconds(decimals: 5)
            share = Double(text) ?? 1
        } else {
            share = kind == .rest ? 0.3 : kind == .walk ? 0.5 : 1
            text = kind == .rest ? "0.3" : kind == .walk ? "0.5" : "1"
        }
    }

    /// The kind of a steady interval with this power, as far as it can be told.
    var kind: Interval.Kind { Self.kind(share) }

    /// The kind of a steady interval at a share of the threshold.
    static func kind(_ share: Double) -> Interval.Kind { share < 0.4 ? .rest : share < walking ? .walk : .run }

    /// The share of the threshold below which a run counts as a walk.
    static let walking = 0.7

    /// The message for an interval: its label, after the name of its kind if the label or the power alone would mislead.
    static func message(_ interval: Interval, isTold: Bool) -> String {
        if interval.label.isEmpty { return interval.kind.name }
        return isTold && WorkoutWords.told(interval.label) == nil
            ? interval.label : "\(interval.kind.name) \(interval.label)"
    }

    /// The message for a cadence.
    static func text(_ cadence: Int) -> String { "\(cadence) steps per minute" }

    /// The cadence in a message; nil if it is another one.
    static func cadence(_ message: String) -> Int? {
        let words = message.split(separator: " ")
        guard let first = words.first, let cadence = Int(first), Plan.cadenceRange.contains(cadence),
            message == text(cadence)
        else { return nil }
        return cadence
    }

    /// The pace that is power 1.
    struct Threshold {
        var pace: Pace
        var unit: DistanceUnit

        /// The pace as it is written in a plan.
        var text: String { pace.exactText(per: unit) }

        /// The sentence that states it in a file.
        var description: String { Self.start + text + "." }
        private static let start = "Power 1 is a pace of "

        /// The element that tells it to other programs, on a line of its own.
        var element: String {
            "\n    <thresholdSecPerKm>\(Duration(inSeconds: pace.value(in: .perKilometer)).seconds(decimals: 3))"
                + "</thresholdSecPerKm>"
        }

        /// Makes a threshold.
        init(_ pace: Pace, _ unit: DistanceUnit) { (self.pace, self.unit) = (pace, unit) }

        /// Reads the sentence of a file; nil if there is none.
        init?(description: String) {
            guard description.hasPrefix(Self.start), description.hasSuffix(".") else { return nil }
            let text = String(description.dropFirst(Self.start.count).dropLast())
            guard let pace = try? Pace(runText: text), pace.isValid else { return nil }
            self.init(pace, DistanceUnit(mentionedIn: text) ?? .kilometers)
        }

        /// The pace at a share of the threshold, to the hundredth of a second per unit; nil if it is none.
        func pace(at share: Double) -> Pace? {
            guard share > 0 else { return nil }
            let seconds = unit.meters / (pace.metersPerSecond * share)
            let rounded = (seconds * 100).rounded() / 100
            let result = Pace(metersPerSecond: unit.meters / (rounded > 1 ? rounded : seconds))
            return result.isValid ? result : nil
        }
    }

    /// The threshold of a plan: as chosen, or the pace of running, or the first pace; nil if the plan has no pace.
    static func threshold(of plan: Plan, _ options: WorkoutOptions) -> Threshold? {
        let paces = plan.written.compactMap { interval in plan.extent(interval).pace.map { (interval.kind, $0) } }
        guard let first = paces.first?.1 else { return nil }
        let unit = plan.unit ?? .kilometers
        let own = plan.paces[.run] ?? paces.first { $0.0 == .run }?.1
        return Threshold(options.threshold ?? own ?? first, unit)
    }
}
