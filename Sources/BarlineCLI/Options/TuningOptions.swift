internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings
internal import Timing

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
