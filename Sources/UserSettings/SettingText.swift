internal import Languages
package import Scores
package import Timing

/// The drone that an option or a setting asks for.
package enum DroneChoice: Sendable, Equatable {
    /// A drone of these notes.
    case notes([Score.Drone.Note])
    /// No drone.
    case off

    /// Reads notes in the syntax of scores, or `off`. Errors: a note is not valid.
    package init(text: String) throws(TextError) {
        self = text.meansOff ? .off : .notes(try Score.Drone.notes(scoreText: text))
    }

    /// A drone with these notes instead of its own; nil for no drone.
    package func applied(to drone: Score.Drone?) -> Score.Drone? {
        guard case .notes(let notes) = self else { return nil }
        var drone = drone ?? Score.Drone()
        drone.notes = notes
        return drone
    }
}

extension SpeechSettings {
    /// Reads a comma-separated list of what is spoken: `lines`, `bars:4` (every 4th), `labels`, `cues`, `intervals`,
    /// `durations`, `counts`, and in plans `pace`, `speed`, `distance`, `finish`. Errors: the list has any other word.
    package init(list: String) throws(TextError) {
        self.init()
        let form = localized(
            "a list of bars, lines, labels, cues, intervals, durations, counts, pace, speed, distance and finish, "
                + "for example lines,bars:4 or cues,pace")
        let fault = TextError(localized("\(TextError.shown(list)) is not \(form)"))
        let numbered = ["bars": \SpeechSettings.bars, "lines": \.lines]
        let flags = [
            "labels": \SpeechSettings.labels, "cues": \.cues, "intervals": \.intervals, "durations": \.durations,
            "counts": \.counts, "pace": \.pace, "speed": \.speed, "distance": \.distance, "finish": \.finish,
        ]
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: ":", maxSplits: 1).map { String($0).trimmingBlanks }
            let every = parts.count == 2 ? Int(parts[1]) : 1
            guard let name = parts.first, let every, (1...10_000).contains(every),
                parts.count == 1 || numbered[name] != nil
            else { throw fault }
            if let numbered = numbered[name] {
                self[keyPath: numbered] = every
            } else if let flag = flags[name] {
                self[keyPath: flag] = true
            } else {
                throw fault
            }
        }
    }
}

/// Reads the values of settings that scores do not have.
enum SettingText {
    /// Reads `on` or `off`, or YAML's other words for them.
    @Sendable static func isOn(_ text: String) throws(TextError) -> Bool {
        if let missing = missing(text, localized("on or off")) { throw missing }
        return try Bool(scoreText: text)
    }

    /// Reads a value that may be `word`, such as `auto` or `off`: nil for that word.
    static func unless<Value>(
        _ word: String, _ text: String, _ read: (String) throws(TextError) -> Value
    ) throws(TextError) -> Value? {
        text.trimmingBlanks.lowercased() == word || word == "off" && text.meansOff ? nil : try read(text)
    }

    /// Reads a number of milliseconds, with or without its unit.
    @Sendable static func milliseconds(_ text: String) throws(TextError) -> Double {
        let word = text.trimmingBlanks
        let bare = word.hasSuffix("ms") ? String(word.dropLast(2)).trimmingBlanks : word
        let isDecimal = bare.utf8.allSatisfy { "0123456789.+-".utf8.contains($0) }
        guard isDecimal, let number = Double(bare) else {
            throw missing(text, localized("auto, or milliseconds, for example 180"))
                ?? TextError(
                    localized("\(TextError.shown(word)) is not a number of milliseconds"),
                    hint: localized("for example 180"))
        }
        guard abs(number) <= 10_000 else { throw TextError(localized("the time must be -10000 to 10000 ms")) }
        return number
    }

    /// Reads the seconds of a countdown; 0 = off.
    @Sendable static func countdown(_ text: String) throws(TextError) -> Int {
        if text.meansOff { return 0 }
        if let seconds = seconds(text.trimmingBlanks) { return seconds }
        throw TextError(localized("a countdown must be 1 to \(CueSettings.longestCountdown) seconds, or off"))
    }

    /// Reads the seconds of a countdown to the end of a hold, `click` or `off`.
    @Sendable static func holdEnd(_ text: String) throws(TextError) -> CueSettings.HoldEnd {
        switch text.trimmingBlanks.lowercased() {
        case "click": return .click
        case let word where word.meansOff: return .off
        case let word:
            if let seconds = seconds(word) { return .countdown(seconds) }
            throw TextError(
                localized(
                    "the end of a hold has a countdown of 1 to \(CueSettings.longestCountdown) seconds, click, or off"))
        }
    }

    /// The seconds of a countdown; nil if the text is anything else.
    private static func seconds(_ text: String) -> Int? {
        Int(wholeText: text).flatMap { (1...CueSettings.longestCountdown).contains($0) ? $0 : nil }
    }

    /// Reads a text that must not be empty, such as a device or a path.
    static func line(_ text: String, _ what: String) throws(TextError) -> String {
        guard !text.trimmingBlanks.isEmpty else { throw TextError(localized("\(what) is missing")) }
        return text.trimmingBlanks
    }

    /// The error for an empty text, with the valid values; nil if the text is not empty.
    static func missing(_ text: String, _ form: String) -> TextError? {
        text.trimmingBlanks.isEmpty ? TextError(localized("a value is missing"), hint: localized("write \(form)")) : nil
    }
}
