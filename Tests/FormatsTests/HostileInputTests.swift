import Formats
import SampleScores
import Scores
import Shared
import Testing

struct HostileInputTests {
    // If the input were expanded instead of refused, the test would take minutes and any amount of memory.
    @Test(
        "extremely deep nesting is refused at once", .timeLimit(.minutes(60)),
        arguments: ["[", "{a: ", "- ", "? ", "[&b ", "- ? ", "!!a ["])
    func nesting(piece: String) {
        let text = String(repeating: piece, count: 10_000_000 / piece.utf8.count)
        let diagnostics = Score.read(Array(text.utf8), file: "x.yaml").diagnostics.filter { $0.severity == .error }
        #expect(diagnostics.map(\.message) == ["this is nested deeper than a score needs"])
    }

    @Test(
        "an alias bomb is refused at once, in values and in keys", .timeLimit(.minutes(60)), arguments: [false, true])
    func bomb(inKeys: Bool) {
        var text = "a0: &a0 [1, 1]\n"
        for level in 1..<30 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        if inKeys { text = text.replacing("[*", with: "? [*").replacing("a0: ?", with: "a0:") }
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        #expect(reading.score == nil)
        #expect(reading.diagnostics.count == 1)
    }

    @Test("aliases share the bars of a line, and too many of them are one error")
    func wideAliases() {
        let line = "- &l [" + String(repeating: "1,", count: 10_000) + "]\n"
        let text = "lines:\n" + line + String(repeating: "- *l\n", count: 2_000)
        #expect(
            Score.read(Array(text.utf8), file: "x.yaml").diagnostics.map(\.message) == [
                "a score file has at most 10 000 000 written bars"
            ])
    }

    @Test(
        "bytes that are not text are refused with their place",
        arguments: [
            (
                [0x61, 0x3A, 0x20, 0xE6, 0x97, 0xA5, 0xFF],
                "1:5: error: the byte 0xFF is not UTF-8; save the file as UTF-8"
            ),
            ([0x61, 0x0A, 0x62, 0x00], "2:2: error: a NUL byte is not allowed in a score"),
            ([0x61, 0x07], "1:2: error: the control character U+0007 is not allowed in a score"),
            (
                [0xFF, 0xFE, 0x61, 0x00],
                "1:1: error: the file is UTF-16 (little endian), but a score is UTF-8; save it as UTF-8"
            ),
            (
                [0x00, 0x61, 0x00, 0x62],
                "1:1: error: the file is UTF-16 (big endian), but a score is UTF-8; save it as UTF-8"
            ),
        ] as [([UInt8], String)])
    func bytes(bytes: [UInt8], expected: String) {
        for file in ["x.yaml", "x.csv"] {
            #expect(rendered(bytes, file: file).firstLine == "\(file):" + expected)
        }
    }

    @Test("a file has at most 64 MiB")
    func tooLarge() {
        let bytes = [UInt8](repeating: 0x20, count: (64 << 20) + 1)
        #expect(rendered(bytes).contains("a score file has at most 64 MiB"))
    }

    @Test("a mutated score is either read or has errors", arguments: 0..<4)
    func mutants(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let csv = Array("label,duration\nA,3\n\"B, \"\"x\"\"\",2.7\n# c\n,1:30\n".utf8)
        let originals = BundledScore.all.map { ($0.bytes, "x.yaml") } + [(csv, "x.csv")]
        let spice = Array("[]{}:,-?&*!|>'\"%@`#\t\n\r ~0.9日\u{85}\u{FEFF}".utf8) + [0, 0xFF, 0xC0]
        for round in 0..<1_500 {
            var (bytes, file) = originals[round % originals.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = spice.randomElement(using: &random)!
                case 1: bytes.insert(spice.randomElement(using: &random)!, at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
                default:
                    bytes.insert(
                        contentsOf: bytes[place..<min(bytes.count, place + 30)],
                        at: Int.random(in: 0...place, using: &random))
                }
                if bytes.isEmpty { bytes = [0x0A] }
            }
            let reading = Score.read(bytes, file: file)
            let hasErrors = reading.diagnostics.contains { $0.severity == .error }
            #expect((reading.score == nil) == hasErrors, "\(String(decoding: bytes, as: UTF8.self))")
            for diagnostic in reading.diagnostics { #expect(!diagnostic.rendered(color: true).isEmpty) }
            if let score = reading.score { #expect(score.lines.allSatisfy { !$0.bars.isEmpty && $0.passes >= 1 }) }
        }
    }
}
