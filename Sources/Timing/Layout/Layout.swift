package import Scores

/// The page of a score laid out in time: how long each written bar is, and how bars, lines and repeats add up.
///
/// It is a tree that shares what is repeated: a pass is found by multiplication, a bar by descending, and one sum is kept
/// for every 16 bars of a line. The tempo belongs to the place on the page, so that every written bar has one duration.
package struct Layout: Sendable {
    /// How often, how long, and what: a node of the tree.
    struct Node: Sendable {
        var label = ""
        var bars = 0
        var lines = 0
        /// Bars on the page, each counted once.
        var written = 0
        var duration = Duration.zero
        /// The last bar in which live music waits for the player; nil for none.
        var lastWait: Int?
        var content: Content

        enum Content: Sendable {
            case line(Int)
            case sequence([Child])
            case passes(node: Int, count: Int)
        }
    }

    /// A node in a sequence, and what stands before it.
    struct Child: Sendable {
        var node: Int
        var bar = 0
        var line = 0
        var written = 0
        var start = Duration.zero
    }

    /// A line as it is laid out.
    struct Leaf: Sendable {
        var bars: [Score.Bar]
        /// The duration of each bar; empty where all are as written.
        var durations: [Duration] = []
        /// The start within the line of bars 0, 16, 32 ...
        var sums: [Duration] = []
        /// The tempo at bars where it begins, and at every bar of a ramp.
        var curves: [At<TempoCurve>] = []
        /// What has become of the drone, at bars where that changes.
        var drones: [At<DroneChange>] = []
    }

    /// Something that holds from a bar of a line on.
    struct At<Value: Sendable>: Sendable {
        var bar: Int
        var value: Value
    }

    /// A section of the page.
    struct Section: Sendable {
        /// Its label; empty for none.
        var label: String
        /// Its bars, among all of the page with repeats unfolded.
        var bars: Range<Int>
        /// The first of its lines, each pass counted.
        var firstLine: Int
        /// How many written bars stand before it.
        var written: Int
        /// When it begins, counted from the beginning of the page.
        var start: Duration
        var node: Int
        /// Jumps by the bars behind which they are taken.
        var jumps: [(bar: Int, jump: Jump)]
    }

    static let stride = 16

    var nodes: [Node] = []
    var leaves: [Leaf] = []
    /// The sections in the order of the page.
    var sections: [Section] = []
    /// What is wrong with the page, in its order; at most 100 problems.
    package var problems: [Problem] = []

    /// How many bars the page has, repeats unfolded.
    var barCount: Int { sections.last?.bars.upperBound ?? 0 }
    /// How long the page lasts, repeats unfolded.
    var total: Duration { sections.last.map { $0.start + nodes[$0.node].duration } ?? .zero }

    /// Something about the page that cannot be played as it is written.
    package struct Problem: Sendable {
        /// What is wrong, and what would be right.
        package var error: TextError
        /// The line: so many lines of its section or fragment are written before it.
        package var line: Int
        /// The bar of the line; nil for what is too large up to there.
        package var bar: Int?
        /// How often what is too large is repeated; nil where it is not by being repeated.
        package var passes: Int?
        /// The section or fragment.
        package var container: Score.Container
    }

    /// Lays out a score. Linear in what is written.
    package init(_ score: Score) {
        var builder = LayoutBuilder(score)
        self = builder.layout()
    }

    init() {}
}
