internal import Glibc
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

    /// Whether a power in a file by Barline is a pace, by the attribute `pace`. Repeats have one for two powers: there, a
    /// `text` without five decimals stands for a kind.
    static func isPace(_ mark: String?, _ text: String?) -> Bool {
        mark == tenKilometers && !(text.map(ofKinds.values.contains) ?? false)
    }
    /// The powers of kinds without a pace.
    private static let ofKinds: [Interval.Kind: String] = [.rest: "0.3", .walk: "0.5", .run: "1"]
    private let share: Double
    /// The shares at the start and at the end of a ramp; nil for a steady pace.
    let ramp: (start: String, end: String)?

    /// The power of an interval: that of its effort or pace, if it has one.
    init(_ interval: Interval, _ pace: Pace?, _ threshold: Threshold?) {
        var ends: (first: Double, last: Double)?
        if let percents = interval.effort?.percents {
            ends = (percents.first / 100, percents.last / 100)
        } else if let threshold {
            func share(_ pace: Pace) -> Double { pace.metersPerSecond / threshold.pace.metersPerSecond }
            ends = pace.map { (share($0), share($0)) }
            if interval.effort?.isRamp ?? false, let (a, b) = interval.effort?.paces(nil) {
                ends = (share(a), share(b))
            }
        }
        // Five decimals are exact to some thousandths of a second per kilometer.
        func text(_ share: Double) -> String { Duration(inSeconds: share).seconds(decimals: 5) }
        isPace = ends != nil
        if let (first, last) = ends {
            self.text = text((first + last) / 2)
            share = Double(self.text) ?? 1
            ramp = interval.effort?.isRamp ?? false ? (text(first), text(last)) : nil
        } else {
            self.text = ZwiftPower.ofKinds[interval.kind] ?? "1"
            share = Double(self.text) ?? 1
            ramp = nil
        }
    }

    /// Whether the power says everything about how hard an interval is.
    func says(_ effort: Effort?) -> Bool {
        guard let effort else { return true }
        guard isPace else { return false }
        return effort.isRamp && effort.scale != .zone && effort.isPace
            || effort.scale == .percent && effort.first == effort.last
    }

    /// The message for an effort that the power does not say.
    static func text(_ effort: Effort) -> String { target + effort.text }
    private static let target = "Target: "

    /// The effort in a message; nil if it is another one.
    static func effort(_ message: String) -> Effort? {
        guard message.hasPrefix(target) else { return nil }
        return try? Demands(runText: String(message.dropFirst(target.count)))?.effort
    }

    /// How much faster than over 10 km one runs the race of the attribute `pace`, by Riegel's formula: 0 to 4 are the mile,
    /// 5 km, 10 km, the half marathon and the marathon.
    static func factor(_ mark: String?) -> Double {
        let races = [
            Distance(1, .miles), Distance(5, .kilometers), Distance(10, .kilometers), .halfMarathon, .marathon,
        ]
        guard let race = mark.flatMap(Int.init), races.indices.contains(race) else { return 1 }
        return pow(races[race].meters / 10_000, 1 - Prediction.fatigue)
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
        /// Whether it is a setting of the plan, of which intervals are shares.
        var isOfPlan = false

        /// The pace as it is written in a plan.
        var text: String { pace.exactText(per: unit) }

        /// The sentence that states it in a file.
        var description: String { (isOfPlan ? Self.startOfPlan : Self.start) + text + "." }
        private static let (start, startOfPlan) = ("Power 1 is a pace of ", "Power 1 is the threshold pace of ")

        /// The element that tells it to other programs, on a line of its own.
        var element: String {
            "\n    <thresholdSecPerKm>\(Duration(inSeconds: pace.value(in: .perKilometer)).seconds(decimals: 3))"
                + "</thresholdSecPerKm>"
        }

        /// Makes a threshold.
        init(_ pace: Pace, _ unit: DistanceUnit, isOfPlan: Bool = false) {
            (self.pace, self.unit, self.isOfPlan) = (pace, unit, isOfPlan)
        }

        /// Reads the sentence of a file; nil if there is none.
        init?(description: String) {
            guard let start = [Self.start, Self.startOfPlan].first(where: description.hasPrefix),
                description.hasSuffix(".")
            else { return nil }
            let text = String(description.dropFirst(start.count).dropLast())
            guard let pace = try? Pace(runText: text), pace.isValid else { return nil }
            self.init(pace, DistanceUnit(mentionedIn: text) ?? .kilometers, isOfPlan: start == Self.startOfPlan)
        }

        /// Whether both are the same but for the rounding of paces in files.
        func isLike(_ other: Threshold) -> Bool {
            (pace.metersPerSecond / other.pace.metersPerSecond - 1).magnitude < 1e-4
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

    /// The threshold for a plan: its own, or as chosen, or the pace of running, or the first pace. Nil if the plan
    /// has no pace, or has shares of a threshold that nobody knows.
    static func threshold(of plan: Plan, _ options: WorkoutOptions = WorkoutOptions()) -> Threshold? {
        let paces = plan.written.compactMap { interval in plan.extent(interval).pace.map { (interval.kind, $0) } }
        let unit = plan.unit ?? .kilometers
        if plan.needsThreshold {
            return (plan.threshold ?? options.threshold).map { Threshold($0, unit, isOfPlan: true) }
        }
        guard let first = paces.first?.1 else { return nil }
        let own = plan.paces[.run] ?? paces.first { $0.0 == .run }?.1
        return Threshold(plan.threshold ?? options.threshold ?? own ?? first, unit)
    }
}
