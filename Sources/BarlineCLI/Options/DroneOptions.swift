internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings
internal import Timing

/// Options for the sound of the drone, shared by all commands that have one.
struct DroneOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .localized("The drone's level: -24dB, 6%, or off.", valueName: "level"), transform: OptionText.level)
    var droneLevel: Level?

    @Option(
        name: [.customLong("waveform"), .customLong("drone-waveform")],
        help: .localized(
            "The drone's voice: \(Score.Waveform.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "name"), completion: .values(Score.Waveform.self),
        transform: { try OptionText.read($0, Score.Waveform.init(scoreText:)) })
    var waveform: Score.Waveform?

    @Option(
        parsing: .unconditional,
        help: .localized("The brightness of the drone: -100% (dull) to 100% (bright).", valueName: "percent"),
        transform: { try OptionText.read($0, Score.Voice.brightness(scoreText:)) })
    var brightness: Double?

    @Option(
        parsing: .unconditional,
        help: .localized("The range of slow variations of the drone's level: 1.5dB.", valueName: "dB"),
        transform: { try OptionText.read($0, Score.Voice.variation(scoreText:)) })
    var variation: Double?

    @Option(
        parsing: .unconditional,
        help: .localized("The rate of beats with a second, softer voice: 0.5Hz.", valueName: "Hz"),
        transform: { try OptionText.read($0, Score.Voice.beating(scoreText:)) })
    var beating: Double?

    @Option(
        help: .localized("The seed of the variations: the same seed gives the same variations.", valueName: "n"),
        transform: { try OptionText.read($0, Score.Voice.seed(scoreText:)) })
    var droneSeed: UInt32?

    @Option(
        parsing: .unconditional,
        help: .localized("The time of the drone's fade-in and fade-out: 2s.", valueName: "seconds"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .fade) } })
    var fade: Duration?

    /// Whether any of these options was given: they need a drone.
    var isGiven: Bool {
        droneLevel != nil || waveform != nil || brightness != nil || variation != nil || beating != nil
            || droneSeed != nil || fade != nil
    }

    /// Applies the options to a drone.
    func apply(to drone: inout Score.Drone) {
        if let droneLevel { drone.level = droneLevel }
        if let waveform { drone.waveform = waveform }
        if let brightness { drone.brightness = brightness }
        if let variation { drone.variation = variation }
        if let beating { drone.beating = beating }
        if let droneSeed { drone.seed = droneSeed }
        if let fade { drone.fade = fade }
    }
}

/// Options for the tuning.
struct TuningOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .localized("The tuning of A4, 380 to 480 Hz.", valueName: "Hz"), transform: OptionText.a4)
    var a4: Double?

    @Option(
        help: .localized(
            "\(Temperament.allCases.map(\.rawValue).joined(separator: ", ")), or a Scala file (.scl).",
            valueName: "tuning"), completion: .tuning)
    var tuning: String?

    @Option(
        help: .localized("A Scala keyboard map (.kbm) for the .scl file.", valueName: "file"),
        completion: .file(extensions: ["kbm"]))
    var keyboardMap: String?

    @Option(
        help: .localized("The note from which the temperament is built: D, Eb ... Default: C.", valueName: "note"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Score.tonic(scoreText:)) })
    var tonic: Int?

    @Option(
        help: .localized(
            "The key of the instrument for which pitches are written: C, Bb, A, F or Eb.", valueName: "key"),
        transform: { try OptionText.read(NoteNames.instrument($0), Instrument.init(scoreText:)) })
    var instrument: Instrument?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The temperature of the instruments in degrees C; at 20, their pitch is correct.", valueName: "C"),
        transform: { try OptionText.read($0, Score.temperature(scoreText:)) })
    var temperature: Double?

    func validate() throws {
        if keyboardMap != nil, !isScala {
            throw ValidationError(localized("--keyboard-map needs --tuning with a .scl file"))
        }
        if let tuning, !isScala { _ = try OptionText.read(tuning, Temperament.init(scoreText:)) }
    }

    private var isScala: Bool { tuning.map { $0.lowercased().hasSuffix(".scl") } ?? false }

    /// Applies the options to a tuning that has the user's settings already, and reads Scala files.
    func read(over tuned: Tuning, _ settings: Settings) throws -> Tuning {
        var options = self
        if tuning == nil, let files = settings.scalaFiles(home: Environment.values["HOME"]) {
            options.tuning = files.scale
            options.keyboardMap = files.map
        }
        return try options.applied(to: tuned)
    }

    private func applied(to score: Tuning) throws -> Tuning {
        var result = score
        if let tuning, isScala {
            let scale = try scala(tuning) { text throws(TextError) in try ScalaScale(scalaText: text) }
            let file = try keyboardMap.map { try OptionText.read($0, Setting.keyboardMap) } ?? ""
            let map = try file.isEmpty ? nil : scala(file) { text throws(TextError) in try ScalaMap(scalaText: text) }
            result.scale = .scala(scale, map ?? .linear)
        } else if let tuning {
            result.scale = .temperament(try OptionText.read(tuning, Temperament.init(scoreText:)))
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
        var notes = performance.drone?.notes ?? []
        if performance.followsDroneChanges { notes += score?.notesOfChanges ?? [] }
        for note in notes {
            let hertz = performance.tuning.frequency(of: note.pitch, a4: performance.a4)
            guard Pitch.frequencyRange.contains(hertz) else {
                throw Failure.exit(
                    .usage,
                    localized(
                        "in this tuning, \(note.pitch) has \(hertz) Hz, outside the range of a drone (16 to 8000 Hz)"))
            }
        }
    }
}
