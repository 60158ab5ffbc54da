internal import Application
internal import ArgumentParser
internal import Languages
internal import Playback
internal import Scores
internal import Timing
internal import UserSettings

extension TimecodePause: ExpressibleByArgument {}
extension TimecodeSpeed: ExpressibleByArgument {}

/// Options for the linear timecode beside the sound of a score.
struct TimecodeOptions: ParsableArguments {
    @Option(
        help: .localized(
            "A channel of the card or file that carries timecode (LTC) and nothing else, such as 3.", valueName: "n"))
    var ltcChannel: Int?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The timecode at the beginning of the score: '01:00:00:00 @ 25'. Default: the score's own.",
            valueName: "timecode"), transform: { try OptionText.read($0) { try Timecode(scoreText: $0) } })
    var ltcStart: Timecode?

    @Option(help: .localized("The timecode in a pause: stop (silence) or hold (the same frame again). Default: stop."))
    var ltcPause: TimecodePause?

    @Option(
        help: .localized(
            "What the timecode counts at another speed: clock (real time) or score (time at 100%). Default: clock."))
    var ltcSpeed: TimecodeSpeed?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "How long the timecode runs before the first bar and before the target of a jump; the music waits. Default: 0.",
            valueName: "time"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .time) } })
    var ltcPreroll: Duration?

    @Option(
        parsing: .unconditional, help: .localized("The level of the timecode. Default: -6dB.", valueName: "level"),
        transform: OptionText.level)
    var ltcLevel: Level?

    func validate() throws {
        if let ltcChannel, !(1...32).contains(ltcChannel) {
            throw ValidationError(localized("--ltc-channel must be 1 to 32"))
        }
        if let ltcPreroll, !(.zero...LinearTimecode.longestPreroll).contains(ltcPreroll) {
            throw ValidationError(localized("--ltc-preroll must be at most 60 s"))
        }
    }

    /// The same for the application.
    var request: TimecodeRequest {
        var request = TimecodeRequest()
        (request.channel, request.start, request.pause) = (ltcChannel, ltcStart, ltcPause)
        (request.speed, request.preroll, request.level) = (ltcSpeed, ltcPreroll, ltcLevel)
        return request
    }
}
