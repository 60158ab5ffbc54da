internal import Application
internal import ArgumentParser
internal import Languages

/// Options for the style of a table.
struct TableOptions: ParsableArguments {
    @Flag(help: .localized("Print CSV with a header line."))
    var csv = false

    @Flag(help: .localized("Print JSON."))
    var json = false

    @Flag(help: .localized("Print a Markdown table."))
    var markdown = false

    func validate() throws {
        if [csv, json, markdown].filter({ $0 }).count > 1 {
            throw ValidationError(localized("only one of --csv, --json and --markdown can be given"))
        }
    }

    var style: Table.Style { csv ? .csv : json ? .json : markdown ? .markdown : .plain }
}
