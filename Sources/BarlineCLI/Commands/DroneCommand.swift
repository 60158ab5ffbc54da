internal import ArgumentParser
internal import Glibc
internal import Languages
internal import Playback
internal import Scores
internal import UserSettings
internal import Timing

struct DroneCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "drone",
        abstract: localized("Play a drone until Ctrl-C."),
        discussion: localized(
            """
            `barline drone A4` plays an A. Two close notes beat: 'A4, A4+5c'. --sweep-to glides between two notes and \
            back.
            """))

    @Argument(
        help: .localized("A4, Bb3, B4+14c, '3/2 of E4', 493.9Hz, 'B3, F#4 -6dB L50' ...", valueName: "notes"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Score.Drone.notes(scoreText:)) })
    var notes: [Score.Drone.Note]?

    @Option(
        parsing: .unconditional,
        help: .localized("The level: -24dB, or 6%. The same as --drone-level.", valueName: "level"),
        transform: OptionText.level)
    var level: Level?

    @Option(
        help: .localized("Glide to this note and back, repeatedly.", valueName: "note"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Pitch.init(scoreText:)) })
    var sweepTo: Pitch?

    @Option(
        parsing: .unconditional,
        help: .localized("How long the glide takes one way: 10.", valueName: "seconds"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .countIn) } })
    var sweepTime: Duration?

    @OptionGroup var droneOptions: DroneOptions
    @OptionGroup var tuningOptions: TuningOptions
    @OptionGroup var plainOptions: PlainOptions

    @Option(help: .localized("The ALSA device (see `barline devices`).", valueName: "name"), completion: .device)
    var device: String?

    func validate() throws {
        if sweepTo != nil, let notes, notes.count > 1 {
            throw ValidationError(localized("--sweep-to starts from one note: give only one"))
        }
        if let sweepTime {
            guard sweepTo != nil else { throw ValidationError(localized("--sweep-time needs --sweep-to")) }
            guard sweepTime >= .seconds(1) else {
                throw ValidationError(localized("--sweep-time must be at least 1 second"))
            }
        }
    }

    /// Silent bars: one for a steady drone; for a sweep, many short ones, each a small step higher or lower.
    private func bars(_ note: Score.Drone.Note, _ tuning: Tuning, a4: Double) -> [Score.Bar] {
        guard let sweepTo else { return [Score.Bar(.seconds(3600))] }
        let (low, high) = (tuning.frequency(of: note.pitch, a4: a4), tuning.frequency(of: sweepTo, a4: a4))
        let step = Duration.milliseconds(20)
        let count = Int((sweepTime ?? .seconds(10)) / step)
        return (0..<(2 * count)).map { n in
            let way = Double(n < count ? n : 2 * count - n) / Double(count)
            var bar = Score.Bar(step)
            bar.details.drone = DroneChange(pitch: .frequency(low * exp2(log2(high / low) * way)))
            return bar
        }
    }

    /// The notes of the drone in the user's settings; B4 if there are none, or too many for a sweep.
    private func wantedNotes(_ settings: Settings) -> [Score.Drone.Note] {
        guard case .notes(let notes) = settings[Setting.drone], sweepTo == nil || notes.count == 1 else {
            return [Score.Drone.Note(.b4)]
        }
        return notes
    }

    func run() async throws {
        let settings = try LoadedSettings.get()
        let notes = notes ?? wantedNotes(settings)
        var performance = try DroneAlone.performance(
            Score.Drone(notes: notes), droneOptions, tuningOptions, settings
        ) { tuning, a4 in bars(notes[0], tuning, a4: a4) }
        if let level { performance.drone?.level = level }
        if let sweepTo,
            !Pitch.frequencyRange.contains(performance.tuning.frequency(of: sweepTo, a4: performance.a4))
        {
            throw Failure.exit(.usage, localized("--sweep-to is outside the range of a drone (16 to 8000 Hz)"))
        }
        let device = device ?? settings[Setting.device]
        let card = try DroneAlone.card(device)
        _ = try await LivePlay.run(performance, output: card, sound: .device(device), as: .drone)
    }
}
