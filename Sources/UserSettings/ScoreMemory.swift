package import Files
package import Scores

/// What is remembered of a score between runs.
package struct ScoreMemory: Sendable, Equatable {
    /// The speed at which it was last played.
    package var speed: Speed?
    /// Where it stopped, as `--from` reads it: `5.7`.
    package var place: String?
    /// The first bar of the loop.
    package var loopFrom: String?
    /// The last bar of the loop.
    package var loopTo: String?
    /// When it was last played.
    package var played: LocalTime?

    /// Makes a memory.
    package init(
        speed: Speed? = nil, place: String? = nil, loopFrom: String? = nil, loopTo: String? = nil,
        played: LocalTime? = nil
    ) {
        self.speed = speed
        self.place = place
        self.loopFrom = loopFrom
        self.loopTo = loopTo
        self.played = played
    }

    private static let keys = (
        score: "score", speed: "speed", place: "place", loopFrom: "loop-from", loopTo: "loop-to", played: "played"
    )

    /// Reads a memory of a score from the bytes of its file; empty where they remember another score, or nothing. What
    /// cannot be read is left out.
    init(_ bytes: [UInt8], of identity: ScoreIdentity) {
        var values: [String: String] = [:]
        for pair in YAMLPairs(bytes, file: "").pairs where !pair.isRepeated && pair.value?.isEmpty == false {
            values[pair.key] = pair.value
        }
        self.init()
        let keys = ScoreMemory.keys
        guard values[keys.score] == identity.text else { return }
        speed = values[keys.speed].flatMap { try? Speed(scoreText: $0) }
        place = values[keys.place]
        loopFrom = values[keys.loopFrom]
        loopTo = values[keys.loopTo]
        played = values[keys.played].flatMap(LocalTime.init(text:))
    }

    /// The text that reads back to the same.
    func text(of identity: ScoreIdentity) -> String {
        let keys = ScoreMemory.keys
        let values: [(String, String?)] = [
            (keys.score, identity.text), (keys.speed, speed.map { "\($0)" }), (keys.place, place),
            (keys.loopFrom, loopFrom), (keys.loopTo, loopTo), (keys.played, played?.text),
        ]
        return values.map { key, value in value.map { "\(key): \(SettingsText.written($0))\n" } ?? "" }.joined()
    }
}

/// The file in which a score is remembered: `$XDG_STATE_HOME/barline/scores/NAME.yaml`.
package struct ScoreMemoryFile: Sendable {
    /// Where it is; it need not exist.
    package let path: String
    private let identity: ScoreIdentity

    /// The file of a score in an environment; nil without a home.
    package init?(environment: [String: String], _ identity: ScoreIdentity) {
        guard let folder = BaseFolder.state.path(environment: environment) else { return nil }
        path = "\(folder)/scores/\(identity.fileName)"
        self.identity = identity
    }

    /// Reads what is remembered; nothing where there is no file. `note` is told of a damaged file, which is moved aside,
    /// and of one that cannot be read, a sentence each.
    package func read(note: (String) -> Void = { _ in }) -> ScoreMemory {
        do throws(FileError) {
            if let aside = try setDamagedAside() { note("'\(path)' was damaged: it is '\(aside)' now") }
            return ScoreMemory(try KeptFile(path).read() ?? [], of: identity)
        } catch {
            note("'\(path)' \(error)")
            return ScoreMemory()
        }
    }

    /// Remembers this in place of what was remembered. Errors: it cannot be written.
    package func write(_ memory: ScoreMemory) throws(FileError) {
        try change { $0 = memory }
    }

    /// Changes what is remembered, which no other program does at the same time. Errors: it cannot be read or written.
    package func change(_ change: (inout ScoreMemory) -> Void) throws(FileError) {
        try KeptFile(path).change(damagedWhere: ScoreMemoryFile.isDamaged) { bytes in
            var memory = ScoreMemory(bytes ?? [], of: identity)
            change(&memory)
            return Array(memory.text(of: identity).utf8)
        }
    }

    private func setDamagedAside() throws(FileError) -> String? {
        let file = KeptFile(path)
        guard let bytes = try file.read(), ScoreMemoryFile.isDamaged(bytes) else { return nil }
        return try file.setAside(where: ScoreMemoryFile.isDamaged)
    }

    private static func isDamaged(_ bytes: [UInt8]) -> Bool { YAMLPairs(bytes, file: "").isDamaged }
}
