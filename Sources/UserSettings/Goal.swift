package import Files
internal import Languages
package import Scores

/// A speed that a piece is to have by a day.
package struct Goal: Sendable, Equatable {
    package var piece: String
    package var speed: Speed
    package var by: LocalDay
    /// The day on which it was set.
    package var since: LocalDay

    package init(piece: String, speed: Speed, by: LocalDay, since: LocalDay) {
        (self.piece, self.speed, self.by, self.since) = (piece, speed, by, since)
    }

    /// What a player types: `sequenza-vii at 100% by 2027-03-01`, or `sequenza-vii off`.
    package struct Wish: Sendable, Equatable {
        package var piece: String
        /// The speed and the day; nil ends the goal.
        package var aim: Aim?

        package struct Aim: Sendable, Equatable {
            package var speed: Speed
            package var by: LocalDay
        }

        package init(scoreText text: String) throws(TextError) {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.count > 1, words.last == "off" {
                (piece, aim) = (words.dropLast().joined(separator: " "), nil)
                return
            }
            guard words.count > 4, words[words.count - 4] == "at", words[words.count - 2] == "by",
                let day = LocalDay(text: words[words.count - 1])
            else {
                throw TextError(
                    localized("a goal needs a piece, a speed and a day"),
                    hint: localized("for example 'sequenza-vii at 100% by 2027-03-01', or 'sequenza-vii off'"))
            }
            piece = words.dropLast(4).joined(separator: " ")
            aim = Aim(speed: try Speed(scoreText: words[words.count - 3]), by: day)
        }
    }
}

/// The goals: `$XDG_STATE_HOME/barline/goals.csv`, with a row for each goal that was set or ended; the last of a piece holds.
package struct GoalFile: Sendable {
    package let path: String

    private static let header = "piece,speed,by,since"

    /// The goals of an environment; nil if it names no home folder.
    package init?(environment: [String: String]) {
        guard let folder = BaseFolder.state.path(environment: environment) else { return nil }
        path = folder + "/goals.csv"
    }

    /// Sets a goal. Errors: the file cannot be written.
    package func set(_ goal: Goal) throws(FileError) {
        try append([goal.piece, goal.speed.percent.plainText, goal.by.text, goal.since.text])
    }

    /// Ends the goal of a piece. Errors: the file cannot be written.
    package func end(_ piece: String, on day: LocalDay) throws(FileError) { try append([piece, "", "", day.text]) }

    private func append(_ fields: [String]) throws(FileError) {
        let row = fields.map { CSVText.quoted($0.printable) }.joined(separator: ",")
        try KeptFile(path).append(row, header: GoalFile.header)
    }

    /// The goals in the order in which they were set, and the number of invalid rows. Errors: the file cannot be read.
    package func read() throws(FileError) -> (goals: [Goal], skipped: Int) {
        GoalFile.read(try KeptFile(path).read() ?? [])
    }

    /// The goals in the bytes of the file, and the number of invalid rows. A pure function.
    package static func read(_ bytes: [UInt8]) -> (goals: [Goal], skipped: Int) {
        var goals: [Goal] = []
        var skipped = 0
        for line in bytes.unmarked.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(validating: line, as: UTF8.self)
            if let text, text == header || text.trimmingBlanks.isEmpty { continue }
            guard let fields = text.flatMap(CSVText.fields), fields.count == 4, let since = LocalDay(text: fields[3]),
                case let (speed, by) = (try? Speed(scoreText: fields[1]), LocalDay(text: fields[2])),
                fields[1].isEmpty || speed != nil && by != nil
            else {
                skipped += 1
                continue
            }
            goals.removeAll { $0.piece == fields[0] }
            if let speed, let by { goals.append(Goal(piece: fields[0], speed: speed, by: by, since: since)) }
        }
        return (goals, skipped)
    }
}
