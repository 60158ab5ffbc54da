internal import Languages
internal import Scores

// The lines of a plan that are not intervals: settings, its length, and texts at times.
extension PlanReader {
    /// Reads a text that is spoken, such as `at 30:00: "Drink"` or `every 1km: "Relax"`.
    mutating func remark(depth: Int) throws(Problem) -> Bool {
        let word = scanner.word()
        let isRepeated = scanner.text(word).lowercased() == "every"
        guard depth == 0 else {
            throw Problem(
                word, localized("a text to speak belongs outside of groups"),
                hint: localized("its time counts from the start of the plan"))
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        let found = try scanner.quantity()
        let place: Plan.Remark.Place
        switch found.value {
        case .time(let time): place = .time(time)
        case .distance(let distance): place = .distance(distance)
        case .pace:
            throw Problem(
                found.range, localized("a text is spoken at a time or a distance, not at a pace"),
                hint: localized("for example at 30:00: \"Drink\""))
        }
        if isRepeated, !place.canRepeat {
            throw Problem(found.range, localized("a text can be repeated every 10 s or 10 m, not more often"))
        }
        scanner.skipBlanks()
        let scope = try scope()
        _ = scanner.accept(":")
        scanner.skipBlanks()
        guard let text = try quoted(localized("a text to speak")) else {
            throw Problem(
                scanner.token(), localized("expected the text to speak, in quotes"),
                hint: localized("for example at 30:00: \"Drink\""))
        }
        guard plan.remarks.count < Plan.remarkLimit else {
            throw Problem(word, localized("a plan has at most \(Plan.remarkLimit) texts to speak"))
        }
        remarkPlaces.append(word.lowerBound..<found.range.upperBound)
        plan.remarks.append(Plan.Remark(text, at: place, isRepeated: isRepeated, in: scope))
        return true
    }

    /// Reads the intervals in which a text is said, as in `every 10s in run: "tall"` or `at 0:30 in "Hill": "push"`; nil if
    /// it counts from the start of the plan.
    private mutating func scope() throws(Problem) -> Plan.Remark.Scope? {
        guard scanner.accept(word: "in") else { return nil }
        scanner.skipBlanks()
        let isEach = scanner.accept(word: "every", "each")
        scanner.skipBlanks()
        if isEach, scanner.accept(word: "interval") { return Plan.Remark.Scope(nil) }
        let start = scanner.position
        let named = try kind()
        scanner.skipBlanks()
        // A label is followed by the text; what no text follows is the text.
        let before = scanner
        if let label = try label() {
            scanner.skipBlanks()
            if scanner.next == UInt8(ascii: ":") || scanner.next == UInt8(ascii: "\"") {
                return Plan.Remark.Scope(named?.kind, label: label)
            }
            scanner = before
        }
        guard let named else {
            throw Problem(
                start..<scanner.token().upperBound, localized("expected the intervals in which the text is spoken"),
                hint: localized("for example every 10s in run: \"tall\""))
        }
        return Plan.Remark.Scope(named.kind, label: named.label)
    }

    // MARK: - Settings

    /// Reads a setting such as `run: 10:00/mi` or the length of the plan; false if an interval comes next.
    mutating func setting() throws(Problem) -> Bool {
        let word = scanner.word()
        let name = scanner.text(word).lowercased()
        if name == "forever" || name == "for" {
            plan.length = try length(word, name)
            return true
        }
        guard !word.isEmpty, word.upperBound < scanner.bytes.count, scanner.bytes[word.upperBound] == UInt8(ascii: ":")
        else { return false }
        scanner.position = word.upperBound + 1
        scanner.skipBlanks()
        let key = Interval.Kind.typed[name].map(\.kind)
        guard set.insert(key?.rawValue ?? name).inserted else {
            throw Problem(word, localized("'\(name)' is set a second time"))
        }
        switch name {
        case "title":
            let start = scanner.position
            scanner.skip(to: "\r\n")
            plan.title = try PlanWords.name(
                scanner.text(start..<scanner.position), start..<scanner.position, localized("a title"))
        case "count-in":
            let token = scanner.token()
            scanner.position = token.upperBound
            plan.countIn = try scanner.duration(token, as: .countIn)
        case "cadence": plan.cadence = try cadence()
        case "threshold": plan.threshold = try pace(of: name)
        case _ where key != nil:
            let pace = try pace(of: name)
            if let key { plan.paces[key] = pace }
        default:
            let keys = PlanWords.settings + Interval.Kind.allCases.map(\.rawValue)
            let nearest = Suggestion.nearest(to: name, in: keys)
            throw Problem(
                word, localized("a plan has no setting \(TextError.shown(name))"),
                hint: nearest.map { localized("did you mean '\($0)'?") }
                    ?? localized("the settings are \(keys.joined(separator: ", "))"))
        }
        return true
    }

    /// Reads the pace that a setting has.
    private mutating func pace(of name: String) throws(Problem) -> Pace {
        var ahead = scanner
        if let effort = try ahead.effort() {
            throw Problem(
                scanner.position..<ahead.position, localized("'\(name):' sets one pace, and not \(effort.text)"),
                hint: localized("for example \(name): 5:00/km; write a share or a range at each interval"))
        }
        let found = try scanner.quantity()
        guard case .pace(let pace) = found.value else {
            throw Problem(
                found.range,
                found.value.quantity == .time
                    ? localized("'\(name):' sets a pace, but this is a time")
                    : localized("'\(name):' sets a pace, but this is a distance"),
                hint: localized("for example \(name): 10:00/mi; an interval is written without the colon"))
        }
        return pace
    }

    mutating func length(_ word: Range<Int>, _ name: String) throws(Problem) -> Plan.Length {
        guard set.insert("for").inserted else {
            throw Problem(word, localized("the length of the plan is given twice"))
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        if name == "forever" || scanner.accept(word: "ever") { return .forever }
        let found = try scanner.quantity()
        switch found.value {
        case .time(let time): return .time(time)
        case .distance(let distance): return .distance(distance)
        case .pace:
            throw Problem(
                found.range, localized("the length of a plan must be a time or a distance"),
                hint: localized("for example for 2:00:00"))
        }
    }

    mutating func cadence() throws(Problem) -> Int {
        let token = scanner.token()
        scanner.position = token.upperBound
        guard let steps = Int(scanner.text(token)), Plan.cadenceRange.contains(steps) else {
            throw Problem(
                token, localized("a cadence must be 60 to 300 steps per minute"), hint: localized("for example 170"))
        }
        return steps
    }
}
