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

    /// The keys of a score, in the order in which a file has them.
    enum Key: String, CaseIterable {
        case title, composer, a4, tuning, tonic
        case keyboardMap = "keyboard-map"
        case instrument, temperature, drone
        case countIn = "count-in"
        case warning, speed, tempo, beats, subdivide, grid
        case firstBar = "first-bar"
        case pickup, timecode, total, realize, order, orders, fragments, voices, brackets, sections, lines, bars,
            `repeat`
    }

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
            log.error(at: tree.range(0), localized("a score is a set of keys"), hint: hint)
            return nil
        }
        let fields = fields(of: 0, Key.self, in: localized("a score"))
        var score = Score(sections: [])
        readHead(fields, &score)
        readPreferences(fields)
        readPage(fields, &score)
        readPlan(fields, &score)
        checkClicks(fields, score)
        return log.hasErrors ? nil : score
    }

    private mutating func readHead(_ fields: YAMLFields<Key>, _ score: inout Score) {
        score.title = fields[.title].flatMap { label($0, localized("a title")) }
        score.composer = fields[.composer].flatMap { label($0, localized("a composer")) }
        score.drone = fields[.drone].flatMap { drone($0) }
        if let id = fields[.a4], let a4 = value(id, "A4", Score.a4(scoreText:)) { score.a4 = a4 }
        score.tuning = tuning(fields)
        if let id = fields[.countIn], let countIn = lead(id, localized("a count-in")) { score.countIn = countIn }
        if let id = fields[.warning], let warning = lead(id, localized("a warning")) { score.warning = warning }
        if let id = fields[.speed], let speed = value(id, localized("the speed"), Speed.init(scoreText:)) {
            score.speed = speed
        }
        if let id = fields[.tempo], let tempo = value(id, localized("the tempo"), Tempo.init(scoreText:)) {
            score.tempo = tempo
        }
        if let id = fields[.beats] { score.beats = value(id, "'beats'", YAMLScore.isOn) ?? false }
        if let id = fields[.subdivide], let parts = subdivision(id) {
            score.subdivision = parts
            // Whoever asks for parts of beats wants to hear them.
            if fields[.beats] == nil { score.beats = parts > 1 }
        }
        if let id = fields[.grid], let grid = value(id, localized("the grid"), Grid.init(scoreText:)) {
            score.grid = grid
        }
        if let id = fields[.firstBar], let number = whole(id, "'first-bar'", Score.firstBarRange) {
            score.firstBar = number
        }
        if let id = fields[.pickup], let count = whole(id, "'pickup'", Score.pickupRange) { score.pickup = count }
        score.timecode = fields[.timecode].flatMap { id in
            value(id, localized("the timecode")) { text throws(TextError) in try Timecode(scoreText: text) }
        }
        rate = score.timecode?.rate
        if let id = fields[.total] {
            score.total = value(id, localized("the total"), Score.Total.init(scoreText:))
            places.total = tree.range(id)
        }
    }

    /// Notes the performance settings that the file gives, even if they equal the defaults.
    private mutating func readPreferences(_ fields: YAMLFields<Key>) {
        let keys: [(Key, Score.Preference)] = [
            (.a4, .a4), (.tuning, .tuning), (.tonic, .tonic), (.instrument, .instrument), (.temperature, .temperature),
            (.drone, .drone), (.countIn, .countIn), (.speed, .speed), (.beats, .beats),
            (.subdivide, .beats), (.subdivide, .subdivide), (.grid, .grid),
        ]
        for (key, preference) in keys where fields[key] != nil { log.preferences.insert(preference) }
        // A tuning also sets the tonic and the keyboard map: without their keys, they are C and no map.
        if fields[.tuning] != nil { log.preferences.formUnion([.tonic, .keyboardMap]) }
        guard let drone = fields[.drone], tree.kind(drone) == .map else { return }
        for (key, _) in pairs(drone) {
            let property = Score.Drone.Property.all.first { $0.key == tree.text(key) }
            if let preference = property.flatMap(Score.Preference.drone) { log.preferences.insert(preference) }
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
            log.error(
                at: tree.range(second),
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
            log.error(
                at: tree.range(passes), localized("'repeat' belongs to a line"),
                hint: localized(
                    "write it next to the line's 'bars'; 'repeat: forever' repeats the whole score until stopped"))
        }
        switch contents.first {
        case .voices:
            if let id = fields[.voices] { voices(id, &score) }
            for key in [Key.order, .orders] {
                guard let wrong = fields[key] else { continue }
                log.error(at: tree.range(wrong), localized("a score of several voices has no '\(key.rawValue)'"))
            }
        case .brackets: score.brackets = fields[.brackets].map { brackets($0) } ?? []
        case .sections: score.sections = fields[.sections].map { sections($0) } ?? []
        case .lines:
            container = .section(0)
            score.sections = [Score.Section(parts: fields[.lines].map { parts($0) } ?? [])]
        case .bars:
            container = .section(0)
            let line = fields[.bars].flatMap { self.line(bars: $0, passes: passes, label: nil, tempo: nil) }
            score.sections = [Score.Section(parts: [line].compactMap(\.self).map(Score.Part.line))]
        default:
            // An unknown key may be a misspelled 'lines'.
            if !fields.hasUnknownKey {
                log.error(
                    at: tree.range(0), localized("the score has no bars"), hint: localized("it needs 'lines' or 'bars'")
                )
            }
        }
    }

    /// Reads the order of sections, and the realization of brackets.
    private mutating func readPlan(_ fields: YAMLFields<Key>, _ score: inout Score) {
        if let id = fields[.orders] { score.orders = orders(id, score) }
        if let id = fields[.order], let name = label(id, localized("an order")) {
            if score.orders.contains(where: { $0.name == name }) {
                score.order = name
            } else if fields[.orders] == nil || !score.orders.isEmpty {
                let names = score.orders.map(\.name)
                log.error(
                    at: tree.range(id), localized("there is no order \(TextError.quoted(name))"),
                    hint: Suggestion.hint(for: name, in: names) ?? localized("define it in 'orders'"))
            }
        }
        guard let id = fields[.realize] else { return }
        score.realization = value(id, localized("the seed")) { text throws(TextError) in
            try Score.realization(scoreText: text)
        }
        if fields[.brackets] == nil {
            log.error(
                at: tree.range(id), localized("'realize' draws times for 'brackets', which the score does not have"))
        } else if !log.hasErrors, let conflict = score.realizationConflict {
            log.error(at: tree.range(id), conflict)
        }
    }

    private static func isOn(_ text: String) throws(TextError) -> Bool {
        switch text.trimmingBlanks.lowercased() {
        case "on": return true
        case "off": return false
        default:
            throw TextError(
                localized("\(TextError.quoted(text)) is neither on nor off"), hint: localized("write on or off"))
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
        guard digits.utf8.count <= 19, Int(wholeText: digits) != nil || digits.utf8.count == 19,
            let seed = UInt64(digits)
        else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a seed"),
                hint: localized("write a whole number, for example 7"))
        }
        return seed
    }
}
