internal import Languages
internal import Running
internal import Scores

/// Reads Zwift workouts (.zwo).
///
/// Elements and attributes are those of github.com/h4l/zwift-workout-file-reference. A share of power is a pace if the
/// file tells the threshold pace: in seconds per kilometer (`thresholdSecPerKm`, as TrainAsONE and others write it), or in
/// a description by Barline. Otherwise it is a share of a race time in the runner's profile at Zwift, which only Zwift
/// knows; the attribute `pace` tells which. In the plan, it becomes a share of the threshold, which counts as that of 10 km.
struct ZwiftReader {
    private let bytes: [UInt8]
    private let file: String
    private var diagnostics: [Diagnostic] = []
    private var leftOut = Losses()
    private var isDistance = false
    private var isBike = false
    /// Whether Barline wrote the file: then messages are labels, and the lowest power is a rest.
    private var isOwn = false
    /// The pace that is power 1, if the file tells it.
    private var threshold: ZwiftPower.Threshold?
    private var cadence: Int?
    /// Where each interval is written.
    private var places: [Range<Int>] = []

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let start = XMLText.mended(Array(bytes.prefix(4096)))
        return String(decoding: start, as: UTF8.self).lowercased().contains("<workout_file")
    }

    static func read(_ bytes: [UInt8], _ file: String) -> Document {
        var reader = ZwiftReader(bytes: XMLText.mended(bytes), file: file)
        return reader.read()
    }

    private init(bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

    private mutating func read() -> Document {
        let root: XMLElement
        do throws(Problem) {
            var hasTail = false
            root = try XMLText.parse(
                bytes, kind: localized("a workout"),
                tail: { _ in
                    hasTail = true
                    return true
                })
            if hasTail { leftOut.note(localized("what follows the workout")) }
        } catch {
            say(.error, error.error, at: error.range.lowerBound)
            return Document(file, diagnostics)
        }
        guard root.name == "workout_file", let workout = root.child("workout") else {
            say(
                .error, localized("the file has no workout"),
                hint: localized("a Zwift workout is <workout_file> with a <workout>"), at: root.offset)
            return Document(file, diagnostics)
        }
        readHead(root, workout)
        var plan = Plan()
        if let title = root.child("name")?.text { plan.title = WorkoutWords.clean(title) }
        if isOwn, plan.title == WorkoutWords.noTitle { plan.title = "" }
        plan.parts = workout.children.flatMap { parts($0) }
        plan.cadence = cadence
        if let threshold, !isOwn || threshold.isOfPlan || ZwiftPower.threshold(of: plan)?.isLike(threshold) == false {
            // A threshold that Barline did not take from the paces was chosen.
            plan.threshold = threshold.pace
        }
        if !diagnostics.contains(where: { $0.severity == .error }) {
            do throws(PlanError) { _ = try PlanTable(plan) } catch {
                say(.error, error.textError, at: error.written.map { places[$0].lowerBound } ?? workout.offset)
            }
        }
        if let message = leftOut.leftOut { diagnostics.append(Diagnostic(.warning, message, file: file)) }
        let hasErrors = diagnostics.contains { $0.severity == .error }
        return Document(file, plan: hasErrors ? nil : plan, diagnostics, text: bytes, places: places)
    }

    /// Reads the elements beside the workout.
    private mutating func readHead(_ root: XMLElement, _ workout: XMLElement) {
        func text(_ name: String) -> String {
            (root.child(name)?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        isBike = text("sporttype").lowercased() == "bike"
        if isBike {
            say(.warning, localized("the workout is for cycling; it is read as one for runners"), at: root.offset)
        }
        // Zwift writes the offsets of messages in the unit of the durations.
        let hasType = root.child("durationtype") != nil
        isDistance = hasType ? text("durationtype").lowercased().contains("distance") : workout.hasDistances
        isOwn = text("author") == "Barline"
        if isOwn {
            threshold = ZwiftPower.Threshold(description: text("description"))
            return
        }
        if !isBike, let seconds = Double(text("thresholdsecperkm")), seconds.isFinite, seconds > 0 {
            let pace = Pace(seconds, .perKilometer)
            if pace.isValid { threshold = ZwiftPower.Threshold(pace, .kilometers) }
        }
        if !text("author").isEmpty { leftOut.note(localized("the author")) }
        if !text("description").isEmpty { leftOut.note(localized("the description")) }
        if let tags = root.child("tags"), !tags.children.isEmpty { leftOut.note(localized("tags")) }
        if root.children.count(where: { $0.name == "workout" }) > 1 {
            say(
                .error, localized("the file has several workouts"), hint: localized("a plan is one; split the file"),
                at: workout.offset)
        }
    }

    private mutating func parts(_ element: XMLElement) -> [Plan.Part] {
        if isOwn, cadence == nil {
            cadence = element.children.lazy.compactMap { $0.attributes["message"].flatMap(ZwiftPower.cadence) }.first
        }
        if !isOwn { noteExtras(element) }
        switch element.name {
        case "warmup": return single(element, .warmUp)
        case "cooldown": return single(element, .coolDown)
        case "steadystate", "solidstate", "ramp", "freeride", "freerun", "maxeffort":
            let isWalk = element.name == "steadystate" && number(element, "power").map(isWalk) ?? false
            return single(element, isWalk ? .walk : .run)
        case "intervalst":
            guard let count = number(element, "repeat"), count == count.rounded(), (1...10_000).contains(count) else {
                say(.error, localized("an IntervalsT needs Repeat, a whole number from 1 to 10000"), at: element.offset)
                return []
            }
            guard let on = measure(element, "onduration"), let off = measure(element, "offduration") else { return [] }
            let power = number(element, "offpower") ?? number(element, "poweroffhigh") ?? 0.5
            let isWalk = isWalk(power)
            places += Array(repeating: element.offset..<element.offset, count: 2)
            let between = isOwn && power < 0.4 ? Interval.Kind.rest : isWalk ? .walk : .run
            return [
                .group(
                    Int(count),
                    [
                        .interval(
                            Interval(.run, on).targeting(target(element, "onpower", "poweronlow", "poweronhigh"))),
                        .interval(
                            Interval(between, off, label: isWalk ? "" : "Easy")
                                .targeting(target(element, "offpower", "powerofflow", "poweroffhigh"))),
                    ])
            ]
        case "textevent", "textnotification":
            leftOut.note(localized("messages"))
            return []
        default:
            say(
                .warning, localized("<\(element.name)> is left out: it is an unknown kind of interval"),
                at: element.offset)
            return []
        }
    }

    /// Whether a power is that of a walk: with a known pace, below 7 km/h.
    private func isWalk(_ power: Double) -> Bool {
        guard !isOwn, let threshold else { return power < ZwiftPower.walking }
        return threshold.pace.metersPerSecond * power < 7 / 3.6
    }

    private mutating func single(_ element: XMLElement, _ kind: Interval.Kind) -> [Plan.Part] {
        guard let measure = measure(element, "duration") else { return [] }
        places.append(element.offset..<element.offset)
        let first = element.children.first { child in
            let offset = number(child, "timeoffset") ?? number(child, "distoffset") ?? 0
            return (child.name == "textevent" || child.name == "textnotification") && offset == 0
        }
        let named = first?.attributes["message"].map(WorkoutWords.meaning)
        if isOwn {
            let power = number(element, "power")
            let message = WorkoutWords.clean(first?.attributes["message"] ?? "")
            let told = WorkoutWords.told(message)
            let steady = element.name == "steadystate" ? power.map(ZwiftPower.kind) ?? kind : kind
            var interval = Interval(told?.kind ?? steady, measure, label: told?.label ?? message)
            interval = interval.targeting(target(element, "power", "powerlow", "powerhigh"))
            if let effort = element.children.lazy.compactMap({ $0.attributes["message"].flatMap(ZwiftPower.effort) })
                .first
            {
                if effort.isPace {
                    interval.measure = measure
                } else if let share = interval.effort?.percents, let pace = threshold?.pace(at: share.first / 100) {
                    // Beside a heart rate, the power is a pace.
                    interval.measure = measure.paced(pace)
                }
                interval.effort = effort
            }
            return [.interval(interval)]
        }
        // If the message at the very start is the name of a kind, it decides the kind; other messages are only for the
        // screen.
        let told = named?.label == "" ? named?.kind : nil
        let texts = element.children.count { $0.name.hasPrefix("text") }
        for _ in 0..<max(told == nil ? texts : texts - 1, 0) { leftOut.note(localized("messages")) }
        return [.interval(Interval(told ?? kind, measure).targeting(target(element, "power", "powerlow", "powerhigh")))]
    }

    /// Notes what an element of another program has beside its kind, duration and power.
    private mutating func noteExtras(_ element: XMLElement) {
        if element.attributes.keys.contains(where: { $0.hasPrefix("cadence") }) {
            leftOut.note(localized("targets of cadence"))
        }
        if element.name == "intervalst" {
            for child in element.children where child.name.hasPrefix("text") { leftOut.note(localized("messages")) }
        }
        for child in element.children where !child.name.hasPrefix("text") { leftOut.note("<\(child.name)>") }
    }

    /// The pace or the share of a threshold that a power, or else two powers, stand for.
    private mutating func target(
        _ element: XMLElement, _ key: String, _ low: String, _ high: String
    ) -> (pace: Pace?, effort: Effort?) {
        let steady = number(element, key)
        guard let first = number(element, low) ?? steady ?? number(element, high),
            let last = number(element, high) ?? steady ?? number(element, low),
            element.name != "freeride", element.name != "maxeffort"
        else { return (nil, nil) }
        if isBike, !isOwn {
            leftOut.note(localized("targets of power"))
            return (nil, nil)
        }
        let mark = element.attributes["pace"]
        let text = element.name == "intervalst" ? element.attributes[key] : nil
        if isOwn, !ZwiftPower.isPace(mark, text) { return (nil, nil) }
        let isRamp = first != last && !["steadystate", "solidstate", "intervalst"].contains(element.name)
        if isOwn, let threshold, !threshold.isOfPlan {
            guard let a = threshold.pace(at: first), let b = threshold.pace(at: last) else { return (nil, nil) }
            return first == last
                ? (a, nil) : (nil, Effort(.speed, a.metersPerSecond, to: b.metersPerSecond, isRamp: isRamp))
        }
        // Shares of a race other than the threshold are estimates, to a tenth of a percent.
        let factor = isOwn || threshold != nil ? 1 : ZwiftPower.factor(mark)
        if factor != 1 {
            leftOut.note(localized("shares of other races than 10 km, but for an estimate by Riegel's formula"))
        }
        func percent(_ power: Double) -> Double {
            factor == 1 ? (power * 1e8).rounded() / 1e6 : (power * factor * 1000).rounded() / 10
        }
        let (a, b) = (percent(first), percent(last))
        let range = Effort.range(of: .percent)
        guard range.contains(a), range.contains(b) else {
            leftOut.note(localized("shares of paces that no run has"))
            return (nil, nil)
        }
        return (nil, Effort(.percent, a, to: b, isRamp: isRamp))
    }

    private mutating func measure(_ element: XMLElement, _ key: String) -> Interval.Measure? {
        guard let value = number(element, key) else {
            say(.error, localized("<\(element.name)> needs a number as its \(key)"), at: element.offset)
            return nil
        }
        let (distance, time) = (Distance(meters: value), Duration(inSeconds: value))
        if isDistance, distance.isValid { return .distance(distance) }
        if !isDistance, Run.timeRange.contains(time) { return .time(time) }
        say(
            .error, localized("the \(key) is out of range"),
            hint: isDistance ? localized("it is in meters") : localized("it is in seconds"),
            at: element.offset)
        return nil
    }

    private func number(_ element: XMLElement, _ key: String) -> Double? {
        guard let text = element.attributes[key] else { return nil }
        let number = Double(text.filter { !$0.isWhitespace }.map { $0 == "," ? "." : String($0) }.joined())
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func say(_ severity: Diagnostic.Severity, _ message: String, hint: String? = nil, at offset: Int) {
        say(severity, TextError(message, hint: hint), at: offset)
    }

    private mutating func say(_ severity: Diagnostic.Severity, _ error: TextError, at offset: Int) {
        guard diagnostics.count < 20 else { return }
        var diagnostic = Problem(offset..<offset, error).diagnostic(in: bytes, file: file)
        diagnostic.severity = severity
        diagnostics.append(diagnostic)
    }
}

extension Interval {
    /// The interval with a pace or an effort.
    fileprivate func targeting(_ target: (pace: Pace?, effort: Effort?)) -> Interval {
        var interval = self
        if let pace = target.pace { interval.measure = measure.paced(pace) }
        interval.effort = target.effort
        return interval
    }
}

extension XMLElement {
    /// Whether messages in it are placed by distances.
    fileprivate var hasDistances: Bool {
        attributes["distoffset"] != nil || children.contains { $0.hasDistances }
    }
}
