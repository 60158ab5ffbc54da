internal import Languages
package import Playback
internal import Scores
package import UserSettings

/// An action of a key at the stand.
package enum StandAction: Equatable {
    case command(Command)
    /// Continues from a hold; otherwise restarts the bar.
    case goOn
    /// Plays from the first bar, also if the music stands still.
    case begin
    /// Loop this bar or line, or end the loop of it.
    case loopBar, loopLine
    /// Mark this bar as the first of the next loop; make it the last one, and begin the loop.
    case markStart, markEnd
    /// Ends the loop or the practice program.
    case unloop
    /// Asks for a line to be typed.
    case ask(StandChoices.Prompt.Kind)
    /// Takes a tap for the speed: on beats if the bar has a meter, otherwise on seconds.
    case tap
    /// Takes a tap that says that the player begins a bar.
    case tapBar
    /// Loops the bars that a microphone has heard farthest from the usual lateness.
    case loopWorth
    case nextWaveform, nextDigits, nextFlash
    /// Goes on to the next piece of the set list.
    case nextPiece
    /// Shows the next address that lets others in, with those who are connected, or the music after the last one.
    case addresses
    /// Shows the next page of the help, or the music after the last one.
    case help
}

extension StandAction {
    /// Whether only the machine that leads can do it: it changes where the music is and how it goes on, or the practice log, or
    /// shows who follows.
    fileprivate var isOfLeader: Bool {
        switch self {
        case .command(let command): command.subject == .music
        case .goOn, .begin, .loopBar, .loopLine, .loopWorth, .markStart, .markEnd, .unloop, .tap, .nextPiece,
            .addresses:
            true
        case .ask(let question): question.isOfLeader
        case .tapBar, .nextWaveform, .nextDigits, .nextFlash, .help: false
        }
    }
}

/// What a key does at the stand, for its help, and how.
package struct StandKey {
    /// What the key does.
    package let says: String
    /// The same while a plan of intervals plays.
    package let saysOfRun: String
    /// The same where another machine leads; nil if that makes no difference.
    package let saysWhereLed: String?
    package let action: StandAction

    fileprivate init(_ says: String, run: String? = nil, led: String? = nil, _ action: StandAction) {
        (self.says, self.saysOfRun, self.saysWhereLed, self.action) = (says, run ?? says, led, action)
    }
}

extension KeyAction {
    /// Whether only the machine that leads can do it.
    var isOfLeader: Bool { standKey.action.isOfLeader }

