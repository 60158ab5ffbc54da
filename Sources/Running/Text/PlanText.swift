internal import Scores

/// The result of reading the text of a plan.
public struct PlanReading: Sendable {
    /// The plan; nil if and only if there are faults.
    public var plan: Plan?
    /// The faults, in order of place, at most 20.
    public var faults: [RunTextFault] = []
    /// How parts were understood that may not mean what their author wanted; at most 20.
    public var notes: [RunTextFault] = []
    /// The place of each written interval, for errors that are found later.
    public var places: [Range<Int>] = []

    /// Makes a reading for a plan that has no text.
    public init(_ plan: Plan? = nil, faults: [RunTextFault] = [], places: [Range<Int>] = []) {
        (self.plan, self.faults, self.places) = (plan, faults, places)
    }
}

extension Plan {
    /// Reads a plan: intervals, groups and settings, with commas or line ends between them.
    ///
    /// For example `10x(run 0:30, walk 0:30), walk 1:00`; the page on running has the whole grammar. Never traps,
    /// whatever the bytes are.
    ///
    /// A draft may leave out paces that are to be found or set later: an unknown time or distance is no fault in it.
    public static func read(_ bytes: [UInt8], isDraft: Bool = false) -> PlanReading {
        var reader = PlanReader(bytes)
        return reader.read(isDraft: isDraft)
    }

    /// Reads a plan that begins with the settings of another one, and can change them.
    static func read(_ bytes: [UInt8], isDraft: Bool, settings: Plan) -> PlanReading {
        var reader = PlanReader(bytes, settings: settings)
        return reader.read(isDraft: isDraft)
    }

    /// Reads a text that has only settings; intervals in it are no fault, and have their places.
    static func readSettings(_ bytes: [UInt8]) -> PlanReading {
        var reader = PlanReader(bytes)
        return reader.readSettings()
    }

    /// Whether a word is the name of a setting, which stands before a colon.
    static func isSetting(_ word: String) -> Bool {
        let name = word.lowercased()
        return PlanWords.settings.contains(name) || PlanWords.kinds[name] != nil
    }

    /// How well the beginning of a text fits a plan: the share of its intervals and settings that are valid, 0...1.
    package static func fit(_ bytes: [UInt8]) -> Double {
        var reader = PlanReader(bytes)
        return reader.fit()
    }

    /// Reads a plan; throws the first fault.
    public init(runText text: String) throws(RunTextFault) {
        let reading = Plan.read(Array(text.utf8))
        if let fault = reading.faults.first { throw fault }
        self = reading.plan ?? Plan()
    }
}

/// The grammar of plans.
private struct PlanReader {
    private var scanner: RunScanner
    private var plan: Plan
    private var faults: [RunTextFault] = []
    private var notes: [RunTextFault] = []
    private var places: [Range<Int>] = []
    private var remarkPlaces: [Range<Int>] = []
    private var set: Set<String> = []
    private static let faultLimit = 20

