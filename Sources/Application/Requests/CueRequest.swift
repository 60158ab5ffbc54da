internal import Languages
internal import Playback
internal import Scores
internal import Timing
package import UserSettings

/// Signals, speech and the sound of clicks, as far as they are wanted otherwise than the settings have them.
package struct CueRequest: OptionRequest {
    package var options = OptionValues()
    /// Whether a plan is without its default count-in, countdown, signals and speech.
    package var noCues = false
    package var clicks: [ChangedClick] = []

    package init() {}

    /// The cues that are wanted; what is not wanted here, as in the user's settings or, for a plan, its default
    /// countdown, signals and speech. `--no-cues` ignores both.
    func settings(isPlan: Bool) throws -> CueSettings {
        var settings = noCues ? Settings().under(options) : try LoadedSettings.get(options)
        if isPlan, !noCues { settings.becomeThoseOfPlan() }
        var cues = CueSettings()
        cues.countdown = settings[Setting.countdown]
        cues.countdownTo = settings[Setting.countdownTo]
        cues.holdEnd = settings.given(Setting.holdEnd) ?? (noCues ? .off : Setting.holdEnd.standard)
        cues.lastBar = settings[Setting.warnLastBar]
        cues.halfTime = settings[Setting.halfTime]
        cues.minuteLeft = settings[Setting.minuteLeft]
        cues.end = settings[Setting.endSignal]
        cues.speech = try speech(settings)
        if self[Setting.countdownTo] != nil, cues.countdown == 0 {
            throw Failure.exit(.usage, localized("--countdown-to needs --countdown"))
        }
        return cues
    }

    private func speech(_ settings: Settings) throws -> SpeechSettings? {
        guard var speech = settings[Setting.speak] else {
            if self[Setting.language] == nil, self[Setting.speechLevel] == nil { return nil }
            throw Failure.exit(.usage, localized("--language and --speech-level need --speak"))
        }
        speech.language = try spokenLanguage()
        speech.level = settings[Setting.speechLevel]
        return speech.level.isSilent ? nil : speech
    }

    /// The language of speech.
    func spokenLanguage() throws -> Language {
        try LoadedSettings.get(options)[Setting.language] ?? Environment.language
    }

    /// The voice for an output at `rate`, as the user wants it; nil if nothing is spoken.
    func speaker(for performance: Performance, rate: Int, waits: Bool) throws -> (any Speaker)? {
        guard performance.cues.speech != nil else { return nil }
        return Espeak(language: try spokenLanguage(), rate: rate, waits: waits) { Failure.say(CueRequest.note($0)) }
    }

    private static func note(_ failure: SpeechFailure) -> String {
        switch failure {
        case .text(let text, let reason):
            localized("note: \(TextError.shown(text)) is not spoken: espeak-ng: \(reason)")
        case .rest(let reason): localized("note: no more speech, only clicks: espeak-ng: \(reason)")
        case .all(let reason): localized("note: no speech, only clicks: espeak-ng: \(reason)")
        }
    }

    /// What there is to say of the words of a plan for which there was no room.
    static func reports(of missed: [MissedWord]) -> [String] {
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
        var reports = texts.map { text, count in
            let shown = TextError.shown(text)
            return count == 1
                ? localized("warning: \(shown) is not spoken: there is no room for it between the announcements")
                : localized(
                    "warning: \(shown) is not spoken \(count) times: there is no room for it between the "
                        + "announcements")
        }
        if let first = names.first {
            let shown = TextError.shown(first)
            reports.append(
                names.count == 1
                    ? localized("note: an interval is not announced, for lack of room before it: \(shown)")
                    : localized(
                        "note: \(names.count) intervals are not announced, for lack of room before them: \(shown)"))
        }
        return reports
    }

    /// Whether some clicks have sounds of their own.
    var changesClicks: Bool { !clicks.isEmpty }

    /// The clicks that are not heard.
    var silentSounds: Set<ClickSound> { Set(clicks.filter { $0.shape.gain == 0 }.map(\.sound)) }

    /// The shapes of clicks that were changed, with their sound files read for `rate`.
    func shapes(rate: Int) throws -> [ClickSound: ClickShape] {
        var shapes: [ClickSound: ClickShape] = [:]
        for click in clicks {
            var shape = click.shape
            if let file = click.file {
                shape.own = try Failure.exitOnError(.noInput, "'\(file)' ") { try OwnSound(file, rate: rate) }
            }
            shapes[click.sound] = shape
        }
        return shapes
    }
}
