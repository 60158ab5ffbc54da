internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running
internal import Scores
internal import Timing
internal import UserSettings

/// Reads the values of options with the same syntax as in a score or plan.
enum OptionText {
    static func level(_ text: String) throws -> Level { try read(text) { try Level(scoreText: $0) } }
    static func speed(_ text: String) throws -> Speed { try read(text) { try Speed(scoreText: $0) } }
    static func drone(_ text: String) throws -> DroneChoice {
        try read(NoteNames.scoreText(text), DroneChoice.init(text:))
    }

    static func a4(_ text: String) throws -> Double { try read(text) { try Score.a4(scoreText: $0) } }
    static func seed(_ text: String) throws -> UInt64 { try read(text) { try Score.realization(scoreText: $0) } }

    static func distance(_ text: String) throws -> Distance { try read(text) { try Distance(runText: $0) } }
    static func time(_ text: String) throws -> Duration { try read(text) { try Duration(runText: $0) } }
    static func pace(_ text: String) throws -> Pace { try read(text) { try Pace(runText: $0) } }

    /// A time with or without a sign: `-2s`, `+0:10`.
    static func change(_ text: String) throws -> Duration {
        let sign = text.hasPrefix("-") ? -1 : 1
        let magnitude = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        return try time(magnitude) * sign
    }

    /// A distance or a time to fill.
    static func fill(_ text: String) throws -> Plan.Length {
        if let distance = try? Distance(runText: text) { return .distance(distance) }
        if let time = try? Duration(runText: text) { return .time(time) }
        throw ValidationError(
            localized("'\(text)' is neither a distance nor a time; write for example 10mi or 2:00:00"))
    }

    static func format(_ text: String) throws -> WrittenFormat {
        // One that is only read has an error of its own.
        if let format = Format(rawValue: text.lowercased()) { return .score(format) }
        return try read(text) { try WordText.read($0, localized("a format"), among: WrittenFormat.all, \.option) }
    }

    static func inputFormat(_ text: String) throws -> Format {
        try read(text) {
            try WordText.read($0, localized("a format to read"), among: Format.readable, \.rawValue)
        }
    }

    /// Reads one of the words of an option.
    static func word<Value: RawRepresentable<String> & CaseIterable>(_ text: String, _ option: String) throws -> Value {
        try read(text) { try WordText.read($0, localized("a value of \(option)")) }
    }

    /// Reads a value with the same syntax as the setting.
    static func read<Value>(_ text: String, _ key: TypedSetting<Value>) throws -> Value {
        try read(text) { try key.value($0) }
    }

    /// Reads a value with the same syntax as a setting that can be left open.
    static func chosen<Value>(_ text: String, _ key: TypedSetting<Value?>) throws -> Chosen<Value> {
        Chosen(value: try read(text, key))
    }

    /// Refuses `-` as the name of more than one of these files: standard input can be read only once. nil names no file.
    static func checkInputs(_ files: [String?]) throws {
        guard files.count(where: { $0 == "-" }) > 1 else { return }
        throw ValidationError(localized("standard input can be read only once"))
    }

    static func read<Value>(_ text: String, _ parse: (String) throws -> Value) throws -> Value {
        do { return try parse(text) } catch { throw ValidationError("\(error)") }
    }
}

extension UnitChoice: ExpressibleByArgument {}

extension ScoreChoice {
    /// The help of an argument that names it.
    static let help: ArgumentHelp = .localized("A score file, the name of a score, or - for standard input.")
}

extension ArgumentHelp {
    /// The help of an option in the language of the process.
    static func localized(
        _ abstract: Phrase, discussion: String = "", valueName: String? = nil, visibility: ArgumentVisibility = .default
    ) -> ArgumentHelp {
        ArgumentHelp(
            "\(Languages.localized(abstract))", discussion: discussion, valueName: valueName,
            visibility: visibility)
    }
}
