internal import ArgumentParser
internal import Languages

/// The option for intervals until the lap button, where nobody can press it.
struct OpenEndOptions: ParsableArguments {
    @Option(
        help: .localized(
            "How long the intervals of a plan until the lap button take about, where nobody can press it.",
            valueName: "time"), transform: RunOption.time)
    var open: Duration?
}
