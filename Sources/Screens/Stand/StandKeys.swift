internal import Playback
internal import Scores
internal import UserSettings

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

/// What a key does at the stand, for its help, and how.
struct StandKey {
    /// What the key does.
    let says: String
    /// The same while a plan of intervals plays.
    let saysOfRun: String
    let action: StandAction

    fileprivate init(_ says: String, run: String? = nil, _ action: StandAction) {
        (self.says, self.saysOfRun, self.action) = (says, run ?? says, action)
    }
}

extension KeyAction {
    /// What a key with this action does at the stand.
    var standKey: StandKey {
        switch self {
        case .pause: StandKey("pause, resume", .command(.togglePause))
        case .restart: StandKey("restart bar; leave a hold", run: "restart interval", .goOn)
        case .previousBar:
            StandKey("start of bar; previous bar", run: "start of interval; previous", .command(.previousBar))
        case .nextBar: StandKey("next bar", run: "next interval", .command(.nextBar))
        case .previousLine: StandKey("start of line", run: "start of set", .command(.previousLine))
        case .nextLine: StandKey("next line", run: "next set", .command(.nextLine))
        case .firstBar: StandKey("first bar", run: "first interval", .command(.firstBar))
        case .goTo: StandKey("go to 5.7, a label, a time", run: "go to 5.2 (set 5), a time", .ask(.place))
        case .loopBar: StandKey("loop this bar", run: "loop this interval", .loopBar)
        case .loopLine: StandKey("loop this line", run: "loop this set", .loopLine)
        case .loopFrom: StandKey("loop from this bar …", run: "loop from this interval …", .markStart)
        case .loopTo: StandKey("… to this bar", run: "… to this interval", .markEnd)
        case .loopEnd: StandKey("end loop or program", .unloop)
        case .program: StandKey("practice program", .ask(.program))
        case .faster: StandKey("5 % faster", .command(.speed(change: 5)))
        case .slower: StandKey("5 % slower", .command(.speed(change: -5)))
        case .faster1: StandKey("1 % faster", .command(.speed(change: 1)))
        case .slower1: StandKey("1 % slower", .command(.speed(change: -1)))
        case .asWritten: StandKey("100 %", .command(.speedTo(.asWritten)))
        case .tap: StandKey("tap the speed", .tap)
        case .drone: StandKey("drone on, off", .command(.toggleDrone))
        case .pitch: StandKey("drone's pitch", .ask(.pitch))
        case .droneLouder: StandKey("drone louder by 1 dB", .command(.droneLevel(decibels: 1)))
        case .droneSofter: StandKey("drone softer", .command(.droneLevel(decibels: -1)))
        case .droneUp: StandKey("drone up a semitone", .command(.dronePitch(semitones: 1)))
        case .droneDown: StandKey("drone down", .command(.dronePitch(semitones: -1)))
        case .waveform: StandKey("drone's next waveform", .nextWaveform)
        case .waveformByName: StandKey("drone's waveform by name", .ask(.waveform))
        case .a4Up: StandKey("A4 up by 0.1 Hz", .command(.a4(hertz: 0.1)))
        case .a4Down: StandKey("A4 down", .command(.a4(hertz: -0.1)))
        case .a4Up1: StandKey("A4 up by 1 Hz", .command(.a4(hertz: 1)))
        case .a4Down1: StandKey("A4 down", .command(.a4(hertz: -1)))
        case .clicks: StandKey("clicks on, off", .command(.toggleClicks))
        case .clicksLouder: StandKey("clicks louder by 1 dB", .command(.clickLevel(decibels: 1)))
        case .clicksSofter: StandKey("clicks softer", .command(.clickLevel(decibels: -1)))
        case .countIn: StandKey("count-in at jumps on, off", .command(.toggleCountIn))
        case .later: StandKey("shift 10 ms later", .command(.nudge(.milliseconds(10))))
        case .earlier: StandKey("shift 10 ms earlier", .command(.nudge(.milliseconds(-10))))
        case .reset: StandKey("reset sound and speed", .command(.revert))
        case .digits: StandKey("digits: seconds, bar", run: "digits: time left, interval", .nextDigits)
        case .flash: StandKey("flash: off, screen, border", .nextFlash)
        case .nextPiece: StandKey("next piece of the set list", .nextPiece)
        case .help: StandKey("help", .help)
        case .quit: StandKey("end", .command(.stop))
        }
    }
}

extension KeyBindings {
    /// The name of the main key of an action; empty if it has none.
    func name(of action: KeyAction) -> String { keys(of: action).first?.name ?? "" }

    /// What the keys of an action do, for the help, with the names of the other keys: `pause, resume (also Page Down)`.
    func explanation(of action: KeyAction, isRun: Bool = false) -> String {
        let key = action.standKey
        let others = keys(of: action).dropFirst().map(\.name).joined(separator: ", ")
        return (isRun ? key.saysOfRun : key.says) + (others.isEmpty ? "" : " (also \(others))")
    }
}
