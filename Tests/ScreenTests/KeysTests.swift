import Playback
import Testing

@testable import Screen

@Suite("Keys")
struct KeysTests {
    @Test(
        "every key has its command",
        arguments: [
            (" ", .togglePause), ("+", .speed(change: 5)), ("=", .speed(change: 5)), ("-", .speed(change: -5)),
            ("q", .stop), ("Q", .stop), ("m", .toggleDrone), ("c", .continue),
            ("\u{1B}[A", .previousLine), ("\u{1B}[B", .nextLine), ("\u{1B}[C", .nextBar), ("\u{1B}[D", .previousBar),
            ("\u{1B}OA", .previousLine), ("\u{1B}OB", .nextLine), ("\u{1B}OC", .nextBar), ("\u{1B}OD", .previousBar),
            ("\u{1B}[1;5C", .nextBar),
        ] as [(String, Command)])
    func key(text: String, command: Command) {
        var keys = Keys()
        #expect(keys.commands(for: Array(text.utf8)) == [command])
    }

    @Test(
        "what is no key means nothing, and hides no key behind it",
        arguments: [
            "a", "A", "\t", "é", "日", "\u{1B}[5~", "\u{1B}[H", "\u{1B}OP", "\u{1B}[200~", "\u{1B}[1;2P",
            "\u{1B}[[E",
            "\u{1B}x", "\u{1B}[38;5;1m", "\u{0}", "\u{7F}",
        ])
    func unknown(text: String) {
        var keys = Keys()
        #expect(keys.commands(for: Array(text.utf8)) == [])
        #expect(keys.commands(for: Array("q".utf8)) == [.stop])
    }

    @Test("Enter, c and page down go on from a hold", arguments: ["\r", "\n", "c", "\u{1B}[6~"])
    func goesOn(text: String) {
        var keys = Keys()
        #expect(keys.commands(for: Array(text.utf8)) == [.continue])
        #expect(keys.commands(for: Array("q".utf8)) == [.stop])
    }

    @Test("Escape and a plain key is that key; Escape twice is Escape")
    func escape() {
        var keys = Keys()
        #expect(keys.commands(for: [0x1B]) == [])
        #expect(keys.commands(for: Array(" ".utf8)) == [.togglePause])
        #expect(keys.commands(for: Array("\u{1B}q".utf8)) == [.stop])
        #expect(keys.commands(for: Array("\u{1B}\u{1B}[A".utf8)) == [.previousLine])
        #expect(keys.commands(for: Array("\u{1B}[\u{1B}[B".utf8)) == [.nextLine])
        #expect(keys.commands(for: Array("\u{1B}[1;\u{1B}OC+".utf8)) == [.nextBar, .speed(change: 5)])
    }

    @Test("keys come in the order of their bytes")
    func order() {
        var keys = Keys()
        let bytes = Array(" \u{1B}[A+\u{1B}OD-x\u{1B}[6~q".utf8)
        let expected: [Command] = [
            .togglePause, .previousLine, .speed(change: 5), .previousBar, .speed(change: -5), .continue, .stop,
        ]
        #expect(keys.commands(for: bytes) == expected)
    }

    @Test("bytes cut anywhere give the same commands")
    func cutAnywhere() {
        var random = Seeded(state: 1)
        let alphabet = Array("\u{1B}\u{1B}\u{1B}[[OABCDABCD +-qx15;~é".utf8)
        for _ in 0..<500 {
            let bytes = (0..<random.int(0...40)).map { _ in alphabet[random.int(0...alphabet.count - 1)] }
            var whole = Keys()
            let expected = whole.commands(for: bytes)
            var single = Keys()
            #expect(bytes.flatMap { single.commands(for: [$0]) } == expected)
            var cut = Keys()
            let at = random.int(0...bytes.count)
            #expect(cut.commands(for: bytes[..<at]) + cut.commands(for: bytes[at...]) == expected)
        }
    }
}
