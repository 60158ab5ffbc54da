public import Score

extension Plan {
    /// The plan as a score: a bar for each interval, a line for each set.
    ///
    /// A bar is labelled with what one does, and its cue is what a voice says as it begins. Intervals for a distance
    /// last as long as they take at the planned pace. Errors: those of `PlanTable`, and a time that nobody knows.
    public func score() throws(PlanError) -> Score {
        let table = try PlanTable(self)
        if let row = table.rows.first(where: { $0.extent.time == nil }) { throw .noTime(row.written) }
        let count = table.isEndless ? nil : table.rows.count
        var lines: [Score.Line] = []
        var set = 0
        for row in table.rows {
            guard let time = row.extent.time else { throw .noTime(row.written) }
            if row.set != set { lines.append(Score.Line(bars: [])) }
            set = row.set
            let cue = Announcement.start(of: row.interval, number: row.number, of: count)
            lines[lines.count - 1].bars.append(Score.Bar(time, label: row.interval.name, cue: cue))
        }
        return Score(title: title.isEmpty ? nil : title, countIn: countIn, lines: lines)
    }

    /// Whether a text that is no file's name reads like a plan: it begins as an interval, a group or a number does.
    public static func isLikely(_ text: String) -> Bool {
        var scanner = RunScanner(Array(text.utf8))
        scanner.skipBlanks(lines: true)
        if scanner.isAtQuantity || scanner.accept("(") { return true }
        let word = scanner.word()
        guard PlanWords.kinds[scanner.text(word).lowercased()] != nil else { return false }
        // A word alone may be the name of a score.
        scanner.position = word.upperBound
        return scanner.next == 0x20 || scanner.next == UInt8(ascii: ":")
    }
}
