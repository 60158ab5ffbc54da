public import Languages
public import Scores

extension Plan {
    /// The plan as a score: a bar for each interval, a line for each set.
    ///
    /// A bar's label is the name of its interval, its cue the number, and its spoken text the announcement. An interval
    /// for a distance lasts as long as it takes at the planned pace. Distances and paces are spoken in kilometers or
    /// miles: in `unit`, or if it is nil, in the unit of the plan. If the listener can press a button (`waits`), an
    /// interval until the lap button is a hold until a cue; otherwise it lasts about as long as the plan says. Errors:
    /// those of `PlanTable`, or an interval of unknown time.
    public func score(
        spoken language: Language = .en, in unit: DistanceUnit? = nil, waits: Bool = false
    ) throws(PlanError) -> Score {
        try score(spoken: language, in: unit, waits: waits, keepsTimes: false)
    }

    /// The plan as a score, as above. In a score that is written for others (`keepsTimes`), holds until a cue last as long as
    /// the plan says where nobody can give one.
    package func score(
        spoken language: Language, in unit: DistanceUnit?, waits: Bool, keepsTimes: Bool
    ) throws(PlanError) -> Score {
        let unit = unit ?? self.unit ?? .kilometers
        guard waits || !hasOpenEnds else { return try closed().score(spoken: language, in: unit) }
        let table = try PlanTable(self)
        if let row = table.rows.first(where: { $0.extent.time == nil && !$0.interval.isOpen }) {
            throw unknownTime(row.written)
        }
        let count = table.isEndless ? nil : table.rows.count
        var lines: [Score.Line] = []
        var set = 0
        for row in table.rows {
            let time = row.interval.isOpen ? Self.openBar : row.extent.time ?? .zero
            if row.set != set { lines.append(Score.Line(bars: [])) }
            set = row.set
            let announcement = language.announcement(of: row, of: count, in: unit, threshold)
            var bar = bar(row, time, announcement, language)
            if row.interval.isOpen {
                let about = keepsTimes ? row.extent.time.map { $0 - time } : nil
                bar.details.holds = [Hold(max(about ?? .zero, .zero), waits: true)]
            }
            lines[lines.count - 1].bars.append(bar)
        }
        var score = Score(
            title: title.isEmpty ? nil : title, countIn: .time(countIn ?? Plan.standardCountIn), lines: lines)
        score.isEndless = table.isEndless
        score.remarks = remarks.map { $0.inScore(table.rows) }
        return score
    }

    /// The length of a bar before its hold until the lap button. It takes no time that anybody notices.
    private static let openBar = Duration.milliseconds(1)

    /// A row as a bar: each kind has its own click, rests that of walks, and runs have the cadence.
    private func bar(
        _ row: PlanTable.Row, _ time: Duration, _ announcement: Announcement, _ language: Language
    ) -> Score.Bar {
        var bar = Score.Bar(time, label: row.interval.name)
        bar.cue = announcement.count.map { $0 == 1 ? "" : "\(row.number) of \($0)" } ?? "\(row.number)"
        bar.details.say = language.words(announcement, [.name, .length, .place], lasting: time)
        bar.details.announcement = announcement
        bar.details.click = BarClick(row.interval.kind.traits().click)
        if row.interval.kind.isRunning, let cadence { bar.details.grid = .perMinute(cadence) }
        return bar
    }

    /// Whether a text that is not the name of a file looks like a plan: it begins like an interval, a group or a
    /// number. With `settings`, it may also begin with a setting.
    package static func isLikely(_ text: String, settings: Bool = false) -> Bool {
        var scanner = TextCursor(commented: Array(text.utf8))
        scanner.skipBlanks(lines: true)
        if scanner.isAtQuantity || scanner.isAtRemark || scanner.accept("(") { return true }
        let word = scanner.word()
        if settings, PlanWords.settings.contains(scanner.text(word).lowercased()),
            scanner.bytes[word.upperBound...].first == UInt8(ascii: ":")
        {
            return true
        }
        guard Interval.Kind.typed[scanner.text(word).lowercased()] != nil else { return false }
        // A single word may be the name of a score.
        scanner.position = word.upperBound
        return scanner.next == 0x20 || scanner.next == UInt8(ascii: ":")
    }
}
