internal import ArgumentParser
internal import Running
internal import Screens

struct PlanEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a plan on one screen.",
        discussion: """
            Totals with their lock above, the parts below. FILE is written when you press s, in the format that its \
            name means (.plan, .zwo, .fit, .csv, .txt); it need not exist yet.
            """)

    @Argument(help: "The file of the plan.")
    var file: String

    @Option(help: "km or mi.")
    var unit: RunUnit?

    func run() throws {
        guard Terminal.isInteractive else {
            throw Failure.exit(.usage, "a plan is edited at a terminal; `barline plan \(file)` prints it")
        }
        let isNew = !FileKind.isFile(file)
        let loaded = isNew ? nil : try LoadedPlan.read(file)
        let unit = unit ?? RunUnit(of: loaded.map { String(decoding: $0.text, as: UTF8.self) } ?? "")
        var editor = PlanEditor(loaded?.reading.plan ?? Plan(), unit: unit.distance)
        CalculatorScreen.run {
            editor.lines(rows: Terminal.size.rows)
        } press: { key in
            switch editor.press(key) {
            case .none: return true
            case .leave: return false
            case .save:
                do throws(PlanFile.Fault) {
                    try PlanFile.save(editor.plan, to: file)
                    editor.saved(as: file)
                } catch {
                    editor.say("\(error.message)")
                }
                return true
            }
        }
    }
}
