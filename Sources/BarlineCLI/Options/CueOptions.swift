internal import Application
internal import ArgumentParser
internal import Languages
internal import Playback
internal import Scores
internal import UserSettings
internal import Timing

/// Options for signals, speech and the sound of clicks.
struct CueOptions: ParsableArguments {
    @Option(
        help: .localized(
            "The number of seconds to count down before a boundary: 3 gives 3-2-1; off for none.",
            valueName: "seconds"),
        transform: { try OptionText.read($0, Setting.countdown) })
    var countdown: Int?

    @Option(
        help: .localized(
            "The boundaries for the countdown: \(Setting.countdownTo.setting.form). Default: lines.", valueName: "which"
        ),
        completion: .values(CueSettings.Place.self),
        transform: { try OptionText.word($0, "--countdown-to") }
    )
    var countdownTo: CueSettings.Place?

    @Option(
        help: .localized(
            "How the end of a hold is announced: the seconds of a countdown, click or off. Default: 3.",
            valueName: "seconds"),
        transform: { try OptionText.read($0, Setting.holdEnd) })
    var holdEnd: CueSettings.HoldEnd?

    @Flag(inversion: .prefixedNo, help: .localized("Use a different click for the last bar of a line."))
    var warnLastBar: Bool?

    @Flag(inversion: .prefixedNo, help: .localized("Give a signal at half of the time."))
    var halfTime: Bool?

    @Flag(inversion: .prefixedNo, help: .localized("Give a signal one minute before the end."))
    var minuteLeft: Bool?

    @Flag(inversion: .prefixedNo, help: .localized("Give a signal at the end."))
    var endSignal: Bool?

    @Flag(help: .localized("Play a plan without its default count-in, countdown, signals and speech."))
    var noCues = false

    @Option(
        help: .localized(
            "Speak with espeak-ng: a list of bars or bars:4 (every 4th), lines, labels, cues, intervals, durations, counts; in plans "
                + "also pace, speed, distance, finish; off for none. Default for plans: cues,finish.",
            valueName: "list"), transform: { try OptionText.chosen($0, Setting.speak) })
    var speak: Chosen<SpeechSettings>?

    @Option(
        help: .localized(
            "The language of speech: \(WordText.list(Language.codes)). Default: auto, the system language.",
            valueName: "code"),
        completion: .values(Language.self), transform: { try OptionText.chosen($0, Setting.language) })
    var language: Chosen<Language>?

    @Option(
        parsing: .unconditional,
        help: .localized("The level of speech: -6dB, 50%, or off.", valueName: "level"), transform: OptionText.level)
    var speechLevel: Level?

    @Option(
        name: .customLong("click"), parsing: .unconditionalSingleValue,
        help: .localized(
            "How a click sounds: bar:pitch=120%,length=50%,level=-3dB or line:knock.wav. \(CueOptions.sounds).",
            valueName: "sound"))
    var clicks: [String] = []

    static let sounds = ClickSound.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        for click in clicks { _ = try ChangedClick(option: click) }
    }

    /// The same for the application.
    func request() throws -> CueRequest {
        var request = CueRequest()
        request[Setting.countdown] = countdown
        request[Setting.countdownTo] = countdownTo
        request[Setting.holdEnd] = holdEnd
        request[Setting.warnLastBar] = warnLastBar
        request[Setting.halfTime] = halfTime
        request[Setting.minuteLeft] = minuteLeft
        request[Setting.endSignal] = endSignal
        request[Setting.speak] = speak.map(\.value)
        request[Setting.language] = language.map(\.value)
        request[Setting.speechLevel] = speechLevel
        request.noCues = noCues
        request.clicks = try clicks.map { try ChangedClick(option: $0) }
        return request
    }
}

extension ChangedClick {
    /// Reads the value of one `--click`: a click sound and its changes.
    fileprivate init(option text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let sound = ClickSound(rawValue: parts[0]) else {
            throw ValidationError(
                localized("--click must begin with the name of a sound and a colon, for example bar:pitch=120%"))
        }
        self.init(sound)
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch (pair.first, pair.count) {
            case ("pitch", 2):
                let why = localized("the pitch of a click must be 25% to 400%")
                shape.pitch = try ChangedClick.percent(pair[1], 25...400, why)
            case ("length", 2):
                let why = localized("the length of a click must be 10% to 400%")
                shape.length = try ChangedClick.percent(pair[1], 10...400, why)
            case ("level", 2): shape.gain = try OptionText.level(pair[1]).amplitude
            case (_, 1) where !word.contains("=") && file == nil: file = String(word)
            default:
                throw ValidationError(
                    localized(
                        "'\(word)' is neither a sound file nor a change, for example pitch=120%, length=50% or level=-3dB"
                    ))
            }
        }
        if let file, (shape.pitch, shape.length) != (1, 1) {
            throw ValidationError(
                localized(
                    "--click: the sound file '\(file)' has its own pitch and length; only its level can be changed"))
        }
    }

    private static func percent(_ text: String, _ range: ClosedRange<Double>, _ why: String) throws -> Double {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), range.contains(percent) else {
            throw ValidationError(why)
        }
        return percent / 100
    }
}
