import Files
import Foundation
import Scores
import Testing
import UserSettings

@Suite("The settings file")
struct SettingsFileTests {
    private func file(_ folder: TemporaryFolder) throws -> SettingsFile {
        try #require(SettingsFile(environment: ["XDG_CONFIG_HOME": folder.path]))
    }

    private func values(_ contents: SettingsFile.Contents) -> [String: String] { contents.values.mapValues(\.text) }

    @Test("a file gives its values with their lines; a missing or empty file and one with only comments give none")
    func reading() throws {
        let folder = TemporaryFolder()
        let file = try file(folder)
        #expect(file.path == folder("barline/config.yaml"))
        #expect(try file.read().values.isEmpty)
        #expect(folder.contents.isEmpty)
        for text in ["", "\n\n", "# nothing\n  # yet\n"] {
            #expect(SettingsFile.contents(Array(text.utf8), path: "c").values.isEmpty)
            #expect(SettingsFile.contents(Array(text.utf8), path: "c").diagnostics.isEmpty)
        }
        let contents = SettingsFile.contents(Array("# mine\na4: 442\n\ndrone: 'A4, E5'  # two\n".utf8), path: "c")
        #expect(contents.values["a4"] == .init("442", .file("c", line: 2)))
        #expect(contents.values["drone"] == .init("A4, E5", .file("c", line: 4)))
        #expect(contents.diagnostics.isEmpty && !contents.isDamaged)
    }

