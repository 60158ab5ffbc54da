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
        /// A scale that has been read.
        case given(Tuning.Scale)
    }

    package var a4: Double?
    package var scale: Scale?
    package var tonic: Int?
    package var instrument: Instrument?
    package var temperature: Double?

    package init() {}

    /// The whole tuning of a score, and not that of the settings; with another scale if there is one.
    init(of score: Score, _ scale: Tuning.Scale?) {
        (a4, instrument, temperature) = (score.a4, score.tuning.instrument, score.tuning.temperature)
        self.scale = .given(scale ?? score.tuning.scale)
        if scale == nil { tonic = score.tuning.tonic }
    }

    /// The tuning that is wanted, over one that has the user's settings already. Reads Scala files.
    func read(over tuned: Tuning, _ settings: Settings) throws -> Tuning {
        var result = tuned
        switch scale {
        case .scala(let file, let keys): result.scale = .scala(try scale(file), try map(keys))
        case .temperament(let temperament): result.scale = .temperament(temperament)
        case .given(let scale): result.scale = scale
        case nil:
            // The user may set one of the two files, and the score the other.
            let (file, keys) = settings.scalaFiles(home: Environment[.home])
            var stated: (scale: ScalaScale, map: ScalaMap)?
            if case .scala(let scale, let map) = tuned.scale { stated = (scale, map) }
            if let scale = try file.map(scale) ?? stated?.scale {
                result.scale = .scala(scale, try keys.map(map) ?? stated?.map ?? .linear)
            }
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

    /// The paths of the Scala file and its keyboard map, as they are wanted or as the user has set them.
    func files(_ settings: Settings) -> [String] {
        var files = settings.scalaFiles(home: Environment[.home])
        if case .scala(let file, let map) = scale { files = (file, map) }
        return [files.scale, files.map].compactMap(\.self).filter { !$0.isEmpty }
    }

    private func scale(_ file: String) throws -> ScalaScale {
        try scala(file) { text throws(TextError) in try ScalaScale(scalaText: text) }
    }

    /// The keyboard map of a file; an empty path for none.
    private func map(_ file: String) throws -> ScalaMap {
        try file.isEmpty ? .linear : scala(file) { text throws(TextError) in try ScalaMap(scalaText: text) }
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
