internal import Languages

/// Reads a score from YAML: the keys of the whole score.
package struct YAMLScore {
    let tree: YAMLTree
    var log: DiagnosticLog
    /// The places in the text whose errors show only after layout in time.
    var places: YAMLPlaces
    /// The same for each of the other voices.
    var placesOfCompanions: [YAMLPlaces] = []
    var container = Score.Container.section(0)
    /// The numbers of bars and lines read so far; they count again for each alias that repeats them.
    var writtenBars = 0
    var writtenLines = 0
    /// The number of bars read from texts such as `4/4 x 12`.
    var multipliedBars = 0
    /// The bars of lists that are anchored, so that a thousand aliases share them; nil for a list with an error.
    var barsOfTargets: [YAMLTree.ID: [Score.Bar]?] = [:]
    /// Bars that have only a meter, by its text, so that equal bars share their meter.
    var metered: [String: Score.Bar] = [:]
    /// The rate of timecodes that are written without one: that of the score's start.
    var rate: Timecode.Rate?
    /// How many hits have been read.
    var hitCount = 0
    /// The names of fragments that have been read.
    var fragmentNames: [String] = []

    /// Whether a word is a key whose value has bars; a score has at least one. The other keys may be those of a plan.
    package static func isMusic(_ word: some StringProtocol) -> Bool {
        switch Key(rawValue: String(word)) {
        case .voices, .brackets, .sections, .lines, .bars: true
        default: false
        }
    }

    /// Reads a score, with the places in its text that must be checked after layout in time, those of the leading voice
    /// first; nil only after an error was reported.
    package static func read(
        _ source: SourceText, _ log: inout DiagnosticLog
    ) -> (score: Score, places: [YAMLPlaces])? {
        guard let tree = YAMLTree.parse(source, &log) else { return nil }
        var reader = YAMLScore(tree: tree, log: log)
        defer { log = reader.log }
        return reader.score().map { ($0, [reader.places] + reader.placesOfCompanions) }
    }

    private init(tree: YAMLTree, log: DiagnosticLog) {
        self.tree = tree
        self.log = log
        places = YAMLPlaces(tree)
    }

    private mutating func score() -> Score? {
        guard tree.kind(0) == .map else {
            let hint =
                tree.kind(0) == .list
                ? localized("write 'bars:' before the list") : localized("a score needs 'lines' or 'bars'")
            error(0, localized("a score is a set of keys"), hint: hint)
            return nil
        }
        let fields = fields(of: 0, Key.self, in: localized("a score"))
        var score = Score(sections: [])
        readHead(fields, &score)
        readPreferences(fields)
        readPage(fields, &score)
        readOrders(fields, &score)
        checkClicks(fields, score)
        return log.hasErrors ? nil : score
    }

    private mutating func readHead(_ fields: YAMLFields<Key>, _ score: inout Score) {
        readProperties(fields, &score)
        score.drone = fields[.drone].flatMap { drone($0) }
        readScale(fields, &score.tuning)
        rate = score.timecode?.rate
        places.total = fields[.total].map(tree.range)
    }

    /// Notes the performance settings that the file gives, even if they equal the defaults.
    private mutating func readPreferences(_ fields: YAMLFields<Key>) {
        // A preference has the name of its key; those of the drone's properties are no keys of a score.
        log.preferences.formUnion(Score.Preference.all.filter { fields[shared: $0.name] != nil })
        if fields[.subdivide] != nil { log.preferences.insert(.beats) }
        // A tuning also sets the tonic and the keyboard map: without their keys, they are C and no map.
        if fields[.tuning] != nil { log.preferences.formUnion([.tonic, .keyboardMap]) }
        guard let drone = fields[.drone], tree.kind(drone) == .map else { return }
        for (key, _) in tree.pairs(drone) {
            let property = Score.Drone.properties.first { $0.key == tree.text(key) }
            if let setting = property?.setting { log.preferences.insert(Score.Preference(setting)) }
        }
    }

    /// Reads sections, lines or bars, and fragments before them.
    private mutating func readPage(_ fields: YAMLFields<Key>, _ score: inout Score) {
        if let id = fields[.fragments] { score.fragments = fragments(id) }
        let contents = [Key.voices, .brackets, .sections, .lines, .bars].filter { fields[$0] != nil }
        if contents.count > 1, let second = fields[contents[0]] {
            let words = contents.map { "'\($0.rawValue)'" }
            let others = words.dropLast().joined(separator: ", ")
            let last = words[words.count - 1]
            error(
                second,
                words.count == 2
                    ? localized("a score has \(others) or \(last), not both")
                    : localized("a score has \(others) or \(last), only one of them"))
            return
        }
        var passes = fields[.repeat]
        if let id = passes, tree.kind(id) == .scalar, tree.text(id) == "forever" {
            score.isEndless = true
            passes = nil
        } else if let passes, fields[.bars] == nil {
            error(
                passes, localized("'repeat' belongs to a line"),
                hint: localized(
                    "write it next to the line's 'bars'; 'repeat: forever' repeats the whole score until stopped"))
        }
        switch contents.first {
        case .voices:
            if let id = fields[.voices] { voices(id, &score) }
            for key in [Key.order, .orders] {
                guard let wrong = fields[key] else { continue }
                error(wrong, localized("a score of several voices has no '\(key.rawValue)'"))
            }
        case .brackets: score.brackets = fields[.brackets].map { brackets($0) } ?? []
        case .sections: score.sections = fields[.sections].map { sections($0) } ?? []
        case .lines:
            container = .section(0)
            score.sections = [Score.Section(parts: fields[.lines].map { parts($0) } ?? [])]
        case .bars:
            container = .section(0)
            score.sections = [Score.Section(parts: fields[.bars].map { line(bars: $0, passes: passes) } ?? [])]
        default:
            // An unknown key may be a misspelled 'lines'.
            if fields.hasUnknownKey { break }
            error(0, localized("the score has no bars"), hint: localized("it needs 'lines' or 'bars'"))
        }
    }

    /// Reads the order of sections, and the realization of brackets.
    private mutating func readOrders(_ fields: YAMLFields<Key>, _ score: inout Score) {
        if let id = fields[.orders] { score.orders = orders(id, score) }
        if let id = fields[.order], let name = label(id, localized("an order")) {
            let names = score.orders.map(\.name)
            if names.contains(name) {
                score.order = name
            } else if fields[.orders] == nil || !names.isEmpty {
                error(
                    id, localized("there is no order \(TextError.quoted(name))"),
                    hint: Suggestion.hint(for: name, in: names) ?? localized("define it in 'orders'"))
            }
        }
        guard let id = fields[.realize] else { return }
        score.realization = value(id, localized("the seed"), Score.realization(scoreText:))
        if fields[.brackets] == nil {
            error(id, localized("'realize' draws times for 'brackets', which the score does not have"))
        } else if !log.hasErrors, let conflict = score.realizationConflict {
            log.error(at: tree.range(id), conflict)
        }
    }
}

extension Score {
    /// The valid numbers of the first bar.
    public static let firstBarRange = -100_000...1_000_000
    /// The valid numbers of bars in a pickup.
    public static let pickupRange = 0...1000

    /// Reads the seed of a realization: a whole number of at most 19 digits.
    public static func realization(scoreText text: String) throws(TextError) -> UInt64 {
        let digits = text.trimmingBlanks
        guard digits.utf8.count <= 19, digits.utf8.allSatisfy({ DecimalText.digit($0) != nil }),
            let seed = UInt64(digits)
        else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a seed"),
                hint: localized("write a whole number, for example 7"))
        }
        return seed
    }
}
