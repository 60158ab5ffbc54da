/// What a key does while music plays, by the name that it has in the settings; in the order of the help.
package enum KeyAction: String, Sendable, CaseIterable {
    case pause, play, halt, begin, restart
    case previousBar = "previous-bar"
    case nextBar = "next-bar"
    case previousLine = "previous-line"
    case nextLine = "next-line"
    case firstBar = "first-bar"
    case goTo = "go-to"
    case loopBar = "loop-bar"
    case loopLine = "loop-line"
    case loopFrom = "loop-from"
    case loopTo = "loop-to"
    case loopEnd = "loop-end"
    case program
    case faster, slower
    case faster1 = "faster-1"
    case slower1 = "slower-1"
    case asWritten = "as-written"
    case tap
    case tapBar = "tap-bar"
    case weakBars = "weak-bars"
    case mark, message
    case drone, pitch
    case droneLouder = "drone-louder"
    case droneSofter = "drone-softer"
    case droneUp = "drone-up"
    case droneDown = "drone-down"
    case waveform
    case waveformByName = "waveform-by-name"
    case a4Up = "a4-up"
    case a4Down = "a4-down"
    case a4Up1 = "a4-up-1"
    case a4Down1 = "a4-down-1"
    case clicks
    case clicksLouder = "clicks-louder"
    case clicksSofter = "clicks-softer"
    case countIn = "count-in"
    case later, earlier, reset, digits, flash
    case nextPiece = "next-piece"
    case addresses, help, quit

    /// The keys that have this action unless the user's settings say otherwise; the first one is the main key.
    package var standardKeys: [Key] {
        switch self {
        case .pause: [.character(" "), .pageDown]
        case .play, .halt, .begin: []
        case .restart: [.enter]
        case .previousBar: [.left]
        case .nextBar: [.right]
        case .previousLine: [.up, .pageUp]
        case .nextLine: [.down]
        case .firstBar: [.home]
        case .goTo: [.character("g")]
        case .loopBar: [.character("l")]
        case .loopLine: [.character("L")]
        case .loopFrom: [.character("[")]
        case .loopTo: [.character("]")]
        case .loopEnd: [.character("o")]
        case .program: [.character("P")]
        case .faster: [.character("+"), .character("=")]
        case .slower: [.character("-")]
        case .faster1: [.character(">")]
        case .slower1: [.character("<")]
        case .asWritten: [.character("0")]
        case .tap: [.character("t")]
        case .tapBar: [.character("j")]
        case .weakBars: [.character("e")]
        case .mark: [.character("k")]
        case .message: [.character("T")]
        case .drone: [.character("d")]
        case .pitch: [.character("p")]
        case .droneLouder: [.character("m")]
        case .droneSofter: [.character("n")]
        case .droneUp: [.character("M")]
        case .droneDown: [.character("N")]
        case .waveform: [.character("w")]
        case .waveformByName: [.character("W")]
        case .a4Up: [.character("b")]
        case .a4Down: [.character("v")]
        case .a4Up1: [.character("B")]
        case .a4Down1: [.character("V")]
        case .clicks: [.character("c")]
        case .clicksLouder: [.character("x")]
        case .clicksSofter: [.character("z")]
        case .countIn: [.character("i")]
        case .later: [.character(".")]
        case .earlier: [.character(",")]
        case .reset: [.character("R")]
        case .digits: [.character("s")]
        case .flash: [.character("f")]
        case .nextPiece: [.tab]
        case .addresses: [.character("a")]
        case .help: [.character("?"), .character("h")]
        case .quit: [.character("q"), .character("Q")]
        }
    }
    /// Whether it asks for a line, such as a place; another machine sends the line with it.
    package var asks: Bool {
        switch self {
        case .goTo, .program, .mark, .message, .pitch, .waveformByName: true
        default: false
        }
    }
}
