internal import Languages
internal import Scores

/// The grammar of plans.
struct PlanReader {
    var scanner: TextCursor
    var plan: Plan
    var faults: [Problem] = []
    var notes: [Problem] = []
    var places: [Range<Int>] = []
    var remarkPlaces: [Range<Int>] = []
    var set: Set<String> = []
    private static let faultLimit = 20

    init(_ bytes: [UInt8], settings: Plan = Plan()) {
        scanner = TextCursor(commented: bytes.unmarked)
        plan = settings
    }

    mutating func read(isDraft: Bool) -> PlanReading {
        plan.parts = parts(depth: 0)
        if faults.isEmpty {
            do throws(PlanError) {
                let table = try PlanTable(plan)
                // The texts that all workouts of a plan of weeks share come first, and have no place here.
                for (remark, place) in zip(plan.remarks.suffix(remarkPlaces.count), remarkPlaces) where !isDraft {
                    guard let unspoken = plan.unspoken(remark, in: table) else { continue }
                    let problem = Problem(place, unspoken.why)
                    if unspoken.isFault { faults.append(problem) } else { notes.append(problem) }
                }
            } catch {
                let place = error.written.map { places[$0] } ?? 0..<0
                if !isDraft || error.written == nil { faults.append(Problem(place, error.textError)) }
            }
        }
        faults.sort { $0.range.lowerBound < $1.range.lowerBound }
        var reading = PlanReading(faults.isEmpty ? plan : nil, faults: faults, places: places + remarkPlaces)
        reading.notes = Array(notes.prefix(PlanReader.faultLimit))
        return reading
    }

    /// Reads a text that has only settings; intervals in it are no fault, and have their places.
    mutating func readSettings() -> PlanReading {
        plan.parts = parts(depth: 0)
        var reading = PlanReading(plan, faults: faults, places: places)
        reading.notes = notes
        return reading
    }

    mutating func fit() -> Double {
        _ = parts(depth: 0)
        let valid = places.count + set.count + plan.remarks.count
        return valid == 0 ? 0 : Double(valid) / Double(valid + faults.count)
    }

    /// Reads parts up to the end, or to the parenthesis that closes their group.
    mutating func parts(depth: Int) -> [Plan.Part] {
        var parts: [Plan.Part] = []
        // The end of a part like 8x400m, and the part.
        var bare: (end: Int, part: Plan.Part)?
        while faults.count < PlanReader.faultLimit {
            scanner.skipBlanks(lines: true)
            guard let next = scanner.next else { break }
            if next == UInt8(ascii: ")") {
                if depth > 0 { break }
                faults.append(Problem(scanner.token(), localized("this parenthesis closes no group")))
                scanner.position += 1
                continue
            }
            if next == UInt8(ascii: ",") || next == UInt8(ascii: ";") {
                scanner.position += 1
                continue
            }
            do throws(Problem) {
                let isSetting = scanner.isAtRemark ? try remark(depth: depth) : depth == 0 ? try setting() : false
                if !isSetting {
                    let start = scanner.position
                    let part = try part(depth: depth)
                    parts.append(part)
                    if let bare { noteRest(part, at: start, after: bare) }
                    let isBare = !scanner.bytes[start..<scanner.position].contains(UInt8(ascii: "("))
                    bare = isBare ? (scanner.position, part) : nil
                }
                try separator()
            } catch {
                faults.append(error)
                scanner.skip(to: ",;\r\n)")
            }
        }
        return parts
    }

    /// Notes a rest or walk that follows `8x400m` on the same line, and so comes once: many mean one after each.
    mutating func noteRest(_ part: Plan.Part, at start: Int, after bare: (end: Int, part: Plan.Part)) {
        guard case .group(let count, let repeated) = bare.part, count > 1, repeated.allSatisfy({ $0.isAll(.run) }),
            case .interval(let interval) = part, interval.kind == .rest || interval.kind == .walk,
            !scanner.bytes[bare.end..<start].contains(where: { $0 == 0x0A || $0 == 0x0D })
        else { return }
        let both = (repeated + [part]).map(\.text).joined(separator: ", ")
        let range = places.last ?? start..<scanner.position
        notes.append(
            Problem(
                range,
                interval.kind == .rest
                    ? localized("this rest comes once, after all \(count)")
                    : localized("this walk comes once, after all \(count)"),
                hint: localized("for one after each, write \(count)x(\(both))")))
    }

    mutating func separator() throws(Problem) {
        scanner.skipBlanks()
        guard let next = scanner.next, !",;\r\n)".utf8.contains(next) else { return }
        throw Problem(
            scanner.token(), localized("expected a comma or a new line"),
            hint: localized("for example run 0:30, walk 0:30"))
    }

    // MARK: - Intervals and groups

    mutating func part(depth: Int) throws(Problem) -> Plan.Part {
        let start = scanner.position
        guard let count = count() else {
            if scanner.accept("(") { return try group(1, from: start, depth: depth) }
            return .interval(try interval())
        }
        scanner.skipBlanks(lines: true)
        if scanner.accept("(") { return try group(count, from: start, depth: depth) }
        return .group(count, [.interval(try interval())])
    }

    /// Reads `10x`; nil if there is none.
    mutating func count() -> Int? {
        var ahead = scanner
        ahead.skipDigits()
        let number = scanner.position..<ahead.position
        guard !number.isEmpty else { return nil }
        ahead.skipBlanks()
        guard ahead.accept("x") || ahead.accept("\u{D7}") || ahead.accept("*") else { return nil }
        scanner.position = ahead.position
        guard let count = Int(scanner.text(number)), Plan.countRange.contains(count) else {
            // What is repeated is read all the same.
            faults.append(Problem(number, localized("a group must be repeated 1 to 10 000 times")))
            return 1
        }
        return count
    }

