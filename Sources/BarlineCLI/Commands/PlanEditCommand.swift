internal import ArgumentParser
internal import Running
internal import Screens

struct PlanEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a plan on one screen.",
        discussion: """
            The totals and their lock are above, the parts below. Press s to write FILE in the format of its extension \
            (.plan, .zwo, .fit, .csv, .txt); it need not exist yet.
            """)

    @Argument(help: "The file of the plan.", completion: .score)
    var file: String

    @Option(help: "The unit: km or mi.")
    var unit: RunUnit?

    func run() throws {
        try PlanFile.check(file)
        guard Terminal.isInteractive else {
            throw Failure.exit(.usage, "a plan can be edited only at a terminal; `barline plan \(file)` prints it")
        }
        let isNew = !FileKind.isFile(file)
        let loaded = isNew ? nil : try LoadedPlan.read(file)
        let mentioned = loaded.flatMap { DistanceUnit(mentionedIn: String(decoding: $0.text, as: UTF8.self)) }
        var editor = PlanEditor(loaded?.reading.plan ?? Plan(), unit: unit?.distance ?? mentioned)
        CalculatorScreen.run {
            editor.lines(rows: Terminal.size.rows)
        } press: { key in
            switch editor.press(key) {
            case .none: return true
            case .leave: return false
            case .save:
                do throws(PlanFile.Fault) {
                    let losses = try PlanFile.save(editor.plan, to: file)
                    editor.saved(as: file)
                    if !losses.isEmpty { editor.say("saved as \(file); " + losses.joined(separator: "; ")) }
                } catch {
                    editor.say("\(error.message)")
                }
                return true
            }
        }
    }
}
