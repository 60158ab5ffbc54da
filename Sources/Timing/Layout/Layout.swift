package import Scores

/// The page of a score laid out in time: the duration of each written bar, and the sums over bars, lines and repeats.
///
/// It is a tree that shares repeated parts: a pass is found by multiplication, a bar by descending, and one sum is kept
/// for every 16 bars of a line. The tempo belongs to the place on the page, so every written bar has one duration.
package struct Layout: Sendable {
    /// A node of the tree: its content, and its size and duration.
    struct Node: Sendable {
        var label = ""
        var bars = 0
        var lines = 0
        /// The bars on the page, each counted once.
        var count = BarCount()
        /// Whether a bar has a number of its own.
        var hasNumbers = false
        var duration = Duration.zero
        /// The last bar in which live music waits for the player; nil if there is none.
        var lastWait: Int?
        /// How much of it the tempo decides.
        var metered = MeteredTime()
        var content: Content

        enum Content: Sendable {
            case line(Int)
            case sequence([Child])
            case passes(node: Int, count: Int)
        }
    }

    /// A node in a sequence, and the sums over the nodes before it.
    struct Child: Sendable {
        var node: Int
        var bar: Int
        var line: Int
        var count: BarCount
        var start: Duration
    }

    /// A line, laid out.
    struct Leaf: Sendable {
        var bars: [Score.Bar]
        /// The duration of each bar; empty if all are as written.
        var durations: [Duration] = []
        /// The starts within the line of bars 0, 16, 32 ...
        var sums: [Duration] = []
        /// The tempo: an entry at each bar where it changes, and at every bar of a ramp.
        var curves: [At<TempoCurve>] = []
        /// The note value that the tempo counts: an entry at each bar where it changes.
        var units: [At<Fraction>] = []
        /// The drone: an entry at each bar where it changes.
        var drones: [At<DroneChange>] = []
        /// The bars up to each bar with a number of its own: an entry at the bar after it.
        var numbers: [At<BarCount>] = []
    }

    /// A value that holds from a bar of a line on.
    struct At<Value: Sendable>: Sendable {
        var bar: Int
        var value: Value
    }

    struct Section: Sendable {
        var heading: Score.Section.Heading
        /// Its range among all bars of the page, with repeats unfolded.
        var bars: Range<Int>
        /// The number of its first line, each pass counted.
        var firstLine: Int
        /// The written bars before it.
        var count: BarCount
        /// Its start, counted from the beginning of the page.
        var start: Duration
        var node: Int
        var jumps: [PlacedJump]
    }

    /// A jump, with the bar after which it is taken, and where that is written in its section.
    struct PlacedJump: Sendable {
        var bar: Int
        var jump: Jump
        /// The lines before its line, and the bars before its bar in that line.
        var written: (line: Int, bar: Int)

        func moved(by bars: Int) -> Self { PlacedJump(bar: bar + bars, jump: jump, written: written) }
    }

    static let stride = 16

    var nodes: [Node] = []
    var leaves: [Leaf] = []
    /// The sections in the order of the page.
    var sections: [Section] = []
    /// Whether a bar has a hold, and whether a bar has a warning of its own.
    var hasHolds = false
    var hasWarnings = false
    /// The first bar that changes the drone, as a problem of a voice that does not lead.
    package var droneChange: Problem?
    /// The problems of the page, in its order; at most 100.
    package var problems: [Problem] = []
    /// What the author should know, in its order; at most 100.
    package var warnings: [Problem] = []
    /// The hits in their order; empty if they cannot be met.
    var hits: [HitPoint] = []

    /// The number of bars of the page, with repeats unfolded.
    package var barCount: Int { sections.last?.bars.upperBound ?? 0 }
    /// The duration of the page, with repeats unfolded.
    package var total: Duration { sections.last.map { $0.start + nodes[$0.node].duration } ?? .zero }

    /// A problem of the page: it cannot be played as written.
    package struct Problem: Sendable {
        package var error: TextError
        /// The number of lines before its line in the section or fragment.
        package var line: Int
        /// The bar of the line; nil if the piece up to there is too large.
        package var bar: Int?
        /// The number of passes that make the piece too large; nil if repeats are not the reason.
        package var passes: Int?
        /// The section or fragment.
        package var container: Score.Container
    }

    /// Lays out a score. Linear in its written size.
    package init(_ score: Score) {
        var builder = LayoutBuilder(score)
        self = builder.layout()
        guard !builder.survey.hits.isEmpty, problems.isEmpty else { return }
        // Now that it is known what lies between the hits, the page is laid out with the tempi that meet them.
        let fitting = HitFitting(score, builder.survey.hits)
        problems = fitting.problems
        warnings = fitting.warnings
        guard problems.isEmpty else { return }
        builder = LayoutBuilder(score, fits: fitting.fits)
        let warnings = warnings
        self = builder.layout()
        self.warnings = warnings
        hits = zip(builder.survey.hits, fitting.tempi).map { reached, tempi in
            HitPoint(
                hit: reached.hit, bar: reached.bar, offset: reached.offset, position: reached.position,
                time: score.position(of: reached.hit), tempi: tempi)
        }
    }

    init() {}
}
