/// A time bracket: music that begins in one window of time and ends in another.
public struct Bracket: Sendable, Equatable {
    /// Its name or number; if empty, its number among the brackets is used.
    public var label: String
    /// The window in which it may begin, from the start of the piece; a fixed start is a window of no length.
    public var start: ClosedRange<Duration>
    /// The window in which it may end; neither of its edges is before that of `start`.
    public var end: ClosedRange<Duration>
    /// A word for the player; empty if there is none.
    public var cue: String
    /// The name of the player, empty for a single player. The brackets of different players may sound together.
    public var player: String

    /// Makes a bracket.
    public init(
        label: String = "", start: ClosedRange<Duration>, end: ClosedRange<Duration>, cue: String = "",
        player: String = ""
    ) {
        (self.label, self.start, self.end, self.cue, self.player) = (label, start, end, cue, player)
    }

    /// Whether start and end are single moments.
    public var isFixed: Bool { start.lowerBound == start.upperBound && end.lowerBound == end.upperBound }

    /// The maximum number of brackets in a score.
    public static let limit = 10_000
}
