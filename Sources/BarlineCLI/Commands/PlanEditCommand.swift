internal import Application
internal import ArgumentParser
internal import Files
internal import Languages
internal import Running
internal import Screens
internal import UserSettings

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
        let loaded = isNew ? nil : try LoadedDocument.plan(file, weekOptions.choice)
        if let loaded, loaded.refusal != nil { throw loaded.refused }
        if isNew, weekOptions.choice.isGiven { throw Failure.exit(.usage, "'\(file)': \(LoadedDocument.noWeeks)") }
        let unit = try loaded?.ownUnit == nil && unit == nil ? chosenUnit() : RunUnit(unit, of: loaded?.ownUnit)
        var editor = PlanEditor(loaded?.document.plan ?? Plan(), unit: unit?.distance)
        var watched = WatchedFile(file)
        if let loaded, Plan.hasComments(loaded.document.text) {
            editor.say(localized("the comments in \(file) will be lost when you save it"))
        }
        CalculatorScreen.run {
            // Lines that are read aloud need not fit on a screen.
            Terminal.isPlain
                ? editor.lines(rows: 10_000)
                : editor.lines(rows: Terminal.size.rows, columns: max(Terminal.size.columns - 1, 20))
        } press: { key in
            switch editor.press(key) {
            case .none: return true
            case .leave: return false
            case .save where watched.hasChanged:
                editor.askToOverwrite(file)
                return true
            case .save, .overwrite:
                do throws(PlanFile.Fault) {
                    let losses = try save(editor.plan, in: loaded)
                    watched = WatchedFile(file)
                    editor.saved(as: file)
                    if !losses.isEmpty { editor.say(localized("saved as \(file); \(losses.joined(separator: "; "))")) }
                } catch {
                    editor.say(error.message)
                }
                return true
            }
        }
    }

    /// The unit of the settings, if the user has set it; otherwise the first unit that is typed is that of the screen.
    private func chosenUnit() throws -> RunUnit? {
        try LoadedSettings.get().given(Setting.unit) == nil ? nil : RunUnit(nil, of: nil)
    }

    /// Writes the plan to the file, or to its place in a plan of weeks; returns what the format does not carry.
    private func save(_ plan: Plan, in loaded: LoadedDocument?) throws(PlanFile.Fault) -> [String] {
        guard var weeks = loaded?.document.weeks, let slot = loaded?.slot else {
            return try PlanFile.save(plan, to: file)
        }
        var plan = plan
        // The editor shows the place of a workout without a title.
        if plan.title == weeks.plan(slot)?.title { plan.title = weeks[slot]?.plan.title ?? "" }
        weeks.replace(slot, with: plan)
        weeks.start = loaded?.writtenStart
        try PlanFile.save(weeks, to: file, name: file)
        return []
    }
}
