internal import Application
internal import ArgumentParser
internal import Languages

/// Options for scores that leave choices open: the order of sections, the times of brackets, the voices.
struct VersionOptions: ParsableArguments {
    @Option(
        help: .localized(
            "The order of sections: its name in the score, a list of sections such as 'C,A,B', or 'page' for the written "
                + "order.", valueName: "order"))
    var order: String?

    @Option(
        help: .localized("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    @Option(
        help: .localized(
            "Only these voices of the score, for example 'flute' or 'flute,harp'; the first one leads.",
            valueName: "names"), completion: .voice)
    var voice: String?

    /// The same for the application.
    var request: VersionRequest {
        var request = VersionRequest()
        (request.order, request.realize, request.voice) = (order, realize, voice)
        return request
    }
}
