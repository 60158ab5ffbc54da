internal import ArgumentParser
internal import Languages
internal import Running
internal import Screens

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: localized("Show, edit or convert a plan of intervals, or fit it to a target."),
        subcommands: [PlanShowCommand.self, PlanEditCommand.self],
        defaultSubcommand: PlanShowCommand.self)
}

struct PlanEditCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: localized("Edit a plan on one screen."),
        discussion: localized(
            """
            The totals and their lock are above, the parts below. Press s to write FILE in the format of its extension \
            (.plan, .zwo, .fit, .csv, .txt); it need not exist yet. In a plan of weeks, --week 3 --day tue edits that \
            workout; the others stay as they are.
            """))

    @Argument(help: .localized("The file of the plan."), completion: .score)
    var file: String

    @Option(help: .localized("The unit: km or mi."))
    var unit: RunUnit?

    @OptionGroup var weekOptions: WeekOptions
    @OptionGroup var plainOptions: PlainOptions

    func run() throws {
        try PlanFile.check(file)
        guard Terminal.isInteractive else {
            throw Failure.exit(
                .usage, localized("a plan can be edited only at a terminal; `barline plan \(file)` prints it"))
        }
        let isNew = !FileKind.isFile(file)
        let loaded = isNew ? nil : try LoadedPlan.read(file, weekOptions.choice)
        if let loaded, loaded.refusal != nil { throw loaded.refused }
        if isNew, weekOptions.choice.isGiven { throw Failure.exit(.usage, "'\(file)': \(LoadedPlan.noWeeks)") }
        let mentioned = loaded.flatMap { DistanceUnit(mentionedIn: String(decoding: $0.text, as: UTF8.self)) }
        var editor = PlanEditor(loaded?.reading.plan ?? Plan(), unit: unit?.distance ?? mentioned)
        CalculatorScreen.run {
            // Lines that are read aloud need not fit on a screen.
            editor.lines(rows: Terminal.isPlain ? 10_000 : Terminal.size.rows)
        } press: { key in
            switch editor.press(key) {
            case .none: return true
            case .leave: return false
            case .save:
                do throws(PlanFile.Fault) {
                    let losses = try save(editor.plan, in: loaded)
                    editor.saved(as: file)
                    if !losses.isEmpty { editor.say(localized("saved as \(file); \(losses.joined(separator: "; "))")) }
                } catch {
                    editor.say(error.message)
                }
                return true
            }
        }
    }

    /// Writes the plan to the file, or to its place in a plan of weeks; returns what the format does not carry.
    private func save(_ plan: Plan, in loaded: LoadedPlan?) throws(PlanFile.Fault) -> [String] {
        guard var weeks = loaded?.weeks, let slot = loaded?.slot else { return try PlanFile.save(plan, to: file) }
        var plan = plan
        // The editor shows the place of a workout without a title.
        if plan.title == weeks.plan(slot)?.title { plan.title = weeks[slot]?.plan.title ?? "" }
        weeks.replace(slot, with: plan)
        weeks.start = loaded?.writtenStart
        try PlanFile.save(weeks, to: file, name: file)
        return []
    }
}
