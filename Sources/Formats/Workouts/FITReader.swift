internal import Languages
internal import Running
internal import Scores

/// Reads Garmin workouts (FIT files of type 5): messages 26, workout, and 27, workout_step.
struct FITReader {
    private let file: String
    /// The widest range around a pace that is a mere tolerance, in seconds per kilometer.
    private static let widestRange = 30.0
    private var diagnostics: [Diagnostic] = []
    private var leftOut = Losses()

    static func read(_ bytes: [UInt8], _ file: String) -> Document {
        var reader = FITReader(file: file)
        let plan = reader.plan(bytes)
        let hasErrors = reader.diagnostics.contains { $0.severity == .error }
        return Document(file, plan: hasErrors ? nil : plan, reader.diagnostics)
    }

    private mutating func plan(_ bytes: [UInt8]) -> Plan {
        var plan = Plan()
        do throws(TextError) {
            let (messages, isDamaged) = try FITBytes.messages(bytes)
            if isDamaged { say(.warning, localized("the checksum of the FIT file is wrong: it may be damaged")) }
            if let type = messages.first(where: { $0.number == 0 })?.number(0), type != 5 {
                throw TextError(
                    localized("this FIT file is not a workout"),
                    hint: localized("it may be the record of an activity or a course"))
            }
            let workouts = messages.filter { $0.number == 26 }
            guard workouts.count <= 1 else {
                throw TextError(
                    localized("this FIT file has \(workouts.count) workouts"),
                    hint: localized("a plan is one; split the file"))
            }
            if let workout = workouts.first { plan.title = title(workout) }
            let isOwn = messages.contains { $0.number == 0 && $0.number(1) == 255 && $0.number(2) == 1 }
            if isOwn, plan.title == WorkoutWords.noTitle { plan.title = "" }
            plan.parts = parts(messages.filter { $0.number == 27 })
            if let message = leftOut.leftOut { say(.warning, message) }
        } catch {
            say(.error, error.message, hint: error.hint)
            return plan
        }
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return plan }
        do throws(PlanError) { _ = try PlanTable(plan) } catch { say(.error, error.textError.message) }
        return plan
    }

    private mutating func title(_ workout: FITBytes.Message) -> String {
        if let sport = FITWords.otherSport(workout.number(4)) {
            say(.warning, localized("the workout is for \(sport); it is read as one for runners"))
        }
        if !workout.text(17).isEmpty { leftOut.note(localized("the description")) }
        return WorkoutWords.clean(workout.text(8))
    }

    /// Converts steps into parts: a repeat step replaces the parts since its first step by a group of them.
    private mutating func parts(_ steps: [FITBytes.Message]) -> [Plan.Part] {
        // Each part with the index of its first step.
        var parts: [(first: UInt32, part: Plan.Part)] = []
        // After so many mistakes that no more are told, the rest is not read.
        for (place, step) in steps.enumerated() where diagnostics.count < FITReader.mostDiagnostics {
            // The upper bits of an index are flags.
            let index = step.number(254).map { $0 & 0xFFF } ?? UInt32(place)
            let end = FITWords.StepEnd(step.number(1))
            switch end {
            case .times:
                let first = step.number(2) ?? 0
                let count = Int(step.number(4) ?? 0)
                let repeated = parts.drop { $0.first < first }
                guard !repeated.isEmpty, Plan.countRange.contains(count), first < index else {
                    say(.error, localized("step \(place + 1) must repeat earlier steps, 1 to 10 000 times"))
                    continue
                }
                guard group(count, first, &parts) else { return [] }
            case .timeRepeat, .distanceRepeat:
                guard repeatUntil(step, end, place, index, &parts) else { return [] }
            case .repeated(let why):
                say(
                    .error, localized("step \(place + 1) repeats earlier steps until \(why), which a plan cannot do"),
                    hint: localized("repeat them a number of times"))
            case .time, .distance, .open, .measured:
                if let interval = interval(step, end, number: place + 1) { parts.append((index, .interval(interval))) }
            }
        }
        return parts.map(\.part)
    }

    /// Replaces the parts since a step by a group of them; false, with an error, if it would be nested too deep.
    private mutating func group(
        _ count: Int, _ first: UInt32, _ parts: inout [(first: UInt32, part: Plan.Part)]
    ) -> Bool {
        let repeated = parts.drop { $0.first < first }
        let group = Plan.Part.group(count, repeated.map(\.part))
        guard depth(group) <= Plan.depthLimit else {
            say(.error, localized("groups can be nested at most 16 deep"))
            return false
        }
        parts[repeated.startIndex...] = [(first, group)]
        return true
    }

    /// Writes out a repeat until a time or distance: whole rounds, until it is reached. If it is unknown how long a round
    /// is, it says so. Returns false if groups would be nested too deep.
    private mutating func repeatUntil(
        _ step: FITBytes.Message, _ end: FITWords.StepEnd, _ place: Int, _ index: UInt32,
        _ parts: inout [(first: UInt32, part: Plan.Part)]
    ) -> Bool {
        let first = step.number(2) ?? 0
        let repeated = parts.drop { $0.first < first }
        let round = Plan().extent(repeated.map(\.part))
        // Milliseconds, or centimeters.
        let limit = Double(step.number(4) ?? 0) / (end == .timeRepeat ? 1000 : 100)
        let length = end == .timeRepeat ? round.time?.inSeconds : round.distance?.meters
        guard !repeated.isEmpty, first < index, limit > 0, let length, length > 0 else {
            let why = end == .timeRepeat ? localized("some time has passed") : localized("some distance is done")
            say(
                .error, localized("step \(place + 1) repeats earlier steps until \(why), which a plan cannot do"),
                hint: localized("repeat them a number of times"))
            return true
        }
        let count = (limit / length - 1e-9).rounded(.up)
        guard count <= Double(Plan.countRange.upperBound) else {
            say(.error, localized("step \(place + 1) must repeat earlier steps, 1 to 10 000 times"))
            return true
        }
        guard group(max(Int(count), 1), first, &parts) else { return false }
        guard (count * length - limit).magnitude > 1e-6 * limit else { return true }
        let (wanted, whole) =
            end == .timeRepeat
            ? (
                Duration(inSeconds: limit).shortText(decimals: 1),
                Duration(inSeconds: count * length).shortText(decimals: 1)
            )
            : (Distance(meters: limit).text(in: .kilometers), Distance(meters: count * length).text(in: .kilometers))
        say(
            .warning,
            localized(
                "step \(place + 1) repeats earlier steps until \(wanted); they are read as \(Int(count)) rounds, \(whole)"
            ))
        return true
    }

    private func depth(_ part: Plan.Part) -> Int {
        if case .group(_, let parts) = part { 1 + (parts.map(depth).max() ?? 0) } else { 0 }
    }

    private mutating func interval(_ step: FITBytes.Message, _ end: FITWords.StepEnd, number: Int) -> Interval? {
        let wanted = FITWords.intensities.first { step.number(7) == UInt32($0.value) }?.key ?? .run
        let (kind, label) = FITWords.meaning(step.text(0), wanted)
        if !step.text(8).isEmpty { leftOut.note(localized("notes")) }
        if let target = FITWords.target(step.number(19)) { leftOut.note(localized("second targets of \(target)")) }
        let value = step.number(2)
        var measure: Interval.Measure?
        switch end {
        case .distance:
            // Centimeters.
            let distance = Distance(meters: Double(value ?? 0) / 100)
            if distance.isValid { measure = .distance(distance) }
        case .open: measure = .open(OpenEnd())
        case .measured(let why):
            say(.warning, localized("step \(number) ends when \(why); it is read as one until the lap button"))
            measure = .open(OpenEnd())
        case .time, .times, .timeRepeat, .distanceRepeat, .repeated:
            // Milliseconds.
            let time = Duration.milliseconds(Int64(value ?? 0))
            if Run.timeRange.contains(time) { measure = .time(time) }
        }
        guard let measure else {
            say(.error, localized("step \(number) has no length"))
            return nil
        }
        let target = target(step)
        return Interval(kind, target.pace.map(measure.paced) ?? measure, label: label, effort: target.effort)
    }

    /// The pace or the effort that a step asks for.
    private mutating func target(_ step: FITBytes.Message) -> (pace: Pace?, effort: Effort?) {
        guard let target = FITWords.target(step.number(3)) else { return (nil, nil) }
        let (zone, low, high) = (step.number(4) ?? 0, step.number(5), step.number(6))
        if FITWords.isSpeed(step.number(3)) {
            if let low, let high, low > 0, high >= low { return pace(low, high) }
            // Without speeds of its own, it is a zone of the watch.
            if Effort.zones.contains(Int(zone)) { return (nil, Effort(.zone, Double(zone))) }
            if zone > 0 { leftOut.note(localized("targets of zones of speed")) }
            return (nil, nil)
        }
        if step.number(3) == 1, let effort = FITWords.heartRate(zone: zone, low, high) { return (nil, effort) }
        leftOut.note(localized("targets of \(target)"))
        return (nil, nil)
    }

    /// The pace or the range of paces between two speeds in mm/s.
    private mutating func pace(_ low: UInt32, _ high: UInt32) -> (pace: Pace?, effort: Effort?) {
        let (slow, fast) = (1e6 / Double(low), 1e6 / Double(high))
        guard slow - fast > Self.widestRange else {
            let pace = FITWords.pace(low, high)
            let usual = FITWriter.speeds(around: pace, WorkoutOptions().tolerance)
            if max(abs(Int(low) - Int(usual.low)), abs(Int(high) - Int(usual.high))) > 1 {
                leftOut.note(localized("how much slower or faster than its pace a step may be"))
            }
            return (pace, nil)
        }
        let range = Effort(.speed, Double(high) / 1000, to: Double(low) / 1000)
        guard range.paces(nil) != nil else {
            leftOut.note(localized("ranges of speed that no run has"))
            return (nil, nil)
        }
        return (nil, range)
    }

    private static let mostDiagnostics = 20

    private mutating func say(_ severity: Diagnostic.Severity, _ message: String, hint: String? = nil) {
        if diagnostics.count < FITReader.mostDiagnostics {
            diagnostics.append(Diagnostic(severity, message, hint: hint, file: file))
        }
    }
}
