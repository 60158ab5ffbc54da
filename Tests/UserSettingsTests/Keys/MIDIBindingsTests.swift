import Scores
import Shared
import Testing
import UserSettings

@Suite("MIDI buttons of the user")
struct MIDIBindingsTests {
    @Test("actions have the signals that are listed, and the others stay")
    func listed() throws {
        let midi = try MIDIBindings(
            text: "Pause note 60 CC 64,next-bar ch 10 control 20, go-to 5.7 note 61, go-to a coda program 3, begin none"
        )
        #expect(midi.meaning(of: MIDISignal(.note, 60, channel: 4)) == .init(.pause))
        #expect(midi.meaning(of: MIDISignal(.control, 64, channel: 1)) == .init(.pause))
        #expect(midi.meaning(of: MIDISignal(.control, 20, channel: 10)) == .init(.nextBar))
        #expect(midi.meaning(of: MIDISignal(.control, 20, channel: 9)) == nil)
        #expect(midi.meaning(of: MIDISignal(.note, 61, channel: 9)) == .init(.goTo, "5.7"))
        #expect(midi.meaning(of: MIDISignal(.program, 3, channel: 9)) == .init(.goTo, "a coda"))
        #expect(midi.meaning(of: MIDISignal(.start)) == nil)
        #expect(midi.meaning(of: MIDISignal(.stop)) == .init(.halt))
        #expect(midi.signals(of: .goTo) == [MIDISignal(.note, 61), MIDISignal(.program, 3)])
        #expect(try MIDIBindings(text: midi.text) == midi)
        #expect(try MIDIBindings(text: "standard") == .standard && MIDIBindings.standard.text == "standard")
    }

    @Test("a channel of its own is stronger than every channel")
    func channels() throws {
        let midi = try MIDIBindings(text: "pause note 60, drone ch 2 note 60")
        #expect(midi.meaning(of: MIDISignal(.note, 60, channel: 2)) == .init(.drone))
        #expect(midi.meaning(of: MIDISignal(.note, 60, channel: 1)) == .init(.pause))
    }

    @Test(
        "the error about an invalid list says what is valid",
        arguments: [
            ("paus note 60", "'paus' is not an action of a key; did you mean 'pause'?"),
            (
                "pause",
                "the action 'pause' has no message of MIDI; write for example 'pause note 60', control 64, program 1, start, stop, continue or clock"
            ),
            ("pause note 128", "'note 128' does not exist in MIDI; the number is 0 to 127"),
            ("pause ch 17 note 1", "'ch 17' does not exist in MIDI; the number is 1 to 16"),
            (
                "pause loud note 60",
                "'loud' is not a message of MIDI; write for example note 60, ch 10 control 64, program 1, start or clock"
            ),
            ("go-to note 60", "the action 'go-to' needs what it would ask for, such as go-to 5.7 note 60"),
            ("pause note 1, pause note 2", "the action 'pause' is listed twice"),
            (
                "pause note 1, drone note 1",
                "'note 1' has two actions: pause and drone; write 'drone none' if that is meant"
            ),
            ("pause start", "'start' has two actions: pause and begin; write 'begin none' if that is meant"),
            ("pause note 1,", "an action is missing before or after a comma"),
            ("", "a value is missing, for example pause note 60, next-bar control 64"),
        ])
    func faults(text: String, message: String) {
        let error = #expect(throws: TextError.self) { try MIDIBindings(text: text) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test("what is learnt has this meaning alone, and reads back from the settings")
    func learning() throws {
        var random = Seeded(state: 3)
        var midi = MIDIBindings.standard
        let actions = KeyAction.allCases.filter { !$0.asks }
        for _ in 0..<500 {
            let kind = MIDISignal.Kind.allCases[random.int(0...6)]
            let signal =
                kind.hasNumber
                ? MIDISignal(kind, random.int(0...20), channel: random.int(1...3)) : MIDISignal(kind)
            let meaning = MIDIBindings.Meaning(actions[random.int(0...actions.count - 1)])
            midi = midi.learning(signal, meaning)
            #expect(midi.meaning(of: signal) == meaning)
            #expect(midi.signals(of: meaning.action).filter { $0 == signal }.count == 1)
            #expect(try MIDIBindings(text: midi.text) == midi)
        }
    }

    @Test("10 000 hostile lists are read or refused")
    func hostile() {
        var random = Seeded(state: 9)
        let words = [
            "pause", "go-to", "note", "control", "program", "ch", "10", "999999999999999999999", "start", "none", ",",
            "é", "5.7", "-1",
        ]
        var refused = 0
        for _ in 0..<10_000 {
            let text = (0..<random.int(0...9)).map { _ in words[random.int(0...words.count - 1)] }.joined(
                separator: " ")
            if (try? MIDIBindings(text: text)) == nil { refused += 1 }
        }
        #expect((1000..<10_000).contains(refused))
    }
}
