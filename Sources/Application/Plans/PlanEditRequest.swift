internal import Files
internal import Formats
internal import Languages
internal import Running
package import Scores
internal import Screens
internal import UserSettings

/// A plan that is edited on one screen. `edit` shows it.
package struct PlanEditRequest: Sendable {
    /// The path of the file, which need not exist yet.
    package var file: String
    /// The unit; nil for that of the plan, or else of the settings.
    package var unit: DistanceUnit?
    /// Which workout of a plan of weeks is edited.
    package var workout = WorkoutChoice()

    package init(_ file: String) { self.file = file }

    /// Shows the screen until the user leaves it. Errors: `ProgramEnd`, whose reason has been told.
    package func edit() throws {
        guard Format(planFileName: file) != nil else {
            let known = WordText.list(Format.endings(Format.writtenPlans))
            throw Failure.exit(.usage, localized("'\(file)' has no known extension: use \(known)"))
        }
        guard StandardOutput.isInteractive else {
            throw Failure.exit(
                .usage, localized("a plan can be edited only at a terminal; `barline plan \(file.shellWord)` prints it")
            )
        }
        let isNew = !FileKind.isFile(file)
        let loaded = isNew ? nil : try LoadedDocument.plan(file, workout)
        if let loaded, loaded.refusal != nil { throw loaded.refused }
        if isNew, workout.isGiven { throw Failure.exit(.usage, "'\(file)': \(LoadedDocument.noWeeks)") }
        let settings = try LoadedSettings.get()
        // Without any unit, the first one that is typed is that of the screen.
        let unit = unit ?? loaded?.ownUnit ?? settings.given(Setting.unit).map(DistanceUnit.init)
        var plan = loaded?.document.plan ?? Plan()
        plan.threshold = plan.threshold ?? settings[Setting.threshold]
        var editor = PlanEditor(plan, unit: unit)
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
                    let losses = try save(editor.plan, in: loaded, threshold: settings[Setting.threshold])
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

    /// Writes the plan to the file, or to its place in a plan of weeks; returns what the format does not carry. `threshold` is that of
    /// the settings.
    private func save(
        _ plan: Plan, in loaded: LoadedDocument?, threshold: Pace?
    ) throws(PlanFile.Fault) -> [String] {
        var plan = plan
        // The threshold of the settings is the user's, and not a part of the plan.
        if loaded?.document.plan?.threshold == nil, plan.threshold == threshold,
            Format(planFileName: file) == .plan || !plan.needsThreshold
        {
            plan.threshold = nil
        }
        guard var weeks = loaded?.document.weeks, let slot = loaded?.slot else {
            var options = WorkoutOptions(threshold: threshold)
            options.namesOptions = false
            return try PlanFile.save(.workout(plan, options), to: file)
        }
        // The editor shows the place of a workout without a title.
        if plan.title == weeks.plan(slot)?.title { plan.title = weeks[slot]?.plan.title ?? "" }
        weeks.replace(slot, with: plan)
        weeks.start = loaded?.writtenStart
        return try PlanFile.save(.weeks(weeks, name: file), to: file)
    }
}
