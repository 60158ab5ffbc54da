package import Files
internal import Languages
package import Scores

/// What the program remembers about a score between runs.
package struct ScoreMemory: Sendable, Equatable {
    /// The speed at which it was last played.
    package var speed: Speed?
    /// Where it stopped, in the format of `--from`: `5.7`.
    package var place: String?
    /// The first bar of the loop.
    package var loopFrom: String?
    /// The last bar of the loop.
    package var loopTo: String?
    /// When it was last played.
    package var played: LocalTime?

    /// Creates a memory.
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

    private static func values(_ bytes: [UInt8]) -> [String: String] {
        var values: [String: String] = [:]
        for pair in YAMLPairs(bytes, file: "").pairs where !pair.isRepeated && pair.value?.isEmpty == false {
            values[pair.key] = pair.value
        }
        return values
    }

    /// Whether a value cannot be read.
    fileprivate static func hasFault(_ bytes: [UInt8]) -> Bool {
        let values = values(bytes)
        return values[keys.speed].map { (try? Speed(scoreText: $0)) == nil } ?? false
            || values[keys.played].map { LocalTime(text: $0) == nil } ?? false
    }

    /// Reads the memory of a score from the bytes of its file; empty if they are about another score, or there are
    /// none. Values that cannot be read are left out.
    package init(_ bytes: [UInt8], of identity: ScoreIdentity) {
        let values = ScoreMemory.values(bytes)
        self.init()
        let keys = ScoreMemory.keys
        guard values[keys.score] == identity.text else { return }
        speed = values[keys.speed].flatMap { try? Speed(scoreText: $0) }
        place = values[keys.place]
        loopFrom = values[keys.loopFrom]
        loopTo = values[keys.loopTo]
        played = values[keys.played].flatMap(LocalTime.init(text:))
    }

    /// The text of the file, which reads back to the same memory.
    package func text(of identity: ScoreIdentity) -> String {
        let keys = ScoreMemory.keys
        let values: [(String, String?)] = [
            (keys.score, identity.text), (keys.speed, speed.map { "\($0)" }), (keys.place, place),
            (keys.loopFrom, loopFrom), (keys.loopTo, loopTo), (keys.played, played?.text),
        ]
        return values.map { key, value in value.map { "\(key): \(SettingsText.written($0))\n" } ?? "" }.joined()
    }
}

/// The memory file of a score: `$XDG_STATE_HOME/barline/scores/NAME.yaml`.
package struct ScoreMemoryFile: Sendable {
    /// The path of the file, which need not exist.
    package let path: String
    private let identity: ScoreIdentity

    /// The file of a score for an environment; nil if it names no home folder.
    package init?(environment: [String: String], _ identity: ScoreIdentity) {
        guard let folder = BaseFolder.state.path(environment: environment) else { return nil }
        path = "\(folder)/scores/\(identity.fileName)"
        self.identity = identity
    }

    /// Reads the memory; empty if there is none. Moves a damaged file aside; `note` is told of it, and of other errors.
    package func read(note: (String) -> Void = { _ in }) -> ScoreMemory {
        do throws(FileError) {
            tell(try KeptFile(path).setAside(where: ScoreMemoryFile.isDamaged), note)
            return ScoreMemory(try KeptFile(path).read() ?? [], of: identity)
        } catch {
            note("'\(path)' \(error)")
            return ScoreMemory()
        }
    }

    /// Replaces the memory. `note` is told of a damaged file. Errors: the file cannot be read or written.
    package func write(_ memory: ScoreMemory, note: (String) -> Void = { _ in }) throws(FileError) {
        try change(note: note) { $0 = memory }
    }

    /// Changes the memory while no other program can. `note` is told of a damaged file. Errors: the file cannot be read or
    /// written.
    package func change(
        note: (String) -> Void = { _ in }, _ change: (inout ScoreMemory) -> Void
    ) throws(FileError) {
        let aside = try KeptFile(path).change(damagedWhere: ScoreMemoryFile.isDamaged) { bytes in
            var memory = ScoreMemory(bytes ?? [], of: identity)
            change(&memory)
            return Array(memory.text(of: identity).utf8)
        }
        tell(aside, note)
    }

    /// Says that the file was damaged, if it has been moved aside.
    private func tell(_ aside: String?, _ note: (String) -> Void) {
        if let aside { note(localized("'\(path)' was damaged and has been moved to '\(aside)'")) }
    }

    private static func isDamaged(_ bytes: [UInt8]) -> Bool {
        YAMLPairs(bytes, file: "").isDamaged || ScoreMemory.hasFault(bytes)
    }
}
