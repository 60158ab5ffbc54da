internal import ArgumentParser
internal import Score
internal import Timing

/// How a score is to sound: shared by `play` and `render`.
struct PerformanceOptions: ParsableArguments {
    @OptionGroup var walkOptions: WalkOptions

    @Flag(help: "Play it again and again until stopped.")
    var loop = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Count so many seconds before the start; 0 for none.", valueName: "seconds"),
        transform: OptionText.countIn)
    var countIn: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The tuning of A4, 380 to 480 Hz.", valueName: "Hz"), transform: OptionText.a4)
    var a4: Double?

    @Option(
        help: ArgumentHelp("The drone: B4, Bb3, F#5, B4+14c, 493.9Hz, or off.", valueName: "pitch"),
        transform: DroneChoice.init(text:))
    var drone: DroneChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The drone's level: -24dB, 6%, or off.", valueName: "level"), transform: OptionText.level)
    var droneLevel: Level?

    @Option(
        help: ArgumentHelp("The drone's waveform: sine or triangle.", valueName: "name"), transform: OptionText.waveform
    )
    var waveform: Score.Waveform?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The level of clicks: -6dB, 50%, or off.", valueName: "level"), transform: OptionText.level)
    var clickLevel: Level?

    @Flag(inversion: .prefixedNo, help: "Beats of bars with a meter are heard.")
    var beats: Bool?

    @Option(
        help: ArgumentHelp("Clicks inside bars of seconds: seconds, clock, '4 parts', or off.", valueName: "grid"),
        transform: OptionText.grid)
    var grid: Grid?

    func validate() throws {
        if loop, walkOptions.times != nil { throw ValidationError("--loop and --times cannot both be given") }
    }

    /// The performance: the score's own wishes under the options.
    func performance() throws -> Performance {
        let (score, walk) = try walkOptions.walk(loops: loop)
        var performance = Performance(of: score, walk: walk)
        if let speed = walkOptions.speed { performance.speed = speed }
        if let countIn { performance.countIn = countIn }
        if let a4 { performance.a4 = a4 }
        if let clickLevel { performance.clickLevel = clickLevel }
        if let beats { performance.inner.beats = beats }
        if let grid { performance.inner.grid = grid }
        performance.drone = try drone(for: score)
        // A pitch that is asked for is there throughout, whatever the page makes of the drone.
        performance.followsDroneChanges = drone == nil
        if let hertz = performance.droneHertz, !Pitch.frequencyRange.contains(hertz) {
            throw Failure.exit(.usage, "at this A4 the drone would have \(hertz) Hz; it can have 16 to 8000 Hz")
        }
        let peak = performance.clickLevel.amplitude + (performance.drone?.level.amplitude ?? 0)
        if peak > 1 {
            Failure.say("warning: drone and clicks together can exceed full scale and distort; lower one of them")
        }
        return performance
    }

    private func drone(for score: Score) throws -> Score.Drone? {
        var result = score.drone
        switch drone {
        case .off: result = nil
        case .pitch(let pitch):
            result = result ?? Score.Drone()
            result?.pitch = pitch
        case nil: break
        }
        if result == nil, case .off = drone {
        } else if result == nil, droneLevel != nil || waveform != nil {
            throw Failure.exit(.usage, "the score has no drone to set; --drone B4 gives it one")
        }
        if let droneLevel { result?.level = droneLevel }
        if let waveform { result?.waveform = waveform }
        return result
    }
}
