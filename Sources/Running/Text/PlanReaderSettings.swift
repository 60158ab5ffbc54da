internal import Languages
internal import Scores

// The lines of a plan that are not intervals: settings, its length, and texts at times.
extension PlanReader {
    /// Reads a text that is spoken, such as `at 30:00: "Drink"` or `every 1km: "Relax"`.
    mutating func remark(depth: Int) throws(RunTextFault) -> Bool {
        let word = scanner.word()
        let isRepeated = scanner.text(word).lowercased() == "every"
        guard depth == 0 else {
            throw RunTextFault(
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
            throw RunTextFault(
                found.range, localized("a text is spoken at a time or a distance, not at a pace"),
                hint: localized("for example at 30:00: \"Drink\""))
        }
        if isRepeated, !place.canRepeat {
            throw RunTextFault(found.range, localized("a text can be repeated every 10 s or 10 m, not more often"))
        }
        scanner.skipBlanks()
        _ = scanner.accept(":")
        scanner.skipBlanks()
        guard let text = try quoted(localized("a text to speak")) else {
            throw RunTextFault(
                scanner.token(), localized("expected the text to speak, in quotes"),
                hint: localized("for example at 30:00: \"Drink\""))
        }
        guard plan.remarks.count < Plan.remarkLimit else {
            throw RunTextFault(word, localized("a plan has at most \(Plan.remarkLimit) texts to speak"))
        }
        remarkPlaces.append(word.lowerBound..<found.range.upperBound)
        plan.remarks.append(Plan.Remark(text, at: place, isRepeated: isRepeated))
        return true
    }

    /// Checks that a plan reaches the place of a remark.
    mutating func check(_ remark: Plan.Remark, _ place: Range<Int>, _ table: PlanTable, _ isDraft: Bool) {
        switch remark.place {
        case .time(let time):
            guard !isDraft, !table.isEndless, let total = table.total.time, time >= total else { return }
            note(place, localized("this text is not spoken: the plan ends at \(total.clock)"))
        case .distance(let distance):
            guard let total = table.total.distance else {
                guard !isDraft else { return }
                let row = table.rows.first { $0.extent.distance == nil }
                let message =
                    row.map { localized("the place of this text is unknown: '\($0.interval.text)' has no distance") }
                    ?? localized("the place of this text is unknown: an interval has no distance")
                return faults.append(
                    RunTextFault(place, message, hint: localized("set a pace for its kind, as in run: 5:00/km")))
            }
            if !isDraft, !table.isEndless, distance >= total {
                note(place, localized("this text is not spoken: the plan ends after \(total.exactText)"))
            }
        }
    }

    private mutating func note(_ place: Range<Int>, _ message: String) { notes.append(RunTextFault(place, message)) }

    // MARK: - Settings

    /// Reads a setting such as `run: 10:00/mi` or the length of the plan; false if an interval comes next.
    mutating func setting() throws(RunTextFault) -> Bool {
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
        let key = PlanWords.kinds[name].map(\.kind)
        guard set.insert(key?.rawValue ?? name).inserted else {
            throw RunTextFault(word, localized("'\(name)' is set a second time"))
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
        case _ where key != nil:
            let found = try scanner.quantity()
            guard case .pace(let pace) = found.value else {
                throw RunTextFault(
                    found.range,
                    found.value.quantity == .time
                        ? localized("'\(name):' sets a pace, but this is a time")
                        : localized("'\(name):' sets a pace, but this is a distance"),
                    hint: localized("for example \(name): 10:00/mi; an interval is written without the colon"))
            }
            if let key { plan.paces[key] = pace }
        default:
            let keys = PlanWords.settings + Interval.Kind.allCases.map(\.rawValue)
            let nearest = Suggestion.nearest(to: name, in: keys)
            throw RunTextFault(
                word, localized("a plan has no setting \(TextError.shown(name))"),
                hint: nearest.map { localized("did you mean '\($0)'?") }
                    ?? localized("the settings are \(keys.joined(separator: ", "))"))
        }
        return true
    }

    mutating func length(_ word: Range<Int>, _ name: String) throws(RunTextFault) -> Plan.Length {
        guard set.insert("for").inserted else {
            throw RunTextFault(word, localized("the length of the plan is given twice"))
        }
        scanner.position = word.upperBound
        scanner.skipBlanks()
        if name == "forever" || scanner.accept(word: "ever") { return .forever }
        let found = try scanner.quantity()
        switch found.value {
        case .time(let time): return .time(time)
        case .distance(let distance): return .distance(distance)
        case .pace:
            throw RunTextFault(
                found.range, localized("the length of a plan must be a time or a distance"),
                hint: localized("for example for 2:00:00"))
        }
    }

    mutating func cadence() throws(RunTextFault) -> Int {
        let token = scanner.token()
        scanner.position = token.upperBound
        guard let steps = Int(scanner.text(token)), Plan.cadenceRange.contains(steps) else {
            throw RunTextFault(
                token, localized("a cadence must be 60 to 300 steps per minute"), hint: localized("for example 170"))
        }
        return steps
    }
}
