internal import Languages
internal import Scores

extension TrainingPlan {
    /// Reads a training plan: settings, and weeks such as `week 1: {tue: 3x(run 400m, walk 1:30), sun: long 10mi}`.
    ///
    /// The page on running has the whole grammar. Never traps, whatever the bytes are. A draft may leave out paces that
    /// are to be found or set later.
    package static func read(_ bytes: [UInt8], isDraft: Bool = false) -> PlanReading {
        var reader = TrainingPlanReader(bytes)
        return reader.read(isDraft: isDraft)
    }

    /// Whether a text has a week where a setting or an interval could be, so that it is a training plan and not a plan.
    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        var reader = TrainingPlanReader(bytes)
        return reader.findsWeek()
    }
}

/// The grammar of training plans. The text of each workout is left to the reader of plans.
private struct TrainingPlanReader {
    private var scanner: TextCursor
    /// The text without weeks and dates: the settings that all workouts share, at their places.
    private var settings: [UInt8]
    private var plan = TrainingPlan()
    private var faults: [Problem] = []
    private var notes: [Problem] = []
    private var bodies: [Body] = []
    private var set: Set<String> = []
    private static let faultLimit = 20
    private static let example = localized("for example week 1: {tue: 3x(run 400m, walk 1:30), sun: long 10mi}")

    /// The text of a workout that is still to be read.
    private struct Body {
        var slot: TrainingPlan.Slot
        var key: Range<Int>
        var time: TimeOfDay?
        var title: String
        var text: Range<Int>
    }

    /// What comes before the text of a workout: its day, time and title.
    private typealias Key = (range: Range<Int>, day: Weekday, time: TimeOfDay?, title: String)

    init(_ bytes: [UInt8]) {
        // A byte order mark becomes blanks, so that all places stay as they are.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        settings = bytes.starts(with: mark) ? [0x20, 0x20, 0x20] + bytes.dropFirst(3) : bytes
        scanner = TextCursor(commented: settings)
    }

    mutating func findsWeek() -> Bool {
        while skipSeparators(), scanner.next != nil {
            if isAtWeek { return true }
            skipStatement()
            _ = scanner.accept("{") || scanner.accept("}")
        }
        return false
    }

    mutating func read(isDraft: Bool) -> PlanReading {
        while skipSeparators(), scanner.next != nil, faults.count < Self.faultLimit {
            let start = scanner.position
            do throws(Problem) { if try !topStatement() { continue } } catch {
                faults.append(error)
                recover()
            }
            for index in start..<scanner.position where settings[index] != 0x0A && settings[index] != 0x0D {
                settings[index] = 0x20
            }
        }
        let shared = sharedSettings()
        let places = readBodies(shared, isDraft: isDraft)
        if faults.isEmpty, plan.weeks.values.allSatisfy(\.isEmpty) {
            faults.append(Problem(0..<0, localized("the weeks have no workout"), hint: Self.example))
        }
        faults.sort { $0.range.lowerBound < $1.range.lowerBound }
        var reading = PlanReading(faults: Array(faults.prefix(Self.faultLimit)))
        reading.notes = Array(notes.prefix(Self.faultLimit))
        (reading.weeks, reading.placesOfDays) = (faults.isEmpty ? plan : nil, places)
        return reading
    }

    /// Reads the settings that all workouts share.
    private mutating func sharedSettings() -> Plan {
        var reader = PlanReader(settings)
        let reading = reader.readSettings()
        faults += reading.faults
        notes += reading.notes
        if let place = reading.places.first {
            faults.append(Problem(place, localized("this interval is in no week"), hint: Self.example))
        }
        var shared = reading.plan ?? Plan()
        plan.title = shared.title
        (shared.title, shared.parts) = ("", [])
        return shared
    }

