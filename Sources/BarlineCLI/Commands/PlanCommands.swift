internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running
internal import Scores
internal import UserSettings

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: localized("Show, edit or convert a plan of intervals, or fit it to a target."),
        subcommands: [PlanShowCommand.self, PlanEditCommand.self],
        defaultSubcommand: PlanShowCommand.self)
}

struct PlanShowCommand: ParsableCommand {
    // The text of intervals.icu has words of its own.
    private static let readable = list(Format.endings(Format.ofPlans.filter { $0 != .intervals }))
    private static let writable = list(Format.endings(Format.writtenPlans.filter { $0 != .intervals }))
    private static let ran = list(ActivityFormat.endings)

    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: localized("Print the table of a plan with running totals, or write it in another format."),
        discussion: localized(
            """
            PLAN is a text such as '10x(run 0:30, walk 0:30), walk 1:00, for 2:00:00', a file (\(readable), or \
            the text of intervals.icu), or - for standard input.

              barline plan '4x(run 1:00 @ 10:00/mi, walk 0:30 @ 16:00/mi)' --fill 10mi
              barline plan '6x(run 400m, rest 1:30)' --target 25:00
              barline plan tuesday.plan -o tuesday.zwo
              barline plan '10x(run 0:30, walk 0:30)' --save tuesday
              barline plan '5x(run 1mi, walk 1:00)' --target 50:00 --save goal

            A plan of weeks, such as 'week 1: {tue: 6x(run 400m, rest 1:30), sun: long 10mi}', prints an overview. \
            --week 3 prints a week; with --day tue, that workout is the plan. -o writes it as a calendar.

              barline plan spring --week 3 --day tue
              barline plan spring -o spring.ics

            A band to wear on the wrist, with the times to be at each kilometer or mile: print it at 100 %.

              barline plan goal -o band.pdf
            """) + "\n\n" + localized("`barline plan edit FILE` edits a plan on one screen."))

    @Argument(help: .localized("The plan: its text, a file, or - for standard input."), completion: .score)
    var plan: String

    @Option(
        help: .localized(
            "Show how often the plan fits into a distance or a time, and what is left; with -o or --save, repeat it so.",
            valueName: "length"),
        transform: OptionText.fill)
    var fill: Plan.Length?

    @Option(
        help: .localized(
            "Find the running pace for a total time; with --fill 10mi, repeat the plan for 10 miles in that time.",
            valueName: "time"), transform: OptionText.time)
    var target: Duration?

    @Option(
        name: .customLong("run"), help: .localized("The pace of running parts that have none.", valueName: "pace"),
        transform: OptionText.pace)
    var runPace: Pace?

    @Option(
        name: .customLong("walk"), help: .localized("The pace of walking parts that have none.", valueName: "pace"),
        transform: OptionText.pace)
    var walkPace: Pace?

    @OptionGroup var gapOptions: PlanGapOptions

    @Option(help: .localized("The unit: \(Setting.unit.setting.form)."))
    var unit: UnitChoice?

    @Option(
        help: .localized("Print the time at every multiple of a distance; also for a band.", valueName: "distance"),
        transform: OptionText.distance)
    var every: Distance?

    @Option(
        help: .localized(
            "Compare the plan with what was run: a recorded activity (\(ran)); with -o, draw both (.svg).",
            valueName: "file"), completion: .file(extensions: ActivityFormat.allCases.map(\.rawValue)))
    var ran: String?

    @OptionGroup var weekOptions: WeekOptions

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: .localized(
            "Write the plan: \(writable), or .txt for intervals.icu; as a wrist band to print: .pdf or "
                + ".svg; a plan of weeks as calendar: .ics.",
            valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var fileOptions: WorkoutFileOptions

    @Option(
        help: .localized("Give the plan a name: `barline play NAME` plays it like a score.", valueName: "name"))
    var save: String?

    @Flag(help: .localized("With --save: replace the plan of that name, or hide the bundled score of that name."))
    var replace = false

    func validate() throws {
        if case .time = fill, target != nil {
            throw ValidationError(localized("with --target, --fill takes a distance, as in --fill 5mi --target 50:00"))
        }
        if every != nil, let output, !PlanRequest.isBand(output) {
            throw ValidationError(localized("--every with -o is for a band: .pdf or .svg"))
        }
        if every != nil, save != nil { throw ValidationError(localized("--every cannot be used with --save")) }
        if replace, save == nil { throw ValidationError(localized("--replace needs --save")) }
        if ran != nil, fill != nil || target != nil || every != nil || save != nil || fileOptions.all {
            throw ValidationError(
                localized("--ran cannot be used with --fill, --target, --every, --save and --all"))
        }
        try fileOptions.check(output, save: save)
        if fileOptions.all, fill != nil || target != nil || every != nil {
            throw ValidationError(localized("--fill, --target and --every are for one workout"))
        }
        if fileOptions.tolerance != nil, !request.formats.contains(.fit) {
            throw ValidationError(localized("--tolerance needs -o with a .fit file"))
        }
        if output != nil, save != nil { throw ValidationError(localized("-o and --save cannot both be given")) }
        if let save {
            let isName = save.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789 -_".unicodeScalars.contains($0)
            }
            guard isName, save.unicodeScalars.first?.properties.isAlphabetic ?? false else {
                throw ValidationError(localized("a name is letters, digits, - and _, and begins with a letter"))
            }
        }
    }

    /// The same for the application.
    private var request: PlanRequest {
        var request = PlanRequest(plan)
        (request.workout, request.fill, request.target) = (weekOptions.choice, fill, target)
        (request.paces[.run], request.paces[.walk]) = (runPace, walkPace)
        (request.gaps, request.unit) = (gapOptions.gaps(), unit.map(DistanceUnit.init))
        (request.every, request.ran) = (every, ran)
        (request.style, request.output, request.types) = (tableOptions.style, output, fileOptions.types)
        (request.remind, request.tolerance) = (fileOptions.remind, fileOptions.tolerance)
        (request.save, request.replaces) = (save, replace)
        return request
    }

    func run() throws { try request.show() }
}

struct PlanEditCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: localized("Edit a plan on one screen."),
        discussion: localized(
            """
            The totals and their lock are above, the parts below. Press s to write FILE in the format of its extension \
            (\(list(Format.endings(Format.writtenPlans)))); it need not exist yet. In a plan of weeks, --week 3 --day tue \
            edits that workout; the others stay as they are.
            """))

    @Argument(help: .localized("The file of the plan."), completion: .score)
    var file: String

    @Option(help: .localized("The unit: \(Setting.unit.setting.form)."))
    var unit: UnitChoice?

    @OptionGroup var weekOptions: WeekOptions
    @OptionGroup var plainOptions: PlainOptions

    func run() throws {
        var request = PlanEditRequest(file)
        (request.unit, request.workout) = (unit.map(DistanceUnit.init), weekOptions.choice)
        try request.edit()
    }
}

private func list(_ endings: [String]) -> String { endings.joined(separator: ", ") }
