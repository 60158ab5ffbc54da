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
            "The boundaries for the countdown: sections, lines or bars. Default: lines.", valueName: "which"),
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
            valueName: "list"))
    var speak: String?

    @Option(
        help: .localized(
            "The language of speech: en, de, fr, es or it. Default: auto, the system language.", valueName: "code"),
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
        if let speak {
            do { _ = try Setting.speak.value(speak) } catch { throw ValidationError("--speak: \(error)") }
        }
        for click in clicks { _ = try ClickChoice(click) }
    }

    /// The cues that these options ask for; without an option, those of the user's settings or, for a plan, its default
    /// countdown, signals and speech. `--no-cues` ignores both.
    func settings(isPlan: Bool) throws -> CueSettings {
        let settings = noCues ? Settings() : try LoadedSettings.get()
        let isPlan = isPlan && !noCues
        var cues = CueSettings()
        cues.countdown = countdown ?? settings.given(Setting.countdown) ?? (isPlan ? 3 : 0)
        let place = countdownTo ?? settings.given(Setting.countdownTo)
        cues.countdownTo = place ?? (isPlan ? .bars : cues.countdownTo)
        cues.holdEnd = holdEnd ?? (noCues ? .off : settings[Setting.holdEnd])
        cues.lastBar = warnLastBar ?? settings[Setting.warnLastBar]
        cues.halfTime = halfTime ?? settings.given(Setting.halfTime) ?? isPlan
        cues.minuteLeft = minuteLeft ?? settings.given(Setting.minuteLeft) ?? isPlan
        cues.end = endSignal ?? settings.given(Setting.endSignal) ?? isPlan
        cues.speech = try speech(settings, isPlan: isPlan)
        if countdownTo != nil, cues.countdown == 0 {
            throw Failure.exit(.usage, localized("--countdown-to needs --countdown"))
        }
        return cues
    }

    private func speech(_ settings: Settings, isPlan: Bool) throws -> SpeechSettings? {
        let wanted: SpeechSettings?
        if let speak {
            wanted = try OptionText.read(speak, Setting.speak)
        } else {
            wanted = try settings.given(Setting.speak) ?? (isPlan ? SpeechSettings(list: "cues,finish") : nil)
        }
        guard var speech = wanted else {
            if language == nil, speechLevel == nil { return nil }
            throw Failure.exit(.usage, localized("--language and --speech-level need --speak"))
        }
        speech.language = try spokenLanguage()
        speech.level = speechLevel ?? settings[Setting.speechLevel]
        return speech.level.isSilent ? nil : speech
    }

    /// The language of speech.
    func spokenLanguage() throws -> Language {
        if let language { return language.value ?? Environment.language }
        return try LoadedSettings.get()[Setting.language] ?? Environment.language
    }

    /// The speaker for an output at `rate`; nil if nothing is spoken.
    func speaker(_ speech: SpeechSettings?, rate: Int, waits: Bool) -> (any Speaker)? {
        guard let speech else { return nil }
        return Espeak(language: speech.language, rate: rate, waits: waits) { reason in
            Failure.say(localized("note: no speech, only clicks: espeak-ng: \(reason)"))
        }
    }

    /// Reports the words of a plan for which there was no room.
    static func report(_ missed: [MissedWord]) {
        var texts: [(text: String, count: Int)] = []
        var names: [String] = []
        for word in missed {
            switch word {
            case .announcement(let name): names.append(name)
            case .remark(let text):
                if let index = texts.firstIndex(where: { $0.text == text }) {
                    texts[index].count += 1
                } else {
                    texts.append((text, 1))
                }
            }
        }
        for (text, count) in texts {
            let shown = TextError.shown(text)
            Failure.say(
                count == 1
                    ? localized("warning: \(shown) is not spoken: there is no room for it between the announcements")
                    : localized(
                        "warning: \(shown) is not spoken \(count) times: there is no room for it between the "
                            + "announcements"))
        }
        if let first = names.first {
            let shown = TextError.shown(first)
            Failure.say(
                names.count == 1
                    ? localized("note: an interval is not announced, for lack of room before it: \(shown)")
                    : localized(
                        "note: \(names.count) intervals are not announced, for lack of room before them: \(shown)"))
        }
    }

    /// The shapes of clicks that were changed, with their sound files read for `rate`.
    func shapes(rate: Int) throws -> [ClickSound: ClickShape] {
        var shapes: [ClickSound: ClickShape] = [:]
        for text in clicks {
            let choice = try ClickChoice(text)
            var shape = choice.shape
            if let file = choice.file {
                shape.own = try Failure.exitOnError(.noInput, "'\(file)' ") { try OwnSound(file, rate: rate) }
            }
            shapes[choice.sound] = shape
        }
        return shapes
    }
}

/// The value of one `--click`: a click sound and its changes.
private struct ClickChoice {
    var sound: ClickSound
    var shape = ClickShape()
    var file: String?

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let sound = ClickSound(rawValue: parts[0]) else {
            throw ValidationError(
                localized("--click must begin with the name of a sound and a colon, for example bar:pitch=120%"))
        }
        self.sound = sound
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch (pair.first, pair.count) {
            case ("pitch", 2):
                let why = localized("the pitch of a click must be 25% to 400%")
                shape.pitch = try ClickChoice.percent(pair[1], 25...400, why)
            case ("length", 2):
                let why = localized("the length of a click must be 10% to 400%")
                shape.length = try ClickChoice.percent(pair[1], 10...400, why)
            case ("level", 2): shape.gain = try OptionText.level(pair[1]).amplitude
            case (_, 1) where !word.contains("=") && file == nil: file = String(word)
            default:
                throw ValidationError(
                    localized(
                        "'\(word)' is neither a sound file nor a change, for example pitch=120%, length=50% or level=-3dB"
                    ))
            }
        }
    }

    private static func percent(_ text: String, _ range: ClosedRange<Double>, _ why: String) throws -> Double {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), range.contains(percent) else {
            throw ValidationError(why)
        }
        return percent / 100
    }
}
