internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

/// Options for clicks: those of a score, and those of a follower for itself.
struct ClickOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .localized("The level of clicks: -6dB, 50%, or off.", valueName: "level"), transform: OptionText.level)
    var clickLevel: Level?

    @Flag(inversion: .prefixedNo, help: .localized("Click on the beats of bars that have a meter."))
    var beats: Bool?

    @Option(
        help: .localized(
            "Divide the beats of bars that have a meter into 1 to 16 parts; more than 1 implies --beats.",
            valueName: "parts"),
        transform: { try OptionText.read($0, Beat.parts(scoreText:)) })
    var subdivide: Int?

    @OptionGroup var others: PropertyOptions<Score>

    func validate() throws {
        if beats == false, let subdivide, subdivide > 1 {
            throw ValidationError(localized("--subdivide and --no-beats cannot both be given"))
        }
    }

    /// The same for the application.
    var request: ClickRequest {
        var request = ClickRequest()
        request[Setting.clickLevel] = clickLevel
        (request.beats, request.subdivide, request.others) = (beats, subdivide, others.changes)
        return request
    }
}
