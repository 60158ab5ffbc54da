package import Files
package import Scores

/// The practice log: `$XDG_STATE_HOME/barline/practice.csv`, with a row for each session.
package struct PracticeLog: Sendable {
    /// The path of the file, which need not exist.
    package let path: String

    /// One session.
    package struct Entry: Sendable, Equatable {
        /// When it began.
        package var date: LocalTime
        /// The title of the piece.
        package var piece: String
        /// The range of bars played: `1.1-13.13`.
        package var bars: String
        /// The speed at which the last bar of the session sounded.
        package var speed: Speed
        /// The speed that a practice program was to reach; nil if it had only one.
        package var target: Speed?
        /// The length in hundredths of a minute: 0 or more.
        package var hundredths: Int
        /// How long the bars were held, by the player's taps; nil without taps.
        package var held: HeldSummary?
        /// The practice program and silent bars that were played last, as they are typed; empty without any.
        package var program = ""
        /// What the player thought of it, with places: `5.7 good; 6.1 too loud`, of any length; empty without any.
        package var marks = ""
        /// How much longer than written each bar was held, in per cent, the tempo of the session apart.
        package var lengths: [BarFigure] = []
        /// How far each bar was out of tune, in cents.
        package var cents: [BarFigure] = []
        /// How far the notes of each name were out of tune, in cents.
        package var notes: [NoteFigure] = []

        /// Creates an entry; `minutes` is rounded to hundredths and clamped to 0 ... 1 000 000.
        package init(
            date: LocalTime = .now, piece: String, bars: String, speed: Speed, target: Speed? = nil, minutes: Double,
            held: HeldSummary? = nil
        ) {
            self.date = date
            self.piece = piece
            self.bars = bars
            self.speed = speed
            self.target = target
            self.held = held
            hundredths = minutes.isFinite ? Int((min(max(minutes, 0), 1e6) * 100).rounded()) : 0
        }

        /// Whether music was played at its speed. What `barline listen` adds about a recording has no length.
        package var wasPlayed: Bool { hundredths > 0 }

        /// The length in minutes.
        package var minutes: Double { Double(hundredths) / 100 }

        /// The minutes as written in the log: `12.05`.
        package var minutesText: String { PracticeLog.minutesText(hundredths) }

        /// The row in the log.
        package var row: String {
            let texts =
                [
                    date.text, PracticeLog.line(piece), PracticeLog.line(bars), speed.percent.plainText, minutesText,
                    target?.percent.plainText ?? "",
                ] + (held?.fields ?? HeldSummary.noFields) + [
                    PracticeLog.line(program), marks.printable, BarFigure.text(lengths), BarFigure.text(cents),
                    NoteFigure.text(notes),
                ]
            return texts.map(CSVText.quoted).joined(separator: ",")
        }
    }

    /// The header line with the names of the columns.
    package static let header = headerOfBars + ",notes_cents"
    private static let headerOfBars = headerOfTaps + ",program,marks,bars_percent,bars_cents"
    private static let headerOfTaps =
        "date,piece,bars,speed,minutes,target,held_bars,held_percent,off_percent,columns_percent"
    /// The header lines of logs that were begun before practice programs had a target, before there were taps, before
    /// there were marks, and before there were notes.
    private static let oldHeaders = [
        "date,piece,bars,speed,minutes", "date,piece,bars,speed,minutes,target", headerOfTaps, headerOfBars,
    ]

    /// The log for an environment; nil if it names no home folder.
    package init?(environment: [String: String]) {
        guard let folder = BaseFolder.state.path(environment: environment) else { return nil }
        path = folder + "/practice.csv"
    }

    /// Adds a session at the end. Errors: the file cannot be written.
    package func append(_ entry: Entry) throws(FileError) {
        try KeptFile(path).append(entry.row, header: PracticeLog.header)
    }

    /// Reads all sessions in order, and counts invalid rows; none if there is no file. Errors: it cannot be read.
    package func read() throws(FileError) -> (entries: [Entry], skipped: Int) {
        PracticeLog.read(try KeptFile(path).read() ?? [])
    }

    /// The sessions in the bytes of a log, and the number of invalid rows. A pure function.
    package static func read(_ bytes: [UInt8]) -> (entries: [Entry], skipped: Int) {
        var entries: [Entry] = []
        var skipped = 0
        for line in bytes.unmarked.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let text = String(validating: line, as: UTF8.self) else {
                skipped += 1
                continue
            }
            if text == header || oldHeaders.contains(text) || text.trimmingBlanks.isEmpty { continue }
            if let entry = Entry(row: text) { entries.append(entry) } else { skipped += 1 }
        }
        return (entries, skipped)
    }

    /// A text of at most 200 Unicode scalars, with line ends and control characters replaced.
    fileprivate static func line(_ text: String) -> String { text.cutToTextLimit.printable }

    /// Hundredths of a minute as minutes: `12.05`.
    package static func minutesText(_ hundredths: Int) -> String {
        "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

extension PracticeLog.Entry {
    /// Reads a row of the log, which may lack the later columns; nil if it is invalid.
    init?(row: String) {
        let fields = CSVText.fields(row)
        guard let fields, [5, 6, 10, 14, 15].contains(fields.count), let date = LocalTime(text: fields[0]),
            let speed = try? Speed(scoreText: fields[3]), let minutes = Double(fields[4]), minutes >= 0, minutes <= 1e6,
            fields[4].utf8.allSatisfy({ "0123456789.".utf8.contains($0) })
        else { return nil }
        var target: Speed?
        if fields.count > 5, !fields[5].isEmpty {
            guard let speed = try? Speed(scoreText: fields[5]) else { return nil }
            target = speed
        }
        var held: HeldSummary?
        if fields.count >= 10, fields[6..<10].contains(where: { !$0.isEmpty }) {
            guard let summary = HeldSummary(fields: Array(fields[6..<10])) else { return nil }
            held = summary
        }
        self.init(
            date: date, piece: PracticeLog.line(fields[1]), bars: PracticeLog.line(fields[2]), speed: speed,
            target: target, minutes: minutes, held: held)
        guard fields.count > 10 else { return }
        guard let lengths = BarFigure.list(fields[12]), let cents = BarFigure.list(fields[13]) else { return nil }
        (program, marks) = (PracticeLog.line(fields[10]), fields[11].printable)
        (self.lengths, self.cents) = (lengths, cents)
        guard fields.count > 14 else { return }
        guard let notes = NoteFigure.list(fields[14]) else { return nil }
        self.notes = notes
    }
}