    private mutating func readBodies(_ shared: Plan, isDraft: Bool) -> [TrainingPlan.Slot: [Range<Int>]] {
        var places: [TrainingPlan.Slot: [Range<Int>]] = [:]
        for body in bodies {
            let bytes = Array(scanner.bytes[body.text])
            var words = TextCursor(commented: bytes)
            words.skipBlanks(lines: true)
            // `fri: rest` is a day without a workout.
            if words.accept(word: "rest", "off") {
                words.skipBlanks(lines: true)
                if words.next == nil || words.accept(",") || words.accept(";") {
                    words.skipBlanks(lines: true)
                    if words.next == nil { continue }
                }
            }
            var settings = shared
            settings.title = body.title
            let reading = Plan.read(bytes, isDraft: isDraft, settings: settings)
            let start = body.text.lowerBound
            func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + start..<range.upperBound + start }
            // A fault of the whole workout is shown at its day.
            faults += reading.faults.map { Problem($0.range.isEmpty ? body.key : moved($0.range), $0.error) }
            notes += reading.notes.map { Problem(moved($0.range), $0.error) }
            places[body.slot] = reading.places.map(moved)
            if let read = reading.plan {
                plan.weeks[body.slot.week, default: [:]][body.slot.day] = .init(read, time: body.time)
            }
            if faults.count >= Self.faultLimit { break }
        }
        return places
    }

    // MARK: - Outside of weeks

    /// Reads a week, `start:` or `time:`; false after a statement that is left to the reader of settings.
    private mutating func topStatement() throws(Problem) -> Bool {
        let word = scanner.word()
        let name = scanner.text(word).lowercased()
        if isAtWeek {
            try week(word)
            return true
        }
        if name == "for" || name == "forever" {
            throw Problem(
                word, localized("a length belongs to a workout"),
                hint: localized("write it in its day: {tue: 1km, for 10km}"))
        }
        if scanner.next == UInt8(ascii: "{") || scanner.next == UInt8(ascii: "}") {
            throw Problem(scanner.token(), localized("this brace belongs to no week"), hint: Self.example)
        }
        guard name == "start" || name == "time", isColon(at: word.upperBound) else {
            skipStatement()
            return false
        }
        guard set.insert(name).inserted else { throw Problem(word, localized("'\(name)' is set a second time")) }
        scanner.position = word.upperBound + 1
        scanner.skipBlanks()
        let token = scanner.token()
        let text = scanner.text(token)
        scanner.position = token.upperBound
        if name == "time" {
            guard let time = TimeOfDay(text: text) else {
                throw Problem(
                    token, localized("\(TextError.shown(text)) is not a time of day"),
                    hint: localized("for example 07:00"))
            }
            plan.time = time
        } else {
            do throws(TextError) { plan.start = try CalendarWeek(startText: text) } catch {
                throw Problem(token, error)
            }
        }
        scanner.skipBlanks()
        guard scanner.next.map(",;\r\n".utf8.contains) ?? true else {
            throw Problem(scanner.token(), localized("expected a comma or a new line"))
        }
        return true
    }

    // MARK: - Weeks

    private var isAtWeek: Bool {
        var ahead = scanner
        guard ahead.accept(word: "week") else { return false }
        ahead.skipBlanks()
        return ahead.next.map { TextCursor.isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "{") } ?? true
    }

    /// Reads `week 1: {...}` up to its closing brace.
    private mutating func week(_ word: Range<Int>) throws(Problem) {
        scanner.position = word.upperBound
        scanner.skipBlanks()
        let digits = scanner.position
        scanner.skipDigits()
        let key = word.lowerBound..<scanner.position
        guard let week = Int(scanner.text(digits..<scanner.position)), TrainingPlan.weekRange.contains(week) else {
            throw Problem(key, localized("a week has a number from 1 to 520"), hint: Self.example)
        }
        scanner.skipBlanks()
        _ = scanner.accept(":")
        scanner.skipBlanks(lines: true)
        let opening = scanner.position
        guard scanner.accept("{") else {
            throw Problem(scanner.token(), localized("the days of a week are in braces"), hint: Self.example)
        }
        let isNew = plan.weeks[week] == nil
        if isNew {
            plan.weeks[week] = [:]
        } else {
            faults.append(Problem(key, localized("week \(week) is given a second time")))
        }
        try days(of: week, opening: opening, isNew: isNew)
    }

    /// Reads the days up to the closing brace.
    private mutating func days(of week: Int, opening: Int, isNew: Bool) throws(Problem) {
        var open: (key: Key, start: Int)?
        var found: Set<Weekday> = []
        // After a day that cannot be read, its intervals are skipped.
        var isLost = false
        func close(_ bodies: inout [Body], at end: Int) {
            guard isNew, let (key, start) = open else { return }
            let slot = TrainingPlan.Slot(week: week, day: key.day)
            bodies.append(Body(slot: slot, key: key.range, time: key.time, title: key.title, text: start..<end))
        }
        while skipSeparators(), faults.count < Self.faultLimit {
            let start = scanner.position
            if scanner.accept("}") { return close(&bodies, at: start) }
            if scanner.next == nil || isAtWeek {
                throw Problem(
                    opening..<opening + 1, localized("the week that opens here is never closed"),
                    hint: localized("write a } after it"))
            }
            do throws(Problem) {
                if let key = try day() {
                    close(&bodies, at: start)
                    if !found.insert(key.day).inserted {
                        faults.append(
                            Problem(
                                key.range,
                                localized("\(key.day.localizedName) is given a second time in week \(week)")))
                    }
                    (open, isLost) = ((key, scanner.position), false)
                    continue
                }
                if open == nil, !isLost {
                    throw Problem(scanner.token(), localized("a week begins with a day"), hint: Self.example)
                }
                if scanner.next == UInt8(ascii: "{") {
                    open = nil
                    throw Problem(scanner.token(), localized("a day has no braces of its own"), hint: Self.example)
                }
            } catch {
                faults.append(error)
                close(&bodies, at: start)
                (open, isLost) = (nil, true)
            }
            skipStatement()
            if scanner.next == UInt8(ascii: "{") { skipBraces() }
        }
    }

    /// Reads `tue:`, `tue at 07:00:` or `tue "Track":`; nil if something else comes next.
    private mutating func day() throws(Problem) -> Key? {
        let word = scanner.word()
        guard !word.isEmpty else { return nil }
        let name = scanner.text(word)
        guard let day = Weekday(word: name) else {
            if !isColon(at: word.upperBound) || Plan.isSetting(name) { return nil }
            let days = Weekday.allCases.map(\.short)
            let near = Suggestion.nearest(to: name.lowercased(), in: days)
            throw Problem(
                word, localized("\(TextError.shown(name)) is not a day"),
                hint: near.map { localized("did you mean '\($0)'?") }
                    ?? localized("the days are \(days.joined(separator: ", "))"))
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        var (time, title): (TimeOfDay?, String) = (nil, "")
        if scanner.accept(word: "at") || scanner.next.map(TextCursor.isDigit) ?? false {
            scanner.skipBlanks()
            time = try timeOfDay()
            scanner.skipBlanks()
        }
        let quote = scanner.position
        if scanner.accept("\"") {
            scanner.skip(to: "\"\r\n")
            let range = quote..<scanner.position
            guard scanner.accept("\"") else {
                scanner.position = quote + 1
                throw Problem(range, localized("the quote that opens here is never closed"))
            }
            let text = scanner.text(quote + 1..<range.upperBound)
            title = try PlanWords.name(text, quote..<scanner.position, localized("a title"))
            scanner.skipBlanks()
        }
        guard scanner.accept(":") else {
            throw Problem(
                word, localized("expected a colon after the day"),
                hint: localized("for example \(day.short): run 5k"))
        }
        return (word, day, time, title)
    }

    /// Reads the time of a day, whose last colon belongs to the day.
    private mutating func timeOfDay() throws(Problem) -> TimeOfDay {
        let start = scanner.position
        let isOfTime = { (byte: UInt8) in TextCursor.isDigit(byte) || byte == UInt8(ascii: ":") }
        var end = scanner.bytes[start...].prefix(while: isOfTime).endIndex
        if end > start, scanner.bytes[end - 1] == UInt8(ascii: ":") { end -= 1 }
        let text = scanner.text(start..<end)
        guard let time = TimeOfDay(text: text) else {
            let range = end > start ? start..<end : scanner.token()
            throw Problem(
                range, localized("\(TextError.shown(scanner.text(range))) is not a time of day"),
                hint: localized("for example tue at 07:00: run 5k"))
        }
        scanner.position = end
        return time
    }

    // MARK: - Statements

    private func isColon(at place: Int) -> Bool {
        place < scanner.bytes.count && scanner.bytes[place] == UInt8(ascii: ":")
    }

    /// Skips blanks, comments, commas and line ends. Always true, for conditions of loops.
    private mutating func skipSeparators() -> Bool {
        repeat { scanner.skipBlanks(lines: true) } while scanner.accept(",") || scanner.accept(";")
        return true
    }

    /// Skips to the separator or brace that ends an interval or setting; in quotes and comments, these are text.
    private mutating func skipStatement() {
        let word = scanner.word()
        if scanner.text(word).lowercased() == "title", isColon(at: word.upperBound) { return scanner.skip(to: "\r\n") }
        while let byte = scanner.next, !",;\r\n{}".utf8.contains(byte) {
            if byte == UInt8(ascii: "#") { return scanner.skip(to: "\r\n") }
            scanner.position += 1
            guard byte == UInt8(ascii: "\"") else { continue }
            scanner.skip(to: "\"\r\n")
            _ = scanner.accept("\"")
        }
    }

    /// Goes on after a fault outside of weeks: after the statement, or after the braces that it opens.
    private mutating func recover() {
        guard !isAtWeek else { return }
        skipStatement()
        if scanner.next == UInt8(ascii: "{") { skipBraces() } else { _ = scanner.accept("}") }
    }

    /// Skips from an opening brace to after the next closing one.
    private mutating func skipBraces() {
        scanner.skip(to: "}")
        _ = scanner.accept("}")
    }
}
