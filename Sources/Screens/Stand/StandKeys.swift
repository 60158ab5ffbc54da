internal import Playback
internal import Scores

/// An action of a key at the stand.
enum StandAction: Equatable {
    /// Sends this command.
    case command(Command)
    /// Continues from a hold; otherwise restarts the bar.
    case goOn
    /// Loops this bar, or ends its loop.
    case loopBar
    /// Loops this line, or ends its loop.
    case loopLine
    /// Marks this bar as the first of the next loop.
    case markStart
    /// Makes this bar the last of the loop, and starts it.
    case markEnd
    /// Ends the loop or the practice program.
    case unloop
    /// Asks for a line to be typed.
    case ask(StandChoices.Prompt.Kind)
    /// Takes a tap for the speed: on beats if the bar has a meter, otherwise on seconds.
    case tap
    /// Gives the drone the next waveform.
    case nextWaveform
    /// Changes what the large digits show.
    case nextDigits
    /// Changes how bars flash.
    case nextFlash
    /// Goes on to the next piece of the set list.
    case nextPiece
    /// Shows the next page of the help, or the music after the last one.
    case help
}

/// A key at the stand: its help text and its action.
struct StandKey {
    let keys: [Key]
    /// The name of the key in the help.
    let name: String
    /// What the key does, for the help.
    let says: String
    /// The same while a plan of intervals plays.
    let saysOfRun: String
    let action: StandAction

    private init(_ keys: [Key], _ name: String, _ says: String, run: String? = nil, _ action: StandAction) {
        (self.keys, self.name, self.says, self.saysOfRun, self.action) = (keys, name, says, run ?? says, action)
    }

    private init(_ key: Character, _ says: String, run: String? = nil, _ action: StandAction) {
        self.init([.character(key)], String(key), says, run: run, action)
    }

    /// Every key, in the order of the help.
    static let all: [StandKey] = [
        StandKey([.character(" "), .pageDown], "Space", "pause, resume (also Page Down)", .command(.togglePause)),
        StandKey([.enter], "Enter", "restart bar; leave a hold", run: "restart interval", .goOn),
        StandKey(
            [.left], "←", "start of bar; previous bar", run: "start of interval; previous", .command(.previousBar)),
        StandKey([.right], "→", "next bar", run: "next interval", .command(.nextBar)),
        StandKey(
            [.up, .pageUp], "↑", "start of line (also Page Up)", run: "start of set (also Page Up)",
            .command(.previousLine)),
        StandKey([.down], "↓", "next line", run: "next set", .command(.nextLine)),
        StandKey([.home], "Home", "first bar", run: "first interval", .command(.firstBar)),
        StandKey("g", "go to 5.7, a label, a time", run: "go to 5.2 (set 5), a time", .ask(.place)),
        StandKey("l", "loop this bar", run: "loop this interval", .loopBar),
        StandKey("L", "loop this line", run: "loop this set", .loopLine),
        StandKey("[", "loop from this bar …", run: "loop from this interval …", .markStart),
        StandKey("]", "… to this bar", run: "… to this interval", .markEnd),
        StandKey("o", "end loop or program", .unloop),
        StandKey("P", "practice program", .ask(.program)),
        StandKey([.character("+"), .character("=")], "+", "5 % faster", .command(.speed(change: 5))),
        StandKey("-", "5 % slower", .command(.speed(change: -5))),
        StandKey(">", "1 % faster", .command(.speed(change: 1))),
        StandKey("<", "1 % slower", .command(.speed(change: -1))),
        StandKey("0", "100 %", .command(.speedTo(.asWritten))),
        StandKey("t", "tap the speed", .tap),
        StandKey("d", "drone on, off", .command(.toggleDrone)),
        StandKey("p", "drone's pitch", .ask(.pitch)),
        StandKey("m", "drone louder by 1 dB", .command(.droneLevel(decibels: 1))),
        StandKey("n", "drone softer", .command(.droneLevel(decibels: -1))),
        StandKey("M", "drone up a semitone", .command(.dronePitch(semitones: 1))),
        StandKey("N", "drone down", .command(.dronePitch(semitones: -1))),
        StandKey("w", "drone's next waveform", .nextWaveform),
        StandKey("W", "drone's waveform by name", .ask(.waveform)),
        StandKey("b", "A4 up by 0.1 Hz", .command(.a4(hertz: 0.1))),
        StandKey("v", "A4 down", .command(.a4(hertz: -0.1))),
        StandKey("B", "A4 up by 1 Hz", .command(.a4(hertz: 1))),
        StandKey("V", "A4 down", .command(.a4(hertz: -1))),
        StandKey("c", "clicks on, off", .command(.toggleClicks)),
        StandKey("x", "clicks louder by 1 dB", .command(.clickLevel(decibels: 1))),
        StandKey("z", "clicks softer", .command(.clickLevel(decibels: -1))),
        StandKey("i", "count-in at jumps on, off", .command(.toggleCountIn)),
        StandKey(".", "shift 10 ms later", .command(.nudge(.milliseconds(10)))),
        StandKey(",", "shift 10 ms earlier", .command(.nudge(.milliseconds(-10)))),
        StandKey("R", "reset sound and speed", .command(.revert)),
        StandKey("s", "digits: seconds, bar", run: "digits: time left, interval", .nextDigits),
        StandKey("f", "flash: off, screen, border", .nextFlash),
        StandKey([.tab], "Tab", "next piece of the set list", .nextPiece),
        StandKey([.character("?"), .character("h")], "?", "help", .help),
        StandKey([.character("q"), .character("Q")], "q", "end", .command(.stop)),
    ]

    /// The action of a key; nil if it has none.
    static func action(of key: Key) -> StandAction? { all.first { $0.keys.contains(key) }?.action }
}
