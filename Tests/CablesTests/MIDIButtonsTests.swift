import CALSA
import Cables
import Scores
import Shared
import Testing
import UserSettings

@Suite("Buttons of MIDI devices")
struct MIDIButtonsTests {
    @Test(
        "every action of a key has a button that does the same, with its line if it asks for one",
        arguments: KeyAction.allCases)
    func everyAction(action: KeyAction) throws {
        let line = action.asks ? "5.7" : ""
        let name = [action.rawValue, line].filter { !$0.isEmpty }.joined(separator: " ")
        let signals = [
            ("note 60", MIDISignal(.note, 60, channel: 3)), ("ch 10 control 64", MIDISignal(.control, 64, channel: 10)),
            ("program 127", MIDISignal(.program, 127, channel: 16)),
        ]
        for (words, signal) in signals {
            var buttons = MIDIButtons(try MIDIBindings(text: "\(name) \(words)"))
            #expect(buttons.read(ButtonMessage(signal)) == MIDIBindings.Meaning(action, line))
            // Another number does nothing.
            #expect(buttons.read(ButtonMessage(MIDISignal(signal.kind, 1, channel: signal.channel))) == nil)
        }
    }

    @Test("start, stop and continue play from the first bar, pause and resume")
    func transport() {
        var buttons = MIDIButtons(.standard)
        #expect(buttons.read(ButtonMessage(MIDISignal(.start)))?.action == .begin)
        #expect(buttons.read(ButtonMessage(MIDISignal(.stop)))?.action == .halt)
        #expect(buttons.read(ButtonMessage(MIDISignal(.resume)))?.action == .play)
        #expect(buttons.read(ButtonMessage(MIDISignal(.clock))) == nil)
    }

    @Test("a control is pressed once on its way up, and a note when it begins")
    func presses() throws {
        var buttons = MIDIButtons(try MIDIBindings(text: "pause control 64 note 60"))
        func count(_ kind: MIDISignal.Kind, _ number: Int, _ values: [Int]) -> Int {
            values.filter { buttons.read(ButtonMessage(MIDISignal(kind, number, channel: 1), value: $0)) != nil }.count
        }
        #expect(count(.control, 64, Array(0...127)) == 1)
        #expect(count(.control, 64, Array(0...127).reversed()) == 0)
        #expect(count(.control, 64, [127, 127, 0, 127, 63, 64]) == 3)
        #expect(count(.note, 60, [100, 0, 1, 0, 127]) == 3)
    }

    @Test("24 clocks are one tap, and the first clock after a start is one")
    func clock() throws {
        var buttons = MIDIButtons(try MIDIBindings(text: "tap clock"))
        let clock = ButtonMessage(MIDISignal(.clock))
        let taps: [Int] = (0..<60).filter { _ in buttons.read(clock)?.action == .tap }
        #expect(taps == [0, 24, 48])
        #expect(buttons.read(ButtonMessage(MIDISignal(.start)))?.action == .begin)
        #expect(buttons.read(clock)?.action == .tap)
        #expect(buttons.read(clock) == nil)
    }

    @Test("a hundred thousand random events of the sequencer are read or refused")
    func hostile() {
        var random = Seeded(state: 60)
        var buttons = MIDIButtons(.standard)
        var (read, refused, meant) = (0, 0, 0)
        for _ in 0..<100_000 {
            var event = snd_seq_event_t()
            withUnsafeMutableBytes(of: &event) { bytes in
                for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            }
            // Half of the events are of the kinds that are read.
            if random.int(0...1) == 0 { event.type = [6, 7, 10, 11, 30, 31, 32, 36][random.int(0...7)] }
            guard let message = ButtonMessage(event) else {
                refused += 1
                continue
            }
            read += 1
            #expect((0...127).contains(message.value) && (0...127).contains(message.signal.number))
            #expect(message.signal.channel.map((1...16).contains) != false)
            if buttons.read(message) != nil { meant += 1 }
        }
        #expect(read > 10_000 && refused > 10_000 && meant > 1000)
    }

    @Test("events of the sequencer are the messages that their bytes are")
    func events() {
        var event = snd_seq_event_t()
        event.type = UInt8(SND_SEQ_EVENT_NOTEON.rawValue)
        event.data.note = snd_seq_ev_note_t(channel: 9, note: 37, velocity: 100, off_velocity: 0, duration: 0)
        #expect(ButtonMessage(event) == ButtonMessage(MIDISignal(.note, 37, channel: 10), value: 100))
        event.type = UInt8(SND_SEQ_EVENT_NOTEOFF.rawValue)
        #expect(ButtonMessage(event) == ButtonMessage(MIDISignal(.note, 37, channel: 10), value: 0))
        event.type = UInt8(SND_SEQ_EVENT_CONTROLLER.rawValue)
        event.data.control = snd_seq_ev_ctrl_t(channel: 0, unused: (0, 0, 0), param: 64, value: 127)
        #expect(ButtonMessage(event) == ButtonMessage(MIDISignal(.control, 64, channel: 1), value: 127))
        event.type = UInt8(SND_SEQ_EVENT_PGMCHANGE.rawValue)
        event.data.control = snd_seq_ev_ctrl_t(channel: 15, unused: (0, 0, 0), param: 0, value: 4)
        #expect(ButtonMessage(event) == ButtonMessage(MIDISignal(.program, 4, channel: 16)))
        event.type = UInt8(SND_SEQ_EVENT_START.rawValue)
        #expect(ButtonMessage(event) == ButtonMessage(MIDISignal(.start)))
        event.type = UInt8(SND_SEQ_EVENT_SYSEX.rawValue)
        #expect(ButtonMessage(event) == nil)
    }

    @Test("a port is meant by its address, its client or a part of its name")
    func ports() {
        let port = MIDIPort(client: 20, port: 1, name: "nanoKONTROL2: nanoKONTROL2 MIDI 1")
        for wanted in ["20:1", "20", "nanokontrol", "MIDI 1", "all", "ALL"] {
            #expect(port.matches(wanted), "\(wanted)")
        }
        for wanted in ["2", "1", "20:0", "0:1", "launchpad"] { #expect(!port.matches(wanted), "\(wanted)") }
    }

    @Test("a port that goes away is said once, and listened to again once it is back, under any number")
    func comesBack() {
        var ports = MIDIPorts("pedal")
        let (pedal, other) = (
            MIDIPort(client: 20, port: 0, name: "Pedal: 1"), MIDIPort(client: 14, port: 0, name: "Midi Through")
        )
        let again = MIDIPort(client: 24, port: 0, name: "Pedal: 1")
        func update(_ all: [MIDIPort]) -> ([MIDIInput.Change], [MIDIPort]) {
            let (a, b) = ports.update(all); return (a, b)
        }
        #expect(update([other]) == ([.missing], []))
        #expect(update([other]) == ([], []))
        #expect(update([other, pedal]) == ([.back(pedal)], [pedal]))
        #expect(update([other, pedal]) == ([], []))
        #expect(update([other]) == ([.gone(pedal)], []))
        #expect(update([other]) == ([], []))
        #expect(update([again]) == ([.back(again)], [again]))
        // It is tried again if it could not be listened to.
        ports.forget(again)
        #expect(update([again]).1 == [again])
    }
}
