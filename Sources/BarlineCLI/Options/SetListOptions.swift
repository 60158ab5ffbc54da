internal import ArgumentParser
internal import Languages

/// How the pieces of a set list, and jumps in them, are begun and waited for.
struct SetListOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: .localized(
            """
            Wait for a key at holds until a cue. Default: only at a terminal, when served, and in intervals until the lap \
            button.
            """))
    var wait: Bool?

    @Option(
        name: .customLong("then"),
        help: .localized(
            "Play another score afterwards; repeat for a set list. Tab goes to it early.", valueName: "score"),
        completion: .score)
    var next: [String] = []

    @Flag(help: .localized("Resume where the score was left, at the same speed and in the same loop."))
    var resume = false

    @Flag(inversion: .prefixedNo, help: .localized("Count in after every jump, as at the start."))
    var countInOnJumps: Bool?
}
