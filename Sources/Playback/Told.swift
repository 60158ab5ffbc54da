public import Timing

/// A tap, a note or a message of a player while music plays. `Command.tell` gives it, `Status.told` shows it to screens, and the
/// music goes on as it was.
public struct Told: Sendable, Equatable {
    /// What is told.
    public enum Word: Sendable, Equatable {
        /// The player begins a bar at this time, CLOCK_MONOTONIC in ns. No effect while the music stands still.
        case tap(at: Int64)
        /// A note about this take, such as `good`.
        case mark(String)
        /// A message to all who play along, such as `once more from B`.
        case message(String)

        /// The player's words; empty for a tap.
        package var text: String {
            switch self {
            case .tap: ""
            case .mark(let text), .message(let text): text
            }
        }

        /// Whether it is only for the machine that leads.
        package var isForLeader: Bool {
            switch self {
            case .tap: false
            case .mark, .message: true
            }
        }
    }

    /// Its number among all that has been told, from 1.
    public package(set) var number: Int
    /// What was told.
    public package(set) var word: Word
    /// The bar that was heard; for a tap, the bar that begins nearest to it.
    public package(set) var bar: TimedBar
    /// How much later than that boundary a tap was; negative if it was earlier.
    public package(set) var late = Duration.zero
    /// When it arrived, CLOCK_MONOTONIC in ns.
    public package(set) var arrived: Int64

    package init(number: Int, _ word: Word, _ bar: TimedBar, arrived: Int64) {
        (self.number, self.word, self.bar, self.arrived) = (number, word, bar, arrived)
    }
}
