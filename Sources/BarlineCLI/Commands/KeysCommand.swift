internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: localized("List the keys while music plays, and what they do."),
        discussion: localized(
            """
            Change them in your settings: the keys that you list for an action replace those that it has. A key has only one \
            action.

              barline config keys 'pause f5 b, a4-up none'
            """))

    @Flag(help: .localized("Print a JSON array of objects with action, keys and says."))
    var json = false

    func run() throws {
        let rows = KeyTable.rows(try LoadedSettings.get()[Setting.keys])
        var output = StandardOutput()
        if json {
            try output.write(
                JSON.array(
                    rows.map { row in
                        JSON.line([
                            ("action", .text(row.action.rawValue)), ("keys", .text(words(row.keys))),
                            ("says", .text(row.says)),
                        ])
                    }))
        } else {
            let titles = [localized("action"), localized("keys"), localized("what they do")]
            var table = Table(columns: titles.map { Table.Column(title: $0, key: $0, isText: true) })
            for row in rows {
                table.rows.append([row.action.rawValue, words(row.keys), row.says].map(Table.Cell.text))
            }
            try output.write(table.text(.plain))
        }
        try output.flush()
    }

    private func words(_ keys: [Key]) -> String { keys.isEmpty ? "none" : keys.map(\.word).joined(separator: " ") }
}
