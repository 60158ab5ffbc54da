internal import Application
internal import ArgumentParser
internal import Languages
internal import UserSettings

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: localized("Show the practice log: sessions, minutes per day, pieces and their speeds."),
        discussion: localized(
            """
            `barline play` writes a row for each session to $XDG_STATE_HOME/barline/practice.csv (by default \
            ~/.local/state) unless the setting practice-log is off.

              barline log
              barline log --piece sequenza --days 90
              barline log --csv
              barline log --piece sequenza --taps
              barline log --next
              barline log --goal 'sequenza-vii at 100% by 2027-03-01'
            """))

    @Option(help: .localized("Only this piece: its title, or a part of it.", valueName: "title"))
    var piece: String?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The number of days up to today. Default: 28 for the minutes of each day, and all for the rest.",
            valueName: "n"))
    var days: Int?

    @Flag(help: .localized("Show all sessions, not only the last ten."))
    var all = false

    @Flag(
        help: .localized("Show how long bars were held, by the key with which you tapped where they begin; by columns.")
    )
    var taps = false

    @Flag(
        help: .localized(
            "Show only what to practice next: goals, bars that go wrong again and again, pieces not played for two weeks."
        ))
    var next = false

    @Option(
        help: .localized(
            "Set a goal: 'sequenza-vii at 100% by 2027-03-01'; 'sequenza-vii off' ends it.", valueName: "goal"),
        transform: { try OptionText.read($0, Goal.Wish.init(scoreText:)) })
    var goal: Goal.Wish?

    @OptionGroup var tableOptions: TableOptions

    @Option(
        help: .localized("Write a chart of the minutes per day to this SVG file.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    func validate() throws {
        if let days, !(1...3660).contains(days) { throw ValidationError(localized("--days must be 1 to 3660")) }
        if svg == "-" {
            throw ValidationError(localized("--svg needs a file, because the log goes to standard output"))
        }
        if next || goal != nil, svg != nil || taps || days != nil {
            throw ValidationError(
                localized("--next and --goal show what to practice: --svg, --taps and --days cannot be used with them"))
        }
    }

    func run() throws {
        var request = LogRequest()
        (request.piece, request.days, request.all, request.taps) = (piece, days, all, taps)
        (request.next, request.goal, request.style, request.svg) = (next, goal, tableOptions.style, svg)
        try request.print()
    }
}
