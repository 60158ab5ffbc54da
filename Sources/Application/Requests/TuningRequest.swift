internal import Languages
package import Scores
internal import Timing
internal import UserSettings

/// The tuning, as far as it is wanted otherwise than the score and the settings have it.
package struct TuningRequest: Sendable {
    /// The scale that is wanted.
    package enum Scale: Sendable {
        case temperament(Temperament)
        /// A Scala file, and the file of its keyboard map; an empty path for none.
        case scala(String, map: String)
    }

    package var a4: Double?
    package var scale: Scale?
    package var tonic: Int?
    package var instrument: Instrument?
    package var temperature: Double?

    package init() {}

    /// The tuning that is wanted, over one that has the user's settings already. Reads Scala files.
    func read(over tuned: Tuning, _ settings: Settings) throws -> Tuning {
        var request = self
        request.scale = scale(settings)
        return try request.applied(to: tuned)
    }

    /// The paths of the Scala file and its keyboard map, as they are wanted or as the user has set them.
    func files(_ settings: Settings) -> [String] {
        guard case .scala(let file, let map) = scale(settings) else { return [] }
        return map.isEmpty ? [file] : [file, map]
    }

    /// The scale that is wanted, or else that of the Scala file that the user has set.
    private func scale(_ settings: Settings) -> Scale? {
        scale ?? settings.scalaFiles(home: Environment[.home]).map { .scala($0.scale, map: $0.map ?? "") }
    }

    private func applied(to score: Tuning) throws -> Tuning {
        var result = score
        switch scale {
        case .scala(let file, let keys):
            let scale = try scala(file) { text throws(TextError) in try ScalaScale(scalaText: text) }
            let map = try keys.isEmpty ? nil : scala(keys) { text throws(TextError) in try ScalaMap(scalaText: text) }
            result.scale = .scala(scale, map ?? .linear)
        case .temperament(let temperament): result.scale = .temperament(temperament)
        case nil: break
        }
        if let tonic {
            if case .scala = result.scale {
                throw Failure.exit(.usage, localized("--tonic applies to temperaments, not to .scl files"))
            }
            result.tonic = tonic
        }
        if let instrument { result.instrument = instrument }
        if let temperature { result.temperature = temperature }
        return result
    }

    private func scala<Value>(_ file: String, _ parse: (String) throws(TextError) -> Value) throws -> Value {
        let text = try Failure.exitOnError(.noInput, "'\(file)' ") { try ScalaFile.text(file) }
        return try Failure.exitOnError(.badData, "'\(file)' ") { try parse(text) }
    }

    /// Refuses notes outside the range of a drone, including those of the drone changes in `score`.
    static func check(_ performance: Performance, _ score: Score? = nil) throws {
        let changes = performance.followsDroneChanges ? score?.notesOfChanges ?? [] : []
        if let fault = performance.pitchFault(ofChanges: changes) { throw Failure.exit(.usage, fault) }
    }
}