    init(_ bytes: [UInt8], settings: Plan = Plan()) {
        scanner = RunScanner(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        plan = settings
    }

    mutating func read(isDraft: Bool) -> PlanReading {
        plan.parts = parts(depth: 0)
        if faults.isEmpty {
            do throws(PlanError) {
                let table = try PlanTable(plan)
                for (remark, place) in zip(plan.remarks, remarkPlaces) { check(remark, place, table, isDraft) }
            } catch {
                let place = error.written.map { places[$0] } ?? 0..<0
                if !isDraft || error.written == nil { faults.append(RunTextFault(place, error.textError)) }
            }
        }
        faults.sort { $0.range.lowerBound < $1.range.lowerBound }
        var reading = PlanReading(faults.isEmpty ? plan : nil, faults: faults, places: places)
        reading.notes = Array(notes.prefix(PlanReader.faultLimit))
        return reading
    }

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
    private mutating func parts(depth: Int) -> [Plan.Part] {
        var parts: [Plan.Part] = []
        // The end of a part like 8x400m, and the part.
        var bare: (end: Int, part: Plan.Part)?
        while faults.count < PlanReader.faultLimit {
            scanner.skipBlanks(lines: true)
            guard let next = scanner.next else { break }
            if next == UInt8(ascii: ")") {
                if depth > 0 { break }
                fault(RunTextFault(scanner.token(), "this parenthesis closes no group"))
                scanner.position += 1
                continue
            }
            if next == UInt8(ascii: ",") || next == UInt8(ascii: ";") {
                scanner.position += 1
                continue
            }
            do throws(RunTextFault) {
                let isSetting = scanner.isAtRemark ? try remark(depth: depth) : depth == 0 ? try setting() : false
                if !isSetting {
                    let start = scanner.position
                    let part = try part(depth: depth)
                    parts.append(part)
                    if let bare { noteRest(part, at: start, after: bare) }
                    let isBare = !scanner.bytes[start..<scanner.position].contains(UInt8(ascii: "("))
                    bare = isBare ? (scanner.position, part) : nil
                }
                try separator(depth: depth)
            } catch {
                fault(error)
                recover()
            }
        }
        return parts
    }

    /// Notes a rest or walk that follows `8x400m` on the same line, and so comes once: many mean one after each.
    private mutating func noteRest(_ part: Plan.Part, at start: Int, after bare: (end: Int, part: Plan.Part)) {
        guard case .group(let count, let repeated) = bare.part, count > 1, repeated.allSatisfy({ $0.isAll(.run) }),
            case .interval(let interval) = part, interval.kind == .rest || interval.kind == .walk,
            !scanner.bytes[bare.end..<start].contains(where: { $0 == 0x0A || $0 == 0x0D })
        else { return }
        let both = (repeated + [part]).map(\.text).joined(separator: ", ")
        let range = places.last ?? start..<scanner.position
        notes.append(
            RunTextFault(
                range, "this \(interval.kind.rawValue) comes once, after all \(count)",
                hint: "for one after each, write \(count)x(\(both))"))
    }

    private mutating func fault(_ fault: RunTextFault) { faults.append(fault) }

    /// Skips to the next comma, line end or parenthesis.
    private mutating func recover() {
        while let next = scanner.next, !",;\r\n)".utf8.contains(next) { scanner.position += 1 }
    }

    private mutating func separator(depth: Int) throws(RunTextFault) {
        scanner.skipBlanks()
        guard let next = scanner.next, !",;\r\n".utf8.contains(next), !(next == UInt8(ascii: ")")) else { return }
        throw RunTextFault(
            scanner.token(), "expected a comma or a new line", hint: "for example run 0:30, walk 0:30")
    }

    // MARK: - Intervals and groups

    private mutating func part(depth: Int) throws(RunTextFault) -> Plan.Part {
        let start = scanner.position
        guard let count = try count() else {
            if scanner.accept("(") { return try group(1, from: start, depth: depth) }
            return .interval(try interval())
        }
        scanner.skipBlanks(lines: true)
        if scanner.accept("(") { return try group(count, from: start, depth: depth) }
        return .group(count, [.interval(try interval())])
    }

    /// Reads `10x`; nil if there is none.
    private mutating func count() throws(RunTextFault) -> Int? {
        var ahead = scanner
        while let byte = ahead.next, RunScanner.isDigit(byte) { ahead.position += 1 }
        let number = scanner.position..<ahead.position
        guard !number.isEmpty else { return nil }
        ahead.skipBlanks()
        guard ahead.accept("x") || ahead.accept("X") || ahead.accept("\u{D7}") || ahead.accept("*") else { return nil }
        scanner.position = ahead.position
        guard let count = Int(scanner.text(number)), Plan.countRange.contains(count) else {
            throw RunTextFault(number, "a group must be repeated 1 to 10 000 times")
        }
        return count
    }

    private mutating func group(_ count: Int, from start: Int, depth: Int) throws(RunTextFault) -> Plan.Part {
        let opening = start..<scanner.position
        guard depth < Plan.depthLimit else {
            // Groups nested this deep make no sense: stop reading.
            scanner.position = scanner.bytes.count
            throw RunTextFault(opening, "groups can be nested at most 16 deep")
        }
        let before = faults.count
        let parts = parts(depth: depth + 1)
        guard scanner.accept(")") else {
            if faults.count > before { return .group(count, parts) }
            throw RunTextFault(opening, "the group that opens here is never closed", hint: "write a ) after it")
        }
        guard !parts.isEmpty || faults.count > before else {
            throw RunTextFault(opening, "the group is empty", hint: "for example 10x(run 0:30, walk 0:30)")
        }
        return .group(count, parts)
    }

    private mutating func interval() throws(RunTextFault) -> Interval {
        let start = scanner.position
        var named = try kind()
        if named != nil { _ = scanner.accept(word: "for") }
        scanner.skipBlanks()
        var label = try label()
        scanner.skipBlanks()
        if scanner.isAtOpenEnd { return try openInterval(from: start, named, label) }
        let first = try scanner.quantity()
        var second: (value: RunQuantity, range: Range<Int>)?
        var ahead = scanner
        ahead.skipBlanks()
        let isAt = ahead.accept("@") || ahead.accept(word: "at")
        let isJoined = isAt || ahead.accept(word: "in")
        ahead.skipBlanks()
        if isJoined || ahead.isAtQuantity {
            scanner.position = ahead.position
            let written = try scanner.quantity()
            let meant = isAt ? try scanner.meant(by: written, at: first) : (second: written, note: nil)
            second = meant.second
            if let note = meant.note { notes.append(note) }
        }
        let end = scanner.position
        scanner.skipBlanks()
        if named == nil, !scanner.word().isEmpty { named = try kind() } else { scanner.position = end }
        scanner.skipBlanks()
        if let late = try self.label() { label = late } else if named == nil { scanner.position = end }
        let measure = try measure(first, second)
        places.append(start..<end)
        return Interval(named?.kind ?? .run, measure, label: label ?? named?.label ?? "")
    }

    private func measure(
        _ first: (value: RunQuantity, range: Range<Int>), _ second: (value: RunQuantity, range: Range<Int>)?
    ) throws(RunTextFault) -> Interval.Measure {
        guard let second else {
            switch first.value {
            case .time(let time): return .time(time)
            case .distance(let distance): return .distance(distance)
            case .pace:
                throw RunTextFault(
                    first.range, "an interval needs a time or a distance, not only a pace",
                    hint: "for example 400m @ 5:00/km")
            }
        }
        do throws(RunPairError) {
            return .run(try Run(first.value, second.value))
        } catch {
            throw error.fault(first.range, second.range)
        }
    }

    /// Reads the rest of `run until lap @ 5:00/km about 10:00`, from `until`.
    private mutating func openInterval(
        from start: Int, _ named: (kind: Interval.Kind, label: String)?, _ label: String?
    ) throws(RunTextFault) -> Interval {
        let end = try scanner.openEnd()
        let last = scanner.position
        scanner.skipBlanks()
        var (named, label) = (named, label)
        if named == nil, !scanner.word().isEmpty { named = try kind() }
        scanner.skipBlanks()
        if let late = try self.label() { label = late } else if named == nil { scanner.position = last }
        places.append(start..<last)
        return Interval(named?.kind ?? .run, .open(end), label: label ?? named?.label ?? "")
    }

    /// Reads the kind of an interval; nil if a quantity comes next.
    private mutating func kind() throws(RunTextFault) -> (kind: Interval.Kind, label: String)? {
        let word = scanner.word()
        guard !word.isEmpty, !scanner.isAtQuantity, !scanner.isAtOpenEnd else { return nil }
        let text = scanner.text(word).lowercased()
        guard let named = PlanWords.kinds[text] else {
            let nearest = Suggestion.nearest(to: text, in: PlanWords.kinds.keys.sorted())
            throw RunTextFault(
                word, "\(TextError.shown(scanner.text(word))) is not a kind of interval",
                hint: nearest.map { "did you mean '\($0)'?" } ?? "write run, walk, rest, warm-up or cool-down")
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        if text == "warm" { _ = scanner.accept(word: "up") }
        if text == "cool" { _ = scanner.accept(word: "down") }
        scanner.skipBlanks()
        return named
    }

    /// Reads a label in quotes; nil if there is none.
    private mutating func label() throws(RunTextFault) -> String? { try quoted("a label") }

    private mutating func quoted(_ what: String) throws(RunTextFault) -> String? {
        let start = scanner.position
        guard scanner.accept("\"") else { return nil }
        let inside = scanner.position
        while let byte = scanner.next, byte != UInt8(ascii: "\""), byte != 0x0A, byte != 0x0D { scanner.position += 1 }
        let text = scanner.text(inside..<scanner.position)
        guard scanner.accept("\"") else {
            throw RunTextFault(start..<scanner.position, "the quote that opens here is never closed")
        }
        return try PlanWords.name(text, start..<scanner.position, what)
    }

    // MARK: - Remarks

    /// Reads a text that is spoken, such as `at 30:00: "Drink"` or `every 1km: "Relax"`.
    private mutating func remark(depth: Int) throws(RunTextFault) -> Bool {
        let word = scanner.word()
        let isRepeated = scanner.text(word).lowercased() == "every"
        guard depth == 0 else {
            throw RunTextFault(
                word, "a text to speak belongs outside of groups", hint: "its time counts from the start of the plan")
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        let found = try scanner.quantity()
        let place: Plan.Remark.Place
        switch found.value {
        case .time(let time): place = .time(time)
        case .distance(let distance): place = .distance(distance)
        case .pace:
            throw RunTextFault(
                found.range, "a text is spoken at a time or a distance, not at a pace",
                hint: "for example at 30:00: \"Drink\"")
        }
        if isRepeated, !place.canRepeat {
            throw RunTextFault(found.range, "a text can be repeated every 10 s or 10 m, not more often")
        }
        scanner.skipBlanks()
        _ = scanner.accept(":")
        scanner.skipBlanks()
        guard let text = try quoted("a text to speak") else {
            throw RunTextFault(
                scanner.token(), "expected the text to speak, in quotes", hint: "for example at 30:00: \"Drink\"")
        }
        guard plan.remarks.count < Plan.remarkLimit else {
            throw RunTextFault(word, "a plan has at most \(Plan.remarkLimit) texts to speak")
        }
        remarkPlaces.append(word.lowerBound..<found.range.upperBound)
        plan.remarks.append(Plan.Remark(text, at: place, isRepeated: isRepeated))
        return true
    }

    /// Checks that a plan reaches the place of a remark.
    private mutating func check(_ remark: Plan.Remark, _ place: Range<Int>, _ table: PlanTable, _ isDraft: Bool) {
        switch remark.place {
        case .time(let time):
            guard !isDraft, !table.isEndless, let total = table.total.time, time >= total else { return }
            noteUnspoken(place, "at \(total.clock)")
        case .distance(let distance):
            guard let total = table.total.distance else {
                let row = table.rows.first { $0.extent.distance == nil }
                let interval = row.map { "'\($0.interval.text)'" } ?? "an interval"
                let fault = RunTextFault(
                    place, "the place of this text is unknown: \(interval) has no distance",
                    hint: "set a pace for its kind, as in run: 5:00/km")
                if !isDraft { faults.append(fault) }
                return
            }
            if !isDraft, !table.isEndless, distance >= total { noteUnspoken(place, "after \(total.exactText)") }
        }
    }

    private mutating func noteUnspoken(_ place: Range<Int>, _ end: String) {
        notes.append(RunTextFault(place, "this text is not spoken: the plan ends \(end)"))
    }

    // MARK: - Settings

    /// Reads a setting such as `run: 10:00/mi` or the length of the plan; false if an interval comes next.
    private mutating func setting() throws(RunTextFault) -> Bool {
        let word = scanner.word()
        let name = scanner.text(word).lowercased()
        if name == "forever" || name == "for" { return try length(word, name) }
        guard !word.isEmpty, word.upperBound < scanner.bytes.count, scanner.bytes[word.upperBound] == UInt8(ascii: ":")
        else { return false }
        scanner.position = word.upperBound + 1
        scanner.skipBlanks()
        let key = PlanWords.kinds[name].map(\.kind)
        guard set.insert(key?.rawValue ?? name).inserted else {
            throw RunTextFault(word, "'\(name)' is set a second time")
        }
        switch name {
        case "title":
            let start = scanner.position
            while let byte = scanner.next, byte != 0x0A, byte != 0x0D { scanner.position += 1 }
            plan.title = try PlanWords.name(scanner.text(start..<scanner.position), start..<scanner.position, "a title")
        case "count-in": plan.countIn = try countIn()
        case "cadence": plan.cadence = try cadence()
        case _ where key != nil:
            let found = try scanner.quantity()
            guard case .pace(let pace) = found.value else {
                throw RunTextFault(
                    found.range, "'\(name):' sets a pace, but this is a \(found.value.noun)",
                    hint: "for example \(name): 10:00/mi; an interval is written without the colon")
            }
            if let key { plan.paces[key] = pace }
        default:
            let keys = PlanWords.settings + Interval.Kind.allCases.map(\.rawValue)
            let nearest = Suggestion.nearest(to: name, in: keys)
            throw RunTextFault(
                word, "a plan has no setting \(TextError.shown(name))",
                hint: nearest.map { "did you mean '\($0)'?" } ?? "the settings are \(keys.joined(separator: ", "))")
        }
        return true
    }

    private mutating func length(_ word: Range<Int>, _ name: String) throws(RunTextFault) -> Bool {
        guard set.insert("for").inserted else { throw RunTextFault(word, "the length of the plan is given twice") }
        scanner.position = word.upperBound
        if name == "forever" {
            plan.length = .forever
            return true
        }
        scanner.skipBlanks()
        if scanner.accept(word: "ever") {
            plan.length = .forever
            return true
        }
        let found = try scanner.quantity()
        switch found.value {
        case .time(let time): plan.length = .time(time)
        case .distance(let distance): plan.length = .distance(distance)
        case .pace:
            throw RunTextFault(
                found.range, "the length of a plan must be a time or a distance", hint: "for example for 2:00:00")
        }
        return true
    }

    private mutating func countIn() throws(RunTextFault) -> Duration {
        let token = scanner.token()
        scanner.position = token.upperBound
        do {
            return try Duration(scoreText: scanner.text(token), as: .countIn)
        } catch {
            throw RunTextFault(token, error)
        }
    }

    private mutating func cadence() throws(RunTextFault) -> Int {
        let token = scanner.token()
        scanner.position = token.upperBound
        guard let steps = Int(scanner.text(token)), Plan.cadenceRange.contains(steps) else {
            throw RunTextFault(token, "a cadence must be 60 to 300 steps per minute", hint: "for example 170")
        }
        return steps
    }
}

/// The words of plans.
enum PlanWords {
    /// The settings, beside the paces of kinds.
    static let settings = ["title", "count-in", "cadence"]

    /// The largest number of Unicode scalars of a title or label.
    static let nameLimit = Score.textLimit

    /// The words for kinds, and the label for a word that is not the name of its kind.
    static let kinds: [String: (kind: Interval.Kind, label: String)] = [
        "run": (.run, ""), "running": (.run, ""), "jog": (.run, "Jog"), "easy": (.run, "Easy"),
        "long": (.run, "Long"),
        "tempo": (.run, "Tempo"), "hard": (.run, "Hard"), "fast": (.run, "Fast"), "sprint": (.run, "Sprint"),
        "walk": (.walk, ""), "walking": (.walk, ""), "rest": (.rest, ""), "stand": (.rest, "Stand"),
        "recover": (.rest, "Recover"), "recovery": (.rest, "Recover"), "warm-up": (.warmUp, ""),
        "warmup": (.warmUp, ""), "warm": (.warmUp, ""), "cool-down": (.coolDown, ""), "cooldown": (.coolDown, ""),
        "cool": (.coolDown, ""),
    ]

    /// Checks a title or label: not empty, one line of at most 200 characters.
    static func name(_ text: String, _ range: Range<Int>, _ what: String) throws(RunTextFault) -> String {
        let scalars = text.unicodeScalars
        let trimmed = String(
            text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        guard !trimmed.isEmpty else { throw RunTextFault(range, "\(what) cannot be empty", hint: "leave it out") }
        guard scalars.count <= Score.textLimit else { throw RunTextFault(range, "\(what) has at most 200 characters") }
        let isClean = scalars.allSatisfy { scalar in
            let category = scalar.properties.generalCategory
            return category != .control && category != .lineSeparator && category != .paragraphSeparator
        }
        guard isClean else { throw RunTextFault(range, "\(what) must be one line without control characters") }
        return trimmed
    }
}
