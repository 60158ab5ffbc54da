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
        let table = Table(
            columns: [
                .text(localized("action"), "action"), .text(localized("keys"), "keys"),
                .text(localized("what they do"), "says"),
            ],
            rows: rows.map { row in
                let keys = row.keys.isEmpty ? "none" : row.keys.map(\.word).joined(separator: " ")
                return [row.action.rawValue, keys, row.says].map(Table.Cell.text)
            })
        try StandardOutput.print(table.text(json ? .json : .plain))
    }
}
