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
        let wish = try self.passage.passage(of: .named(score))
        let (page, passage, first) = (wish.score, wish.passage, wish.first)
        var performance = Performance(of: page, passage: passage)
        performance.first = first
        if let speed = self.passage.speed { performance.speed = speed }
        performance.countIn = countIn ?? .off
        let start = Anchor(
            time: performance.countInLength, position: passage.position(of: first), speed: performance.speed)
        // Of a passage that repeats forever, one pass is printed.
        let boundaries = first..<(passage.count ?? (first / passage.barsInPass + 1) * passage.barsInPass)
        let table = TimelineTable(performance, boundaries, start, ofBeats: beats ? InnerSettings(page) : nil, style)
        var output = StandardOutput()
        try table.write { try output.write($0) }
        try output.flush()
    }
}
