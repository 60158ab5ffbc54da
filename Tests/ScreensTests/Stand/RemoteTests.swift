import Cables
import Playback
import Scores
import Screens
import Shared
import Testing
import UserSettings

/// Commands of other machines.
@Suite struct RemoteTests {
    private static let lines: [KeyAction: String] = [
        .goTo: "2.1", .program: "silent 1 of 4", .mark: "good", .message: "from B", .pitch: "B3",
        .waveformByName: "oboe",
    ]

    @Test("a command by OSC or MIDI does what its key does", arguments: KeyAction.allCases)
    func likeItsKey(action: KeyAction) throws {
        let line = Self.lines[action] ?? ""
        #expect(action.asks == !line.isEmpty)
        let status = Status.of()
        func result(_ body: (Stand) -> [Command]) -> ([Command], StandChoices) {
            var choices = StandChoices()
            choices.invitations = [Invitation("control", "http://192.168.178.123:8573/#0b5c", code: [])]
            let stand = Stand(choices, guests: { [Guest(.page, number: 1, mayControl: false, contact: 0)] })
            stand.see(status)
            let commands = body(stand)
            return (commands, stand.choices)
        }
        let osc = try #require(
            OSCCommand.read(OSCMessage("/barline/\(action.rawValue)", line.isEmpty ? [.float(1)] : [.string(line)])))
        let byOSC = result { $0.perform(osc.action, with: osc.text, at: 5) }
        var buttons = MIDIButtons(try MIDIBindings(text: "\(action.rawValue) \(line) note 60"))
        let read = buttons.read(ButtonMessage(MIDISignal(.note, 60, channel: 1)))
        let midi = try #require(read)
        let byMIDI = result { $0.perform(midi.action, with: midi.text, at: 5) }
        #expect(byMIDI == byOSC)
        guard let key = action.standardKeys.first else {
            let commands: [KeyAction: [Command]] = [
                .play: [.resume], .halt: [.pause], .begin: [.jump(.firstBar), .resume],
            ]
            #expect(byOSC.0 == commands[action])
            return
        }
        let byKey = result { stand in
            let typed = line.isEmpty ? [] : line.map(Key.character) + [.enter]
            return ([key] + typed).flatMap { stand.press($0, at: 5) }
        }
        #expect(byOSC == byKey)
    }
}
