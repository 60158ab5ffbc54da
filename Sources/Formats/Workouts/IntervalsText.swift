internal import Languages
internal import Running
internal import Scores

/// The workout text of intervals.icu: `- [cue] duration target`, blocks between blank lines, `6x` before a block.
///
/// In this format `m` is minutes and `mtr` meters. Targets of power and cadence do not change the length and are left out.
enum IntervalsText {
    /// The share of the first lines that are steps with a duration, or headings without punctuation; 0 if there is no
    /// step.
    static func fit(_ bytes: [UInt8]) -> Double {
        let lines = String(decoding: bytes.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty }
        let steps = lines.count { line in
            line.hasPrefix("-")
                && line.dropFirst().split(separator: " ").contains { word in
                    if case .some(.some) = measure(word) { true } else { false }
                }
        }
        let headings = lines.count { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " } }
        return steps == 0 ? 0 : Double(steps + headings) / Double(lines.count)
    }

    // MARK: - Reading

    static func read(_ bytes: [UInt8], _ file: String) -> Document {
        var reader = Reader(bytes: SourceText(bytes, file: file).bytes, file: file)
        return reader.read()
    }

    private struct Reader {
        let bytes: [UInt8]
        let file: String
        var diagnostics: [Diagnostic] = []
        var plan = Plan()
        var block: [Plan.Part] = []
        var count = 1
        var kind: Interval.Kind?
        var leftOut = Losses()
        /// Where each interval is written.
        var places: [Range<Int>] = []

        mutating func read() -> Document {
            for range in TextLines(bytes) { line(range) }
            close()
            if plan.parts.isEmpty, diagnostics.isEmpty {
                say(localized("the workout has no step"), hint: localized("for example - 10m 5:30/km Pace"), at: 0..<0)
            } else if diagnostics.isEmpty {
                do throws(PlanError) { _ = try PlanTable(plan) } catch {
                    say(
                        error.textError.message, hint: error.textError.hint,
                        at: error.written.map { places[$0] } ?? 0..<0)
                }
            }
            let isValid = diagnostics.isEmpty
            if isValid, let message = leftOut.leftOut { diagnostics.append(Diagnostic(.warning, message, file: file)) }
            return Document(file, plan: isValid ? plan : nil, diagnostics, text: bytes, places: places)
        }

        /// Ends a block; a block that is repeated becomes a group.
        private mutating func close() {
            if !block.isEmpty { plan.parts += count == 1 ? block : [.group(count, block)] }
            (block, count) = ([], 1)
        }

        private mutating func line(_ range: Range<Int>) {
            let text = String(decoding: bytes[range], as: UTF8.self)
            let trimmed = text.drop { $0.isWhitespace }
            if trimmed.allSatisfy(\.isWhitespace) {
                // There may be a blank line between a heading with a count and its block.
                if !block.isEmpty { close() }
                return
            }
            guard trimmed.hasPrefix("-") else { return heading(String(trimmed), range) }
            var words = trimmed.dropFirst().split(whereSeparator: { $0.isWhitespace })
            let isOpen = IntervalsText.takePressLap(&words)
            var cue: [Substring] = []
            for (index, word) in words.enumerated() {
                guard let measure = IntervalsText.measure(word) else {
                    cue.append(word)
                    continue
                }
                guard case .some(let valid) = measure else {
                    return say(localized("'\(word)' is out of range"), at: range)
                }
                return add(interval(cue, valid, words[(index + 1)...], isOpen: isOpen), range)
            }
            if isOpen { return add(interval(cue, .open(OpenEnd()), [], isOpen: true), range) }
            say(
                localized("the step has no duration"), hint: localized("for example 30s, 10m, 1m30, 2km or 400mtr"),
                at: range)
        }

        private mutating func add(_ interval: Interval, _ range: Range<Int>) {
            block.append(.interval(interval))
            places.append(range)
        }

        /// `6x`, `Main Set 6x`, `Warmup`.
        private mutating func heading(_ text: String, _ range: Range<Int>) {
            close()
            kind = WorkoutWords.meaning(text).kind.flatMap { $0 == .warmUp || $0 == .coolDown ? $0 : nil }
            let words = text.split(whereSeparator: { $0.isWhitespace })
            guard let last = words.last?.lowercased(), last.hasSuffix("x"), let count = Int(last.dropLast()) else {
                if kind == nil { leftOut.note(localized("text that is not a step")) }
                return
            }
            if words.count > 1, kind == nil { leftOut.note(localized("text that is not a step")) }
            guard Plan.countRange.contains(count) else {
                return say(localized("a block must be repeated 1 to 10 000 times"), at: range)
            }
            self.count = count
        }

        private mutating func interval(
            _ cue: [Substring], _ measure: Interval.Measure, _ targets: ArraySlice<Substring>, isOpen: Bool
        ) -> Interval {
            let name = WorkoutWords.meaning(cue.joined(separator: " "))
            let kind = name.kind ?? kind ?? .run
            let target = IntervalsText.target(Array(targets))
            if target.hasMore { leftOut.note(localized("targets and text after a duration, other than a pace")) }
            let paced = target.pace.map(measure.paced) ?? measure
            guard isOpen else { return Interval(kind, paced, label: name.label, effort: target.effort) }
            let about = Interval(kind, paced).known(at: nil).time
            if about == nil, case .distance = measure {
                leftOut.note(localized("the distance of a step until the lap button"))
            }
            return Interval(
                kind, .open(OpenEnd(about: about, pace: target.pace)), label: name.label, effort: target.effort)
        }

        private mutating func say(_ message: String, hint: String? = nil, at range: Range<Int>) {
            guard diagnostics.count < 20 else { return }
            diagnostics.append(
                Problem(range, TextError(message, hint: hint)).diagnostic(in: bytes, file: file))
        }
    }

    /// Takes the words `press lap` out of a step, which make its duration a mere estimate; returns whether they were in it.
    private static func takePressLap(_ words: inout [Substring]) -> Bool {
        let places = words.indices.dropLast().filter {
            words[$0].lowercased() == "press" && words[$0 + 1].lowercased() == "lap"
        }
        guard let place = places.first else { return false }
        words.removeSubrange(place...place + 1)
        return true
    }

    /// Reads a duration or distance of intervals.icu: `30s`, `10m`, `1m30`, `1h`, `1'30"`, `2km`, `1.5mi`, `500mtr`.
    /// Nil if the word is something else; a nil measure if it is out of range.
    private static func measure(_ word: Substring) -> Interval.Measure?? {
        var (seconds, rest, hasUnit, last) = (0.0, word, false, 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard digits.count <= 12, let number = Double(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !$0.isNumber }.lowercased()
            rest = rest.dropFirst(unit.count)
            switch unit {
            case "km", "k", "mi", "mtr", "mtrs":
                guard !hasUnit, rest.isEmpty else { return nil }
                let meters = number * (unit == "mi" ? 1609.344 : unit.hasPrefix("k") ? 1000 : 1)
                return .some(Distance(meters: meters).isValid ? .distance(Distance(meters: meters)) : nil)
            case "h": (seconds, last) = (seconds + number * 3600, 3600)
            case "m", "min", "'", "′": (seconds, last) = (seconds + number * 60, 60)
            case "s", "sec", "\"", "″": (seconds, last) = (seconds + number, 1)
            // A number without a unit after hours or minutes.
            case "" where last == 3600: seconds += number * 60
            case "" where last == 60: seconds += number
            default: return nil
            }
            hasUnit = true
        }
        guard hasUnit else { return nil }
        let time = Duration(inSeconds: (seconds * 1000).rounded() / 1000)
        return .some(Run.timeRange.contains(time) ? .time(time) : nil)
    }

    /// Reads the target among the words after a duration: `5:00/km Pace`, `78-82% Pace`, `ramp 60-80% Pace`, `Z2 HR`. A share
    /// or a zone without a word after it is one of power. `hasMore` tells that other words are left.
    private static func target(_ words: [Substring]) -> (pace: Pace?, effort: Effort?, hasMore: Bool) {
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1].lowercased() : ""
            let suffix = ["pace", "hr", "lthr"].contains(next) ? next : ""
            let isRamp = index > 0 && words[index - 1].lowercased() == "ramp"
            let count = 1 + (suffix.isEmpty ? 0 : 1) + (isRamp ? 1 : 0)
            if suffix != "hr", suffix != "lthr", !isRamp, let pace = try? Pace(runText: String(word)) {
                return (pace, nil, words.count > count)
            }
            let text = String(isRamp ? word.replacing("-", with: " to ", maxReplacements: 1) : word)
            guard let effort = try? Demands(runText: suffix == "pace" ? text : "\(text) \(suffix)")?.effort,
                effort.scale == .speed || effort.scale == .heartRate || !suffix.isEmpty
            else { continue }
            return (nil, effort, words.count > count)
        }
        return (nil, nil, !words.isEmpty)
    }

    // MARK: - Writing

    static func write(_ plan: Plan, _ losses: inout Losses) throws(TextError) -> [UInt8] {
        if let index = plan.written.firstIndex(where: { $0.isOpen && plan.extent($0).time == nil }) {
            throw TextError(.open(index), plan)
        }
        for interval in plan.written { note(interval, plan, &losses) }
        _ = try plan.rows()
        var blocks: [String] = []
        var loose: [String] = []
        for part in plan.parts {
            switch part {
            case .interval(let interval): loose.append(line(interval, plan))
            case .group(let count, let parts):
                if !loose.isEmpty { blocks.append(loose.joined()) }
                loose = []
                // Blocks do not nest: groups within a group are written out.
                blocks.append("\(count)x\n" + parts.unfolded.map { line($0, plan) }.joined())
            }
        }
        if !loose.isEmpty { blocks.append(loose.joined()) }
        return Array(blocks.joined(separator: "\n").utf8)
    }

    /// Notes what the line of an interval does not carry.
    private static func note(_ interval: Interval, _ plan: Plan, _ losses: inout Losses) {
        let pace = plan.extent(interval).pace
        var paces = [pace]
        if let effort = interval.effort {
            let ends = effort.paces(nil)
            paces = [ends?.first, ends?.last]
            if effort.scale == .heartRate {
                losses.note(localized("a heart rate in beats becomes a text"), in: interval)
            }
            if !effort.isPace, pace != nil {
                losses.note(localized("the pace beside a heart rate is left out"), in: interval)
            }
        }
        if paces.contains(where: { pace in
            guard let seconds = pace?.value(in: .perKilometer) else { return false }
            return (seconds - seconds.rounded()).magnitude > 0.001
        }) {
            losses.note(localized("a pace is rounded to whole seconds per kilometer"), in: interval)
        }
        if interval.label.split(whereSeparator: { $0.isWhitespace }).contains(where: { measure($0) != nil }) {
            losses.note(localized("words of a label that look like a time or distance are left out"), in: interval)
        }
        var words = interval.label.split(whereSeparator: { $0.isWhitespace })
        if takePressLap(&words) { losses.note(localized("the words press lap of a label are left out"), in: interval) }
    }

    private static func line(_ interval: Interval, _ plan: Plan) -> String {
        let extent = plan.extent(interval)
        let isDistance = interval.measure.endsByDistance
        let length = isDistance ? length(extent.distance ?? .zero) : length(extent.time ?? .zero)
        let target = interval.effort.map(text) ?? extent.pace.map { "\(text($0)) Pace" }
        // The kind is the cue. Words of the label that would be read as a duration are left out.
        var label = interval.label.split(whereSeparator: { $0.isWhitespace }).filter { measure($0) == nil }
        while takePressLap(&label) {}
        let name = label.isEmpty ? "" : " " + label.joined(separator: " ")
        return
            "- \(interval.kind.name)\(name) \(length)\(target.map { " " + $0 } ?? "")\(interval.isOpen ? " press lap" : "")\n"
    }

    private static func text(_ pace: Pace) -> String { pace.text(in: .perKilometer).filter { $0 != " " } }

    /// A target such as `78-82% Pace`, `ramp 60-80% Pace` or `Z2 HR`.
    private static func text(_ effort: Effort) -> String {
        var text = effort.text
        if effort.scale == .speed, let (first, last) = effort.paces(nil) {
            text = "\(self.text(first).replacing("/km", with: ""))-\(self.text(last))"
        }
        // A ramp has its unit once.
        if effort.isRamp {
            text = text.replacing("% to ", with: "-").replacing(" bpm to ", with: "-").replacing(" to ", with: "-")
        }
        text = (effort.isRamp ? "ramp " : "") + text.replacing(" bpm", with: "bpm")
        return effort.isPace ? text + " Pace" : text
    }

    private static func length(_ distance: Distance) -> String {
        let meters = distance.meters
        let isKilometers = meters >= 1000 && (meters / 10).rounded() * 10 == meters
        return isKilometers ? distance.text(in: .kilometers).filter { $0 != " " } : "\(number(meters))mtr"
    }

    private static func length(_ time: Duration) -> String {
        let seconds = time.inSeconds
        let whole = Int(seconds)
        if Double(whole) != seconds { return "\(number(seconds))s" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let parts = [hours > 0 ? "\(hours)h" : "", minutes > 0 ? "\(minutes)m" : "", rest > 0 ? "\(rest)s" : ""]
        return parts.joined()
    }

    private static func number(_ value: Double) -> String {
        var text = Duration(inSeconds: value).seconds(decimals: 3)
        while text.hasSuffix("0") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