    /// What a key with this action does at the stand.
    package var standKey: StandKey {
        switch self {
        case .pause: StandKey(localized("pause, resume"), .command(.togglePause))
        case .play: StandKey(localized("resume; no effect while it plays"), .command(.resume))
        case .halt: StandKey(localized("pause; no effect in a pause"), .command(.pause))
        case .begin:
            StandKey(localized("play from the first bar"), run: localized("play from the first interval"), .begin)
        case .restart: StandKey(localized("restart bar; end a wait"), run: localized("restart interval"), .goOn)
        case .previousBar:
            StandKey(
                localized("start of bar; previous bar"), run: localized("start of interval; previous"),
                .command(.jump(.previousBar)))
        case .nextBar: StandKey(localized("next bar"), run: localized("next interval"), .command(.jump(.nextBar)))
        case .previousLine:
            StandKey(localized("start of line"), run: localized("start of set"), .command(.jump(.previousLine)))
        case .nextLine: StandKey(localized("next line"), run: localized("next set"), .command(.jump(.nextLine)))
        case .firstBar: StandKey(localized("first bar"), run: localized("first interval"), .command(.jump(.firstBar)))
        case .goTo:
            StandKey(localized("go to 5.7, a label, a time"), run: localized("go to 5.2 (set 5), a time"), .ask(.place))
        case .loopBar: StandKey(localized("loop this bar"), run: localized("loop this interval"), .loopBar)
        case .loopLine: StandKey(localized("loop this line"), run: localized("loop this set"), .loopLine)
        case .loopFrom:
            StandKey(localized("loop from this bar …"), run: localized("loop from this interval …"), .markStart)
        case .loopTo: StandKey(localized("… to this bar"), run: localized("… to this interval"), .markEnd)
        case .loopEnd: StandKey(localized("end loop or program"), .unloop)
        case .program: StandKey(localized("practice program"), led: localized("bars without clicks"), .ask(.program))
        case .faster: StandKey(localized("5 % faster"), .command(.speed(change: 5)))
        case .slower: StandKey(localized("5 % slower"), .command(.speed(change: -5)))
        case .faster1: StandKey(localized("1 % faster"), .command(.speed(change: 1)))
        case .slower1: StandKey(localized("1 % slower"), .command(.speed(change: -1)))
        case .asWritten: StandKey("100 %", .command(.speedTo(.asWritten)))
        case .tap: StandKey(localized("tap the speed"), .tap)
        case .tapBar:
            StandKey(localized("tap: you begin a bar"), run: localized("tap: you begin an interval"), .tapBar)
        case .weakBars:
            StandKey(
                localized("loop the bars farthest off"), run: localized("loop the intervals farthest off"), .loopWorth)
        case .mark: StandKey(localized("note: good, bad, or words"), .ask(.mark))
        case .message: StandKey(localized("message to all"), .ask(.message))
        case .drone: StandKey(localized("drone on, off"), .command(.toggleDrone))
        case .pitch: StandKey(localized("drone's pitch"), .ask(.pitch))
        case .droneLouder: StandKey(localized("drone louder by 1 dB"), .command(.droneLevel(decibels: 1)))
        case .droneSofter: StandKey(localized("drone softer"), .command(.droneLevel(decibels: -1)))
        case .droneUp: StandKey(localized("drone up a semitone"), .command(.dronePitch(semitones: 1)))
        case .droneDown: StandKey(localized("drone down"), .command(.dronePitch(semitones: -1)))
        case .waveform: StandKey(localized("drone's next waveform"), .nextWaveform)
        case .waveformByName: StandKey(localized("drone's waveform by name"), .ask(.waveform))
        case .a4Up: StandKey(localized("A4 up by 0.1 Hz"), .command(.a4(hertz: 0.1)))
        case .a4Down: StandKey(localized("A4 down"), .command(.a4(hertz: -0.1)))
        case .a4Up1: StandKey(localized("A4 up by 1 Hz"), .command(.a4(hertz: 1)))
        case .a4Down1: StandKey(localized("A4 down"), .command(.a4(hertz: -1)))
        case .clicks: StandKey(localized("clicks on, off"), .command(.toggleClicks))
        case .clicksLouder: StandKey(localized("clicks louder by 1 dB"), .command(.clickLevel(decibels: 1)))
        case .clicksSofter: StandKey(localized("clicks softer"), .command(.clickLevel(decibels: -1)))
        case .countIn: StandKey(localized("count-in at jumps on, off"), .command(.toggleCountIn))
        case .later: StandKey(localized("shift 10 ms later"), .command(.nudge(.milliseconds(10))))
        case .earlier: StandKey(localized("shift 10 ms earlier"), .command(.nudge(.milliseconds(-10))))
        case .reset: StandKey(localized("reset sound and speed"), .command(.revert))
        case .digits:
            StandKey(
                localized("digits: \(DigitsChoice.allCases.map(\.says.word).joined(separator: ", "))"),
                run: localized("digits: \(DigitsChoice.allCases.map(\.says.ofRun).joined(separator: ", "))"),
                .nextDigits)
        case .flash:
            StandKey(localized("flash: \(FlashChoice.allCases.map(\.says.word).joined(separator: ", "))"), .nextFlash)
        case .nextPiece: StandKey(localized("next piece of the set list"), .nextPiece)
        case .addresses: StandKey(localized("addresses; who is connected"), .addresses)
        case .help: StandKey(localized("help"), .help)
        case .quit: StandKey(localized("end"), .command(.stop))
        }
    }
}

/// The keys and what they do, for people and programs.
package enum KeyTable {
    /// A row for each action: its name in the settings, the words of its keys, and what they do.
    package static func rows(_ keys: KeyBindings) -> [(action: KeyAction, keys: [Key], says: String)] {
        KeyAction.allCases.map { ($0, keys.keys(of: $0), $0.standKey.says) }
    }

    /// A line for each key, for a terminal without a picture: `Space: pause, resume (also Page Down)`.
    static func lines(_ keys: KeyBindings, _ parts: PieceParts, isLed: Bool = false) -> [String] {
        KeyAction.allCases.filter { !keys.keys(of: $0).isEmpty }.compactMap { action in
            switch action {
            case .flash: nil
            case .digits: localized("\(keys.spokenName(of: action)): where the music is")
            default: "\(keys.spokenName(of: action)): \(keys.explanation(of: action, in: parts, isLed: isLed))"
            }
        }
    }
}

extension KeyBindings {
    /// The name of the main key of an action in words that can be read aloud.
    func spokenName(of action: KeyAction) -> String {
        switch keys(of: action).first {
        case .up: localized("Up arrow")
        case .down: localized("Down arrow")
        case .left: localized("Left arrow")
        case .right: localized("Right arrow")
        default: name(of: action)
        }
    }

    /// The name of the main key of an action; empty if it has none.
    package func name(of action: KeyAction) -> String { keys(of: action).first?.shownName ?? "" }

    /// What the keys of an action do, for the help, with the names of the other keys: `pause, resume (also Page Down)`.
    package func explanation(of action: KeyAction, in parts: PieceParts = .bars, isLed: Bool = false) -> String {
        let key = action.standKey
        let others = keys(of: action).dropFirst().map(\.shownName).joined(separator: ", ")
        let says = (isLed ? key.saysWhereLed : nil) ?? (parts == .bars ? key.says : key.saysOfRun)
        return others.isEmpty ? says : localized("\(says) (also \(others))")
    }
}
