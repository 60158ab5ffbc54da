/// Reads a score from YAML.
struct YAMLScore {
    let tree: YAMLTree
    var log: DiagnosticLog
    private var size = PieceSize()
    private var writtenBars = 0
    /// The bars of named lines, so that a thousand aliases share them; nil where they had an error.
    private var barsOfTargets: [YAMLTree.ID: [Score.Bar]?] = [:]

    /// The keys of a score, in the order in which a file has them.
    enum Key: String, CaseIterable {
        case title, composer, a4, drone
        case countIn = "count-in"
        case speed, lines, bars, `repeat`
    }

    private enum LineKey: String, CaseIterable { case label, `repeat`, bars }
    private enum BarKey: String, CaseIterable { case duration, label, cue }

    /// Reads a score; nil only where an error was reported.
    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        guard let tree = YAMLTree.parse(source, &log) else { return nil }
        var reader = YAMLScore(tree: tree, log: log)
        defer { log = reader.log }
        return reader.score()
    }

    private init(tree: YAMLTree, log: DiagnosticLog) {
        self.tree = tree
        self.log = log
    }

    // MARK: - Score

    private mutating func score() -> Score? {
        guard tree.kind(0) == .map else {
            let hint = tree.kind(0) == .list ? "write 'bars:' before the list" : "a score needs 'lines' or 'bars'"
            log.error(at: tree.range(0), "a score is a set of keys", hint: hint)
            return nil
        }
        let fields = fields(of: 0, Key.self, in: "a score")
        var score = Score(sections: [])
        score.title = fields[.title].flatMap { label($0, "a title") }
        score.composer = fields[.composer].flatMap { label($0, "a composer") }
        score.drone = fields[.drone].flatMap { drone($0) }
        if let id = fields[.a4], let a4 = value(id, "A4", Score.a4(scoreText:)) { score.a4 = a4 }
        if let id = fields[.countIn], let countIn = duration(id, as: .countIn) { score.countIn = countIn }
        if let id = fields[.speed], let speed = value(id, "the speed", Speed.init(scoreText:)) { score.speed = speed }
        score.sections = [Score.Section(parts: lines(fields).map(Score.Part.line))]
        return log.hasErrors ? nil : score
    }

    private mutating func lines(_ fields: YAMLFields<Key>) -> [Score.Line] {
        if let bars = fields[.bars] {
            if let lines = fields[.lines] {
                log.error(at: tree.range(lines), "a score has 'lines' or 'bars', not both")
                return []
            }
            return [line(bars: bars, passes: fields[.repeat], label: nil)].compactMap(\.self)
        }
        if let passes = fields[.repeat] {
            log.error(at: tree.range(passes), "'repeat' belongs to a line", hint: "write it beside the line's 'bars'")
        }
        guard let lines = fields[.lines] else {
            // An unknown key may be a misspelt 'lines'.
            if !fields.hasUnknownKey {
                log.error(at: tree.range(0), "the score has no bars", hint: "it needs 'lines' or 'bars'")
            }
            return []
        }
        guard isList(lines, "'lines'", of: "lines") else { return [] }
        var read: [Score.Line] = []
        read.reserveCapacity(tree.childCount(lines))
        for id in tree.children(lines) {
            guard writtenBars <= Score.writtenBarLimit else { break }
            if let line = line(id) { read.append(line) }
        }
        return read
    }

    // MARK: - Lines and bars

    private mutating func line(_ id: YAMLTree.ID) -> Score.Line? {
        switch tree.kind(id) {
        case .list: return line(bars: id, passes: nil, label: nil)
        case .map:
            let fields = fields(of: id, LineKey.self, in: "a line")
            guard let bars = fields[.bars] else {
                if !fields.hasUnknownKey { log.error(at: tree.range(id), "this line has no 'bars'") }
                return nil
            }
            return line(bars: bars, passes: fields[.repeat], label: fields[.label])
        case .scalar:
            log.error(at: tree.range(id), "a line is a list of bars", hint: "for example [3, 2.7, 2]")
            return nil
        }
    }

    private mutating func line(bars id: YAMLTree.ID, passes: YAMLTree.ID?, label: YAMLTree.ID?) -> Score.Line? {
        let text = label.map { self.label($0, "a label") ?? "" } ?? ""
        let count = passes.map { self.passes($0) ?? 1 } ?? 1
        guard isList(id, "'bars'", of: "durations") else { return nil }
        let wasWithinLimit = writtenBars <= Score.writtenBarLimit && size.excess == nil
        writtenBars += tree.childCount(id)
        guard writtenBars <= Score.writtenBarLimit else {
            if wasWithinLimit { log.error(at: tree.range(id), "a score file has at most 10 000 000 written bars") }
            return nil
        }
        guard let bars = bars(id) else { return nil }
        size.add(bars.reduce(.zero) { $0 + $1.duration }, bars: bars.count, passes: count)
        if wasWithinLimit, let excess = size.excess { log.error(at: tree.range(passes ?? id), excess) }
        return Score.Line(label: text, passes: count, bars: bars)
    }

    private mutating func passes(_ id: YAMLTree.ID) -> Int? {
        value(id, "'repeat'") { text throws(TextError) in
            guard let digit = text.utf8.first, DecimalText.digit(digit) != nil, let count = Int(text),
                Score.passRange.contains(count)
            else { throw TextError("'repeat' is a whole number, 1 to 1 000 000") }
            return count
        }
    }

    private mutating func bars(_ id: YAMLTree.ID) -> [Score.Bar]? {
        let target = tree.resolve(id)
        if let known = barsOfTargets[target] { return known }
        var bars: [Score.Bar] = []
        bars.reserveCapacity(tree.childCount(target))
        for child in tree.children(target) {
            if let bar = bar(child) { bars.append(bar) }
        }
        let read = bars.count == tree.childCount(target) ? bars : nil
        if tree.hasAliases { barsOfTargets[target] = .some(read) }
        return read
    }

    private mutating func bar(_ id: YAMLTree.ID) -> Score.Bar? {
        switch tree.kind(id) {
        case .scalar: return duration(id, as: .bar).map { Score.Bar($0) }
        case .map:
            let fields = fields(of: id, BarKey.self, in: "a bar")
            let label = fields[.label].map { self.label($0, "a label") ?? "" } ?? ""
            let cue = fields[.cue].map { self.label($0, "a cue") ?? "" } ?? ""
            guard let durationID = fields[.duration] else {
                if !fields.hasUnknownKey { log.error(at: tree.range(id), "this bar has no 'duration'") }
                return nil
            }
            return duration(durationID, as: .bar).map { Score.Bar($0, label: label, cue: cue) }
        case .list:
            log.error(
                at: tree.range(id), "a bar is a duration, not a list",
                hint: "for example 2.7 or {duration: 2.7, label: A}")
            return nil
        }
    }
}
