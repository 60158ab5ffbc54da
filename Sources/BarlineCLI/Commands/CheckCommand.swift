internal import Application
internal import ArgumentParser
internal import Languages

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: localized("Report all problems in score files, and the totals of valid ones."))

    @Argument(help: .localized("Score files, names of scores, or - for standard input."), completion: .score)
    var files: [String]

    @OptionGroup var inputOptions: InputOptions

    func validate() throws { try OptionText.checkInputs(files) }

    func run() throws {
        var request = CheckRequest(files)
        request.reading = inputOptions.choice(canWait: true)
        try request.check()
    }
}
