internal import ArgumentParser
internal import Languages

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: localized("Show, edit or convert a plan of intervals, or fit it to a target."),
        subcommands: [PlanShowCommand.self, PlanEditCommand.self],
        defaultSubcommand: PlanShowCommand.self)
}
