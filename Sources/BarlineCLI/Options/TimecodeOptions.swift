internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

extension TimecodePause: ExpressibleByArgument {}
extension TimecodeSpeed: ExpressibleByArgument {}

/// Options for the linear timecode beside the sound of a score.
struct TimecodeOptions: ParsableArguments {
    @Option(
        help: .localized(
            "A channel of the card or file that carries timecode (LTC) and nothing else, such as 3.", valueName: "n"),
        transform: { try OptionText.chosen($0, Setting.ltcChannel) })
    var ltcChannel: Chosen<Int>?

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
        transform: { try OptionText.read($0, Setting.ltcPreroll) })
    var ltcPreroll: Duration?

    @Option(
        parsing: .unconditional, help: .localized("The level of the timecode. Default: -6dB.", valueName: "level"),
        transform: OptionText.level)
    var ltcLevel: Level?

    /// The same for the application.
    var request: TimecodeRequest {
        var request = TimecodeRequest()
        request.start = ltcStart
        request[Setting.ltcChannel] = ltcChannel.map(\.value)
        request[Setting.ltcPause] = ltcPause
        request[Setting.ltcSpeed] = ltcSpeed
        request[Setting.ltcPreroll] = ltcPreroll
        request[Setting.ltcLevel] = ltcLevel
        return request
    }
}