    mutating func group(_ count: Int, from start: Int, depth: Int) throws(Problem) -> Plan.Part {
        let opening = start..<scanner.position
        guard depth < Plan.depthLimit else {
            // Groups nested this deep make no sense: stop reading.
            scanner.position = scanner.bytes.count
            throw Problem(opening, localized("groups can be nested at most 16 deep"))
        }
        let before = faults.count
        let parts = parts(depth: depth + 1)
        guard scanner.accept(")") else {
            if faults.count > before { return .group(count, parts) }
            throw Problem(
                opening, localized("the group that opens here is never closed"), hint: localized("write a ) after it"))
        }
        guard !parts.isEmpty || faults.count > before else {
            throw Problem(
                opening, localized("the group is empty"), hint: localized("for example 10x(run 0:30, walk 0:30)"))
        }
        return .group(count, parts)
    }

    mutating func interval() throws(Problem) -> Interval {
        let start = scanner.position
        var named = try kind()
        if named != nil { _ = scanner.accept(word: "for") }
        scanner.skipBlanks()
        var label = try label()
        scanner.skipBlanks()
        if scanner.isAtOpenEnd {
            let open = try scanner.openEnd()
            let end = scanner.position
            try nameAfter(&named, &label)
            places.append(start..<end)
            return Interval(
                named?.kind ?? .run, .open(open.end), label: label ?? named?.label ?? "", open.demands)
        }
        let first = try scanner.quantity()
        var second: TextCursor.Found?
        var demands = try scanner.demands()
        var ahead = scanner
        ahead.skipBlanks()
        let isAt = ahead.accept("@") || ahead.accept(word: "at")
        let isJoined = isAt || ahead.accept(word: "in")
        ahead.skipBlanks()
        if demands.isEmpty, isJoined || ahead.isAtQuantity {
            scanner.position = ahead.position
            let written = try scanner.quantity()
            let meant = isAt ? try scanner.meant(by: written, at: first) : (second: written, note: nil)
            second = meant.second
            if let note = meant.note { notes.append(note) }
            let start = scanner.position
            demands = try scanner.demands()
            if demands.hasPace {
                throw Problem(
                    start..<scanner.position, localized("the pace is given twice"),
                    hint: localized("of time, distance and pace, give two; a heart rate may follow"))
            }
        }
        if !demands.isEmpty, case .pace = first.value {
            throw Problem(
                first.range, demands.hasPace ? localized("the pace is given twice") : Run.Quantity.time.says.isNot)
        }
        let end = scanner.position
        try nameAfter(&named, &label)
        let measure = try measure(first, second)
        places.append(start..<end)
        return Interval(named?.kind ?? .run, measure, label: label ?? named?.label ?? "", demands)
    }

    /// Reads a kind and a label that come after the measure of an interval, as in `0:30 run "Hill"`.
    mutating func nameAfter(
        _ named: inout (kind: Interval.Kind, label: String)?, _ label: inout String?
    ) throws(Problem) {
        let end = scanner.position
        scanner.skipBlanks()
        if named == nil, !scanner.word().isEmpty { named = try kind() }
        scanner.skipBlanks()
        if let late = try self.label() { label = late } else if named == nil { scanner.position = end }
    }

    func measure(
        _ first: TextCursor.Found, _ second: TextCursor.Found?
    ) throws(Problem) -> Interval.Measure {
        if let second { return .run(try Run(first, second)) }
        switch first.value {
        case .time(let time): return .time(time)
        case .distance(let distance): return .distance(distance)
        case .pace:
            throw Problem(
                first.range, localized("an interval needs a time or a distance, not only a pace"),
                hint: localized("for example 400m @ 5:00/km"))
        }
    }

    /// Reads the kind of an interval; nil if a quantity comes next.
    mutating func kind() throws(Problem) -> (kind: Interval.Kind, label: String)? {
        let word = scanner.word()
        guard !word.isEmpty, !scanner.isAtQuantity, !scanner.isAtOpenEnd else { return nil }
        let text = scanner.text(word).lowercased()
        guard let named = Interval.Kind.typed[text] else {
            let nearest = Suggestion.nearest(to: text, in: Interval.Kind.typed.keys.sorted())
            throw Problem(
                word, localized("\(TextError.shown(scanner.text(word))) is not a kind of interval"),
                hint: nearest.map { localized("did you mean '\($0)'?") }
                    ?? Interval.Kind.hint)
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        if text == "warm" { _ = scanner.accept(word: "up") }
        if text == "cool" { _ = scanner.accept(word: "down") }
        scanner.skipBlanks()
        return named
    }

    /// Reads a label in quotes; nil if there is none.
    mutating func label() throws(Problem) -> String? { try quoted(localized("a label")) }

    mutating func quoted(_ what: String) throws(Problem) -> String? {
        let start = scanner.position
        guard scanner.accept("\"") else { return nil }
        let inside = scanner.position
        scanner.skip(to: "\"\r\n")
        let text = scanner.text(inside..<scanner.position)
        guard scanner.accept("\"") else {
            throw Problem(start..<scanner.position, localized("the quote that opens here is never closed"))
        }
        return try PlanWords.name(text, start..<scanner.position, what)
    }
}
