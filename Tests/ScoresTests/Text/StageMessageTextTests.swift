import SampleScores
import Scores
import Shared
import Testing

private let tooLarge = "does not fit into the 32 bits of an OSC number; in quotes, it is sent as a text"

@Suite("Messages to other machines")
struct StageMessageTextTests {
    @Test(
        "a message is MIDI, or an address of OSC with its values",
        arguments: [
            ("midi ch 10 note 37 on", .midi(channel: 10, .noteOn(37, velocity: 100))),
            ("MIDI Ch 10 Note 37 On 80", .midi(channel: 10, .noteOn(37, velocity: 80))),
            ("midi note 0 on 1", .midi(channel: 1, .noteOn(0, velocity: 1))),
            ("midi ch 16 note 127 off", .midi(channel: 16, .noteOff(127))),
            (" midi  program 5 ", .midi(channel: 1, .program(5))),
            ("midi ch 2 control 7 127", .midi(channel: 2, .control(7, value: 127))),
            ("/go", .osc(address: "/go", [])), ("/cue/5/go 1", .osc(address: "/cue/5/go", [.int(1)])),
            (
                "/a -3 0.5 1e3 on \"verse one\" \"7\" \"\" \"say \\\"a\\\\b\\\"\"",
                .osc(
                    address: "/a",
                    [
                        .int(-3), .float(0.5), .float(1000), .text("on"), .text("verse one"), .text("7"), .text(""),
                        .text("say \"a\\b\""),
                    ])
            ),
            (
                "/a 2147483647 -2147483648 4294967296.5 0.1234567891 \"2147483648\" -inf 1.2.3",
                .osc(
                    address: "/a",
                    [
                        .int(.max), .int(.min), .float(4_294_967_296), .float(0.12345679), .text("2147483648"),
                        .text("-inf"), .text("1.2.3"),
                    ])
            ),
        ] as [(String, StageMessage)])
    func reads(text: String, message: StageMessage) throws {
        #expect(try StageMessage(scoreText: text) == message)
        #expect(try StageMessage(scoreText: message.text) == message)
    }

    @Test(
        "a message that cannot be sent is refused with a reason",
        arguments: [
            ("", "'' is no message to send, for example midi ch 10 note 37 on, or /cue/5/go 1"),
            ("lights 1", "'lights 1' is no message to send, for example midi ch 10 note 37 on, or /cue/5/go 1"),
            ("midi ch 17 note 1 on", "a MIDI channel is 1 to 16, for example ch 10"),
            ("midi ch note 1 on", "a MIDI channel is 1 to 16, for example ch 10"),
            ("midi", "a MIDI message is a 'note', a 'program' or a 'control', for example midi ch 10 note 37 on"),
            ("midi notes 1 on", "a MIDI message is a 'note', a 'program' or a 'control'; did you mean 'note'?"),
            ("midi note 128 on", "'note' needs a number, 0 to 127, for example midi ch 10 note 37 on"),
            ("midi note c4 on", "'note' needs a number, 0 to 127, for example midi ch 10 note 37 on"),
            ("midi note 37 on 0", "a velocity is 1 to 127; write off to end a note"),
            ("midi note 37", "a note is 'on' or 'off', for example midi ch 10 note 37 on"),
            ("midi control 7", "'control' needs a number, 0 to 127, for example midi ch 10 control 7 100"),
            ("midi program 5 6", "'6' follows the MIDI message, for example midi ch 10 program 5"),
            ("/", "'/' is no address of OSC, for example /cue/5/go"),
            ("/a#b 1", "'/a#b' is no address of OSC, for example /cue/5/go"),
            ("/a 2147483648", "'2147483648' \(tooLarge)"), ("/a -2147483649", "'-2147483649' \(tooLarge)"),
            ("/a 1e50", "'1e50' \(tooLarge)"),
            ("/a \"b", "a text in quotes has no end, for example /say \"verse one\" 2"),
            ("/" + String(repeating: "a", count: 1000), "a message has at most 1000 letters"),
        ])
    func refuses(text: String, expected: String) {
        #expect(message { try StageMessage(scoreText: text) } == expected)
    }

    @Test("errors have their place, and other words for the key say what to write")
    func places() {
        let wrong = rendered("bars: [{duration: 1, send: [/go, midi ch 0 note 1 on]}]")
        #expect(wrong.hasPrefix("x.yaml:1:34: error: a MIDI channel is 1 to 16, for example ch 10\n"))
        let other = rendered("bars: [{duration: 1, osc: /go}]")
        let advice = "write send: midi ch 10 note 37 on, or send: /cue/5/go 1"
        #expect(other.hasPrefix("x.yaml:1:22: error: a bar has no key 'osc'; \(advice)\n"))
    }

    @Test("YAML has messages as bare as it can, and they belong to the first of several bars")
    func written() throws {
        let text = """
            bars:
              - {duration: 3, times: 2, send: /cue/5/go 1, flash: red}
              - {duration: 2, send: [midi ch 10 note 37 on, "/say \\"verse one\\""]}

            """
        let read = try score(text)
        #expect(read.lines[0].bars[0].details.sends.count == 1 && read.lines[0].bars[1].details.sends.isEmpty)
        #expect(read.yaml == text)
    }
}
