internal import Formats
internal import Languages
internal import Running
internal import Scores

/// Reads Zwift workouts (.zwo).
///
/// Elements and attributes are those of github.com/h4l/zwift-workout-file-reference. A share of power is a pace if the
/// file tells the threshold pace: in seconds per kilometer (`thresholdSecPerKm`, as TrainAsONE and others write it), or in
/// a description by Barline. Otherwise it is a share of a race time in the runner's profile at Zwift, which only Zwift
/// knows; the attribute `pace` tells which: 0 to 4 are the mile, 5 km, 10 km, the half marathon and the marathon.
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

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let start = XMLText.mended(Array(bytes.prefix(4096)))
        return String(decoding: start, as: UTF8.self).lowercased().contains("<workout_file")
    }

    static func read(_ bytes: [UInt8], _ file: String) -> WorkoutReading {
        var reader = ZwiftReader(bytes: XMLText.mended(bytes), file: file)
        return reader.read()
    }

    private init(bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

    private mutating func read() -> WorkoutReading {
        let root: XMLElement
        do throws(XMLFault) {
            var hasTail = false
            root = try XMLText.parse(
                bytes, kind: localized("a workout"),
                tail: { _ in
                    hasTail = true
                    return true
                })
            if hasTail { leftOut.note(localized("what follows the workout")) }
        } catch {
            say(.error, error.message, at: error.offset)
            return WorkoutReading(nil, diagnostics)
        }
        guard root.name == "workout_file", let workout = root.child("workout") else {
            say(
                .error, localized("the file has no workout"),
                hint: localized("a Zwift workout is <workout_file> with a <workout>"), at: root.offset)
            return WorkoutReading(nil, diagnostics)
        }
        readHead(root, workout)
        var plan = Plan()
        if let title = root.child("name")?.text { plan.title = WorkoutWords.clean(title) }
        plan.parts = workout.children.flatMap { parts($0) }
        plan.cadence = cadence
        if !diagnostics.contains(where: { $0.severity == .error }) {
            do throws(PlanError) { _ = try PlanTable(plan) } catch { say(.error, error.textError, at: workout.offset) }
        }
        if let message = leftOut.leftOut { diagnostics.append(Diagnostic(.warning, message, file: file)) }
        let hasErrors = diagnostics.contains { $0.severity == .error }
        return WorkoutReading(hasErrors ? nil : plan, diagnostics)
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
            let between = isOwn && power < 0.4 ? Interval.Kind.rest : isWalk ? .walk : .run
            return [
                .group(
                    Int(count),
                    [
                        .interval(Interval(.run, paced(on, element, ["onpower", "poweronlow", "poweronhigh"]))),
                        .interval(
                            Interval(
                                between, paced(off, element, ["offpower", "powerofflow", "poweroffhigh"]),
                                label: isWalk ? "" : "Easy")),
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
            let measure = paced(measure, element, element.name == "steadystate" ? ["power"] : ["powerlow"])
            return [.interval(Interval(told?.kind ?? steady, measure, label: told?.label ?? message))]
        }
        // If the message at the very start is the name of a kind, it decides the kind; other messages are only for the
        // screen.
        let told = named?.label == "" ? named?.kind : nil
        let texts = element.children.count { $0.name.hasPrefix("text") }
        for _ in 0..<max(told == nil ? texts : texts - 1, 0) { leftOut.note(localized("messages")) }
        return [.interval(Interval(told ?? kind, paced(measure, element, ["power", "powerlow", "powerhigh"])))]
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

    /// The measure with the pace that a power stands for: the mean of these attributes, as far as they are there.
    private mutating func paced(
        _ measure: Interval.Measure, _ element: XMLElement, _ keys: [String]
    ) -> Interval.Measure {
        let powers = keys.compactMap { number(element, $0) }
        guard !powers.isEmpty, element.name != "freeride", element.name != "maxeffort" else { return measure }
        guard let threshold else {
            if !isOwn {
                leftOut.note(
                    isBike
                        ? localized("targets of power")
                        : localized("paces, which are shares of race times that the file does not tell"))
            }
            return measure
        }
        if isOwn, !ZwiftPower.isPace(element.attributes["pace"]) { return measure }
        if let least = powers.min(), let most = powers.max(), least < most {
            leftOut.note(localized("changes of pace, but for their mean"))
        }
        return threshold.pace(at: powers.reduce(0, +) / Double(powers.count)).map(measure.paced) ?? measure
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
        var diagnostic = RunTextFault(offset..<offset, error).diagnostic(in: bytes, file: file)
        diagnostic.severity = severity
        diagnostics.append(diagnostic)
    }
}

extension XMLElement {
    /// Whether messages in it are placed by distances.
    fileprivate var hasDistances: Bool {
        attributes["distoffset"] != nil || children.contains { $0.hasDistances }
    }
}
