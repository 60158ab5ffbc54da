package import Scores

/// What an interval asks of the runner besides its measure: all that is written after an `@` and is not the measure's pace.
///
/// Plans, tables, editors, screens and pages have its texts from here. A voice has the words of `IntervalAnnouncement.swift`.
public struct Demands: Sendable, Hashable {
    /// How hard the interval is, if its pace does not say it; nil for nothing else.
    public var effort: Effort?

    /// Makes demands.
    public init(effort: Effort? = nil) { self.effort = effort }

    /// Whether the interval asks nothing.
    package var isEmpty: Bool { self == Demands() }

    /// Whether a pace follows from it; then the measure has none.
    package var hasPace: Bool { effort?.isPace ?? false }

    /// All as they are written in a plan, without the `@`: `80%`, `140-150 bpm`; empty for none.
    package var text: String { shown() ?? "" }

    /// Those that hold at the speed that is played: a share of a pace does so only at the written one. Nil for none.
    package func shown(asWritten: Bool = true) -> String? {
        effort.flatMap { asWritten || !$0.isPace ? $0.text : nil }
    }

    /// Reads demands. Nil if the text has none, or something else too. Errors: a value is out of range; with its place.
    package init?(runText text: String) throws(Problem) {
        var scanner = TextCursor(runText: text)
        self = try scanner.demands()
        scanner.skipBlanks()
        if isEmpty || scanner.next != nil { return nil }
    }
}

extension TextCursor {
    /// Reads the demands that come next, with or without `@`; none if none do. Errors: as those of `effort`.
    mutating func demands() throws(Problem) -> Demands { Demands(effort: try effort()) }
}
