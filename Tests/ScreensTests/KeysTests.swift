import Languages
import Screens
import Testing
import UserSettings

@Suite("Keys")
struct KeysTests {
    @Test(
        "every sequence gives its key",
        arguments: [
            (" ", .character(" ")), ("+", .character("+")), ("q", .character("q")), ("é", .character("é")),
            ("日", .character("日")), ("🎵", .character("🎵")), ("\r", .enter), ("\n", .enter), ("\t", .tab),
            ("\u{7F}", .backspace), ("\u{08}", .backspace),
            ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
            ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
            ("\u{1B}[1;5C", .right), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home),
            ("\u{1B}[1~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end),
            ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete),
            // F1 to F12 of xterm, of older terminals and of the Linux console.
            ("\u{1B}OP", .function(1)), ("\u{1B}OS", .function(4)), ("\u{1B}[11~", .function(1)),
            ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)), ("\u{1B}[21~", .function(10)),
            ("\u{1B}[24~", .function(12)), ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)),
        ] as [(String, Key)])
    func key(text: String, key: Key) {
        var keys = Keys()
        #expect(keys.keys(for: Array(text.utf8)) == [key])
    }

    @Test(
        "an unknown sequence is ignored, and does not hide the next key",
        arguments: [
            "\u{1B}OT", "\u{1B}[200~", "\u{1B}[1;2P", "\u{1B}[P", "\u{1B}[16~", "\u{1B}[[F", "\u{1B}[38;5;1m", "\u{0}",
            "\u{1}",
        ])
    func unknown(text: String) {
        var keys = Keys()
        #expect(keys.keys(for: Array(text.utf8)) == [])
        #expect(keys.keys(for: Array("q".utf8)) == [.character("q")])
    }

    @Test(
        "invalid UTF-8 is ignored, and does not hide the next key",
        arguments: [
            [0x80], [0xC3], [0xE6, 0x97], [0xFF, 0xFE], [0xC0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xBF, 0xBF, 0xBF],
        ])
    func noText(bytes: [UInt8]) {
        var keys = Keys()
        #expect(keys.keys(for: bytes) == [])
        #expect(keys.keys(for: Array("q".utf8)) == [.character("q")])
    }

    @Test("an Escape without anything after it is a key; Escape before a plain key is dropped")
    func escape() {
        var keys = Keys()
        #expect(!keys.isEscapeOpen && keys.closeEscape() == [])
        #expect(keys.keys(for: [0x1B]) == [])
        #expect(keys.isEscapeOpen)
        #expect(keys.closeEscape() == [.escape])
        #expect(!keys.isEscapeOpen && keys.closeEscape() == [])
        #expect(keys.keys(for: Array("\u{1B}q".utf8)) == [.character("q")])
        #expect(keys.keys(for: Array("\u{1B}\u{1B}[A".utf8)) == [.escape, .up])
        #expect(keys.keys(for: Array("\u{1B}[\u{1B}[B".utf8)) == [.down])
        #expect(keys.keys(for: Array("\u{1B}[1;\u{1B}OC+".utf8)) == [.right, .character("+")])
    }

    @Test("pages and the server know keys by the same names in every language")
    func names() async {
        await #expect(processExitsWith: .success) {
            speak(.de)
            #expect(StandControls.all.first?.name == "Space" && Key.pageDown.name == "Page Down")
            #expect(Key.character(" ").shownName == "Leertaste")
        }
    }

    @Test("bytes split anywhere give the same keys")
    func cutAnywhere() {
        var random = Seeded(state: 1)
        let alphabet = Array("\u{1B}\u{1B}\u{1B}[[OABCDABCD +-qx15;~é日🎵".utf8)
        for _ in 0..<500 {
            let bytes = (0..<random.int(0...40)).map { _ in alphabet[random.int(0...alphabet.count - 1)] }
            var whole = Keys()
            let expected = whole.keys(for: bytes)
            var single = Keys()
            #expect(bytes.flatMap { single.keys(for: [$0]) } == expected)
            var cut = Keys()
            let at = random.int(0...bytes.count)
            #expect(cut.keys(for: bytes[..<at]) + cut.keys(for: bytes[at...]) == expected)
        }
    }
}
