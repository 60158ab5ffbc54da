import Foundation
import UserSettings
import Testing

@Suite("The page about settings")
struct SettingsPageTests {
    @Test("the table in settings.md lists exactly the settings, in order and with their defaults")
    func table() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/settings.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let head = try #require(lines.firstIndex { $0.hasPrefix("| Key | Default |") })
        let rows = lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: [" ", "`"]) }
        }
        #expect(rows == Setting.all.map { [$0.name, $0.standard] })
    }
}
