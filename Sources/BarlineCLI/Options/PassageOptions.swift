internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Timing

/// The bars of a score and the speed: options that all commands that go through a score have in common.
struct PassageOptions: ParsableArguments {
    @OptionGroup var inputOptions: InputOptions

    @Option(
        help: .localized(
            "Start at a place: 5.7 (line 5, bar 7), 57 (the 57th bar), a label, or a time: 2:30.", valueName: "place"),
        completion: .place)
    var from: String?

    @Option(
        help: .localized(
            "Play to the end of a bar or labeled line; a score that repeats forever, also to the end of the round at a time: 30:00.",
            valueName: "place"), completion: .place)
    var to: String?

    // `.unconditional`, so that a negative number is read as a value and the error is about that value.
    @Option(
        parsing: .unconditional,
        help: .localized("The speed: 100% is as written; at 50%, a bar of 3 s lasts 6 s.", valueName: "percent"),
        transform: OptionText.speed)
    var speed: Speed?

    @Option(
        parsing: .unconditional, help: .localized("How many times to play it.", valueName: "n"))
    var times: Int?

    @OptionGroup var versionOptions: VersionOptions
    @OptionGroup var weekOptions: WeekOptions

    /// Whether any of these options was given.
    var isGiven: Bool {
        let (input, version) = (inputOptions, versionOptions)
        let values: [Any?] = [
            from, to, speed, times, input.format, input.tempoOptions.tempi, input.gapOptions.open,
            input.gapOptions.threshold, version.order, version.realize, version.voice,
        ]
        return values.contains { $0 != nil } || input.strict || weekOptions.choice.isGiven
    }

    func validate() throws {
        if let times, !(1...1_000_000).contains(times) {
            throw ValidationError(localized("--times must be 1 to 1000000"))
        }
    }

    /// The same for the application.
    var request: PassageRequest {
        var request = PassageRequest()
        request.reading = inputOptions.choice()
        request.reading.workout = weekOptions.choice
        (request.from, request.to, request.speed, request.times) = (from, to, speed, times)
        request.version = versionOptions.request
        return request
    }
}
