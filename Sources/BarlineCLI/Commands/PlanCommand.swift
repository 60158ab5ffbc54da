internal import ArgumentParser

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Lay out a plan of intervals: its table, totals, what fills a target; edit it; convert it.",
        subcommands: [PlanShowCommand.self, PlanEditCommand.self],
        defaultSubcommand: PlanShowCommand.self)
}
