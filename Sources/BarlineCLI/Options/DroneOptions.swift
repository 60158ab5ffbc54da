internal import Application
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
        transform: { try OptionText.read($0, Score.Timbre.brightness(scoreText:)) })
    var brightness: Double?

    @Option(
        parsing: .unconditional,
        help: .localized("The range of slow variations of the drone's level: 1.5dB.", valueName: "dB"),
        transform: { try OptionText.read($0, Score.Timbre.variation(scoreText:)) })
    var variation: Double?

    @Option(
        parsing: .unconditional,
        help: .localized("The rate of beats with a second, softer voice: 0.5Hz.", valueName: "Hz"),
        transform: { try OptionText.read($0, Score.Timbre.beating(scoreText:)) })
    var beating: Double?

    @Option(
        help: .localized("The seed of the variations: the same seed gives the same variations.", valueName: "n"),
        transform: { try OptionText.read($0, Score.Timbre.seed(scoreText:)) })
    var droneSeed: UInt32?

    @Option(
        parsing: .unconditional,
        help: .localized("The time of the drone's fade-in and fade-out: 2s.", valueName: "seconds"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .fade) } })
    var fade: Duration?

    /// The same for the application.
    var sound: DroneSoundRequest {
        var sound = DroneSoundRequest()
        sound.set(\.level, droneLevel)
        sound.set(\.timbre.waveform, waveform)
        sound.set(\.timbre.brightness, brightness)
        sound.set(\.timbre.variation, variation)
        sound.set(\.timbre.beating, beating)
        sound.set(\.timbre.seed, droneSeed)
        sound.set(\.fade, fade)
        return sound
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

    /// The same for the application.
    func request() throws -> TuningRequest {
        var request = TuningRequest()
        (request.a4, request.tonic, request.instrument, request.temperature) = (a4, tonic, instrument, temperature)
        if let tuning, isScala {
            request.scale = .scala(
                tuning, map: try keyboardMap.map { try OptionText.read($0, Setting.keyboardMap) } ?? "")
        } else if let tuning {
            request.scale = .temperament(try OptionText.read(tuning, Temperament.init(scoreText:)))
        }
        return request
    }
}
