internal import Running
internal import Scores

/// Reads Zwift workouts (.zwo).
///
/// Elements and attributes are those of github.com/h4l/zwift-workout-file-reference. Features that plans do not have
/// (targets of power, cadence) are ignored; anything that would change the length is an error or a warning.
struct ZwiftReader {
    private let bytes: [UInt8]
    private let file: String
    private var diagnostics: [Diagnostic] = []
    private var isDistance = false
    /// Whether Barline wrote the file: then messages are labels, and the lowest power is a rest.
    private var isOwn = false
    /// The pace that is power 1, if Barline wrote the file.
    private var threshold: ZwiftPower.Threshold?
    private var cadence: Int?

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
        return start.contains("<workout_file")
    }

    static func read(_ bytes: [UInt8], _ file: String) -> WorkoutReading {
        var reader = ZwiftReader(bytes: XMLText.mended(bytes), file: file)
        return reader.read()
    }

    private init(bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

    private mutating func read() -> WorkoutReading {
        let root: XMLElement
        do throws(XMLFault) {
            root = try XMLText.parse(bytes, kind: "a workout")
        } catch {
            say(.error, error.message, at: error.offset)
            return WorkoutReading(nil, diagnostics)
        }
        guard root.name == "workout_file", let workout = root.child("workout") else {
            say(
                .error, "the file has no workout", hint: "a Zwift workout is <workout_file> with a <workout>",
                at: root.offset)
            return WorkoutReading(nil, diagnostics)
        }
        isDistance = root.child("durationtype")?.text.lowercased().contains("distance") ?? false
        isOwn = root.child("author")?.text == "Barline"
        if isOwn { threshold = root.child("description").flatMap { ZwiftPower.Threshold(description: $0.text) } }
        var plan = Plan()
        if let title = root.child("name")?.text { plan.title = WorkoutWords.clean(title) }
        plan.parts = workout.children.flatMap { parts($0) }
        plan.cadence = cadence
        if !diagnostics.contains(where: { $0.severity == .error }) {
            do throws(PlanError) { _ = try PlanTable(plan) } catch { say(.error, error.textError, at: workout.offset) }
        }
        let hasErrors = diagnostics.contains { $0.severity == .error }
        return WorkoutReading(hasErrors ? nil : plan, diagnostics)
    }

    private mutating func parts(_ element: XMLElement) -> [Plan.Part] {
        if isOwn, cadence == nil {
            cadence = element.children.lazy.compactMap { $0.attributes["message"].flatMap(ZwiftPower.cadence) }.first
        }
        switch element.name {
        case "warmup": return single(element, .warmUp)
        case "cooldown": return single(element, .coolDown)
        case "steadystate", "solidstate", "ramp", "freeride", "freerun", "maxeffort":
            let power = number(element, "power").flatMap { $0 < ZwiftPower.walking ? Interval.Kind.walk : nil }
            return single(element, element.name == "steadystate" ? power ?? .run : .run)
        case "intervalst":
            guard let count = number(element, "repeat"), count == count.rounded(), (1...10_000).contains(count) else {
                say(.error, "an IntervalsT needs Repeat, a whole number from 1 to 10000", at: element.offset)
                return []
            }
            guard let on = measure(element, "onduration"), let off = measure(element, "offduration") else { return [] }
            let power = number(element, "offpower") ?? number(element, "poweroffhigh") ?? 0.5
            let isWalk = power < ZwiftPower.walking
            let between = isOwn && power < 0.4 ? Interval.Kind.rest : isWalk ? .walk : .run
            return [
                .group(
                    Int(count),
                    [
                        .interval(Interval(.run, paced(on, element, "onpower"))),
                        .interval(Interval(between, paced(off, element, "offpower"), label: isWalk ? "" : "Easy")),
                    ])
            ]
        case "textevent", "textnotification": return []
        default:
            say(.warning, "<\(element.name)> is left out: it is an unknown kind of interval", at: element.offset)
            return []
        }
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
            let told = ZwiftPower.told(message)
            let steady = element.name == "steadystate" ? power.map(ZwiftPower.kind) ?? kind : kind
            let measure = paced(measure, element, element.name == "steadystate" ? "power" : "powerlow")
            return [.interval(Interval(told?.kind ?? steady, measure, label: told?.label ?? message))]
        }
        // If the message at the very start is the name of a kind, it decides the kind; other messages are only for the
        // screen.
        return [.interval(Interval(named?.label == "" ? named?.kind ?? kind : kind, measure))]
    }

    /// The measure with the pace that the power of an element of Barline stands for.
    private func paced(_ measure: Interval.Measure, _ element: XMLElement, _ key: String) -> Interval.Measure {
        guard let threshold, element.attributes["pace"] != nil,
            let pace = number(element, key).flatMap(threshold.pace)
        else { return measure }
        let run: Run? =
            switch measure {
            case .time(let time): try? Run(time, at: pace)
            case .distance(let distance): try? Run(distance, at: pace)
            case .run(let run): run
            }
        return run.map { .run($0) } ?? measure
    }

    private mutating func measure(_ element: XMLElement, _ key: String) -> Interval.Measure? {
        guard let value = number(element, key) else {
            say(.error, "<\(element.name)> needs a number as its \(key)", at: element.offset)
            return nil
        }
        let (distance, time) = (Distance(meters: value), Duration(inSeconds: value))
        if isDistance, distance.isValid { return .distance(distance) }
        if !isDistance, Run.timeRange.contains(time) { return .time(time) }
        say(
            .error, "the \(key) is out of range", hint: isDistance ? "it is in meters" : "it is in seconds",
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
