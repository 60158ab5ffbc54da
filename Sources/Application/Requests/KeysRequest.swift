internal import Languages
internal import Screens
internal import UserSettings

/// The keys while music plays, as a list, or the buttons that are to do the same. `carryOut` does it.
package struct KeysRequest: Sendable {
    package var style = Table.Style.plain
    /// The MIDI devices whose buttons learn what keys do; nil for a list of the keys.
    package var learnsFrom: String?

    package init() {}

    /// Prints the list, or asks at the terminal. Errors: `ProgramEnd`, whose reason has been told.
    package func carryOut() throws {
        if let learnsFrom { return try LearnedButtons.run(from: learnsFrom) }
        let table = Table(
            columns: [
                .text(localized("action"), "action"), .text(localized("keys"), "keys"),
                .text(localized("what they do"), "says"),
            ],
            rows: KeyTable.rows(try LoadedSettings.get()[Setting.keys]).map { row in
                let keys = row.keys.isEmpty ? "none" : row.keys.map(\.word).joined(separator: " ")
                return [row.action.rawValue, keys, row.says].map(Table.Cell.text)
            })
        try StandardOutput.print(table.text(style))
    }
}
