package import Charts
package import Scores
internal import Timing

/// A list of all boundaries of a score, or of its beats. `print` writes it to standard output.
package struct TimelineRequest: Sendable {
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    package var passage = PassageRequest()
    /// The count-in from whose start times are counted.
    package var countIn: Score.Lead?
    /// Whether there is a row for every beat.
    package var beats = false
    package var style = TimelineTable.Style.table

    package init(_ score: String) { self.score = score }

    /// Prints it. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        let wish = try passage.passage(of: .named(score))
        var performance = Performance(of: wish.score, passage: wish.passage)
        performance.first = wish.first
        if let speed = passage.speed { performance.speed = speed }
        performance.countIn = countIn ?? .off
        let table = TimelineTable(performance, ofBeats: beats ? InnerSettings(wish.score) : nil, style)
        try table.write { try StandardOutput.print($0) }
    }
}