    @Test("errors are reported with their places, and the other values count")
    func diagnostics() {
        let text = "a44: 1\nspeed: fast\na4: 442\na4: 443\ndrone: [A4]\nflash-color: #ff0000\n"
        let contents = SettingsFile.contents(Array(text.utf8), path: "config.yaml")
        #expect(
            contents.diagnostics.map { $0.rendered() } == [
                "config.yaml:1:1: error: there is no setting 'a44'; did you mean 'a4'?\na44: 1\n^~~",
                "config.yaml:2:8: error: 'fast' is not a speed, for example 80%\nspeed: fast\n       ^~~~",
                "config.yaml:4:1: error: the key 'a4' is given a second time\na4: 443\n^~",
                "config.yaml:5:8: error: 'drone' is a single value, not a list\ndrone: [A4]\n       ^",
                "config.yaml:6:13: error: a color is missing; text after a bare '#' is a comment: "
                    + "write ff8000 or \"#ff8000\"\nflash-color: #ff0000\n            ^",
            ])
        #expect(values(contents) == ["a4": "442"])
        #expect(contents.hasErrors && !contents.isDamaged)
    }

    @Test(
        "a file that is not text or not YAML is renamed and reported once, and later settings go into a new file",
        arguments: ["a4: 442\n\"", "- a4\n", "a4", "a4: 442\n---\na4: 1\n", "\u{0}", "a4:\n\t- 1\n"])
    func damaged(text: String) throws {
        let folder = TemporaryFolder()
        let file = try file(folder)
        try FileManager.default.createDirectory(atPath: folder("barline"), withIntermediateDirectories: true)
        try folder.write("barline/config.yaml", text)
        let contents = try file.read()
        #expect(contents.setAside == file.path + ".damaged-1")
        #expect(contents.hasErrors && contents.values.isEmpty)
        #expect(folder.text("barline/config.yaml.damaged-1") == text)
        let again = try file.read()
        #expect(again.setAside == nil && again.diagnostics.isEmpty)
        try folder.write("barline/config.yaml", text)
        #expect(try file.set(Setting.a4.setting, "441").setAside == file.path + ".damaged-2")
        #expect(folder.text("barline/config.yaml") == "a4: 441\n")
        #expect(folder.text("barline/config.yaml.damaged-2") == text)
    }

    @Test("a damaged file that cannot be renamed stays, and is reported each time")
    func immovable() throws {
        let folder = TemporaryFolder()
        let file = try file(folder)
        try FileManager.default.createDirectory(atPath: folder("barline"), withIntermediateDirectories: true)
        try folder.write("barline/config.yaml", "{")
        // A folder in place of the lock file: nothing can be changed here, not even by root.
        try FileManager.default.createDirectory(atPath: folder("barline/.lock"), withIntermediateDirectories: true)
        for _ in 0..<2 {
            let contents = try file.read()
            #expect(contents.setAside == nil && contents.hasErrors)
        }
        #expect(folder.text("barline/config.yaml") == "{")
        #expect(throws: FileError.cannotWrite("Is a directory")) { try file.set(Setting.a4.setting, "441") }
    }

    @Test("a file that is not UTF-8 is damaged")
    func bytes() throws {
        #expect(SettingsFile.contents([0x61, 0x34, 0x3A, 0x20, 0xFF], path: "c").isDamaged)
        #expect(SettingsFile.contents([0xFF, 0xFE, 0x61, 0x00], path: "c").isDamaged)
        #expect(!SettingsFile.contents([0xEF, 0xBB, 0xBF] + Array("a4: 442".utf8), path: "c").isDamaged)
    }

    @Test(
        "setting a value changes it and nothing else",
        arguments: [
            ("", "a4: 443\n"),
            ("a4: 442\n", "a4: 443\n"),
            ("a4: 442", "a4: 443"),
            (
                "# mine\n\na4:   442   # the orchestra's\nspeed: 80%\n",
                "# mine\n\na4:   443   # the orchestra's\nspeed: 80%\n"
            ),
            ("speed: 80%", "speed: 80%\na4: 443\n"),
            ("a4:\nspeed: 80%\n", "a4: 443\nspeed: 80%\n"),
            ("a4: '442'\r\nspeed: 80%\r\n", "a4: 443\r\nspeed: 80%\r\n"),
            ("a4: 442 # one\nspeed: 80%\na4: 441\n", "a4: 443 # one\nspeed: 80%\n"),
            ("a4: |\n  442\nspeed: 80%\n", "a4: 443\nspeed: 80%\n"),
            ("a4: [1,\n  2]\nspeed: 80%\n", "a4: 443\nspeed: 80%\n"),
            ("{a4: 442, speed: 80%}\n", "{a4: 443, speed: 80%}\n"),
            ("{speed: 80%}\n", "speed: 80%\na4: 443\n"),
            ("  speed: 80%\n", "speed: 80%\na4: 443\n"),
            ("speed: 80%\r\n", "speed: 80%\r\na4: 443\r\n"),
            ("speed: 80%\n...\n", "speed: 80%\na4: 443\n"),
            ("nonsense: yes\n", "nonsense: yes\na4: 443\n"),
            ("\"a4\": 442\n", "\"a4\": 443\n"),
            ("? a4\n: 442\nspeed: 80%\n", "? a4\n: 443\nspeed: 80%\n"),
        ])
    func setting(before: String, after: String) {
        #expect(
            String(decoding: SettingsText(Array(before.utf8)).setting("a4", to: "443").bytes, as: UTF8.self) == after)
    }

    @Test(
        "reverting a setting removes its lines and nothing else",
        arguments: [
            ("", ""), ("a4: 442\n", ""), ("a4: 442", ""), ("# mine\na4: 442 # x\nspeed: 80%\n", "# mine\nspeed: 80%\n"),
            ("speed: 80%\na4: 442", "speed: 80%\n"), ("speed: 80%\n", "speed: 80%\n"),
            ("a4: 442\nspeed: 80%\na4: 441\n", "speed: 80%\n"), ("a4: |\n  442\nspeed: 80%\n", "speed: 80%\n"),
            ("a4:\n  - 1\n  - 2\nspeed: 80%\n", "speed: 80%\n"), ("{a4: 442, speed: 80%}", "speed: 80%\n"),
            ("a4: 442\r\nspeed: 80%\r\n", "speed: 80%\r\n"),
        ])
    func reverting(before: String, after: String) {
        #expect(String(decoding: SettingsText(Array(before.utf8)).removing("a4").bytes, as: UTF8.self) == after)
    }

    @Test("any value is read back as it was set, next to comments and other keys", arguments: 0..<500)
    func anyValue(seed: Int) throws {
        var random = SeededGenerator(seed)
        let letters = Array("aB4 :#-'\"{}[],&*!|>%@`~?=\\é日.")
        func word() -> String {
            String(
                (0..<Int.random(in: 1...8, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
        }
        var text = SettingsText([])
        var expected: [String: String] = [:]
        for step in 0..<12 {
            let key = ["a", "b", "drone-level", "d"].randomElement(using: &random) ?? "a"
            if Int.random(in: 0..<4, using: &random) == 0 {
                text = text.removing(key)
                expected[key] = nil
            } else {
                let value = word()
                text = text.setting(key, to: value)
                expected[key] = value
            }
            if step % 3 == 0 { text = SettingsText(text.bytes + Array("# \(word())\n".utf8)) }
        }
        let pairs = YAMLPairs(text.bytes, file: "")
        let found = Dictionary(pairs.pairs.map { ($0.key, $0.value) }) { first, _ in first }
        #expect(found == expected.mapValues { $0 }, "\(String(decoding: text.bytes, as: UTF8.self))")
        #expect(pairs.pairs.count == expected.count && !pairs.hasErrors)
        #expect(text.bytes.count { $0 == UInt8(ascii: "#") } >= 4)
    }

    @Test("a file with any bytes is read without a trap, and values can be set in it", arguments: 0..<300)
    func hostile(seed: Int) throws {
        var random = SeededGenerator(seed)
        let pieces = [
            "a4", ":", " ", "442", "\n", "#", "'", "\"", "{", "}", "[", "&x ", "*x", "|", "\t", "\r", "- ", "!", "é",
            "\u{85}",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
            if Int.random(in: 0..<40, using: &random) == 0 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        let contents = SettingsFile.contents(bytes, path: "c")
        if contents.isDamaged { return #expect(contents.hasErrors) }
        let set = SettingsFile.contents(SettingsText(bytes).setting("a4", to: "443").bytes, path: "c")
        #expect(set.values["a4"]?.text == "443" && !set.isDamaged, "\(String(decoding: bytes, as: UTF8.self))")
        let reverted = SettingsFile.contents(SettingsText(bytes).removing("a4").bytes, path: "c")
        #expect(reverted.values["a4"] == nil && !reverted.isDamaged, "\(String(decoding: bytes, as: UTF8.self))")
    }
}
