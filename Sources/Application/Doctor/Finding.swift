internal import Languages
internal import Playback
internal import Scores

/// One thing that `barline doctor` has looked at.
struct Finding: Sendable {
    /// How it is.
    enum State: String, Sendable {
        /// As it should be.
        case good
        /// Barline works, but something is missing or could be better.
        case note
        /// Barline cannot be heard.
        case problem
    }

    var state: State
    /// What was looked at, in a word or two.
    var subject: String
    /// What was seen, without a full stop.
    var seen: String
    /// What the user can do; nil if there is nothing to do.
    var advice: String?

    static func good(_ subject: String, _ seen: String, advice: String? = nil) -> Finding {
        Finding(state: .good, subject: subject, seen: seen, advice: advice)
    }

    static func note(_ subject: String, _ seen: String, advice: String? = nil) -> Finding {
        Finding(state: .note, subject: subject, seen: seen, advice: advice)
    }

    static func problem(_ subject: String, _ seen: String, advice: String) -> Finding {
        Finding(state: .problem, subject: subject, seen: seen, advice: advice)
    }

    /// Tells all findings, one by one, in the order of the report. A new examination is a function in this folder and a
    /// line here. `device` is the one that the user has chosen; `plays` says whether to play a test sound.
    static func all(version: String, device: String?, plays: Bool, told: (Finding) throws -> Void) async throws {
        try told(system(version: version))
        let sound = soundCards(device)
        try (sound + soundServers()).forEach(told)
        if plays, !sound.contains(where: { $0.state == .problem }) {
            try await testSound(device ?? Card.defaultDevice).forEach(told)
        }
        try [priority(), speech(), notifications(), browsers(), terminal(), clock()].forEach(told)
        try (cables(LoadedSettings.valid) + folders()).forEach(told)
    }

    var json: String {
        JSON.object([
            "state": .text(state.rawValue), "subject": .text(subject), "seen": .text(seen),
            "advice": .text(orNull: advice),
        ]).line
    }

    var text: String {
        let mark =
            switch state {
            case .good: localized("ok")
            case .note: localized("note")
            case .problem: localized("PROBLEM")
            }
        let lines = ["  \(mark.padding(to: 7)) \(subject): \(seen)", advice.map { "          -> \($0)" }]
        return lines.compactMap(\.self).map { $0.printable + "\n" }.joined()
    }
}
