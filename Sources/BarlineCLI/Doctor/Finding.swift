internal import Application

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

    static func good(_ subject: String, _ seen: String) -> Finding {
        Finding(state: .good, subject: subject, seen: seen)
    }

    static func note(_ subject: String, _ seen: String, advice: String? = nil) -> Finding {
        Finding(state: .note, subject: subject, seen: seen, advice: advice)
    }

    static func problem(_ subject: String, _ seen: String, advice: String) -> Finding {
        Finding(state: .problem, subject: subject, seen: seen, advice: advice)
    }

    /// Tells all findings, one by one, in the order of the report. A new examination is a function in this folder and a
    /// line here. `device` is the one that `play` would use; `plays` says whether to play a test sound.
    static func all(device: String, plays: Bool, told: (Finding) throws -> Void) async throws {
        for finding in system() { try told(finding) }
        let sound = soundCards(device)
        for finding in sound { try told(finding) }
        for finding in soundServers() { try told(finding) }
        if plays, !sound.contains(where: { $0.state == .problem }) {
            for finding in await testSound(device) { try told(finding) }
        }
        for finding in [priority(), speech(), notifications(), browsers(), terminal(), clock()] { try told(finding) }
        for finding in cables(LoadedSettings.valid) { try told(finding) }
        for finding in folders() { try told(finding) }
    }
}
