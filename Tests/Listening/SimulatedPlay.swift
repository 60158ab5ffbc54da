internal import Glibc
package import Playback
package import Scores
internal import Shared
package import SimulatedCardSupport
internal import Synchronization
package import Timing

/// The result of a performance in simulated time: the timing log and the sound that the card played.
package struct SimulatedPlay: Sendable {
    /// A click that the card played.
    package struct Heard: Sendable {
        /// When it reached the converter, in seconds of the simulated clock.
        package var time: Double
        /// The sound; nil for a partial click or several at once.
        package var sound: ClickSound?
        /// Its position in the engine's count of frames; nil after the first restart of the card.
        package var position: Double?
    }

    /// The timing log.
    package var rows: [TimingRow] = []
    package var heard: [Heard] = []
    /// The words of timecode that the card played, each with the second of the simulated clock at which it began.
    package var timecode: [(time: Double, word: TimecodeListener.Word)] = []
    /// The second of the simulated clock from which the log counts.
    package var origin = 0.0
    /// The last status, and all statuses, each with the simulated second at which it was current.
    package var status: Status?
    package var statuses: [(time: Double, status: Status)] = []
    package var learnt: CardMemory.Entry?
    /// The effects of the conductor's work, in order.
    package var effects: [Conductor.Options.Happening] = []
    package var happenings: [SimulatedCardHappening] = []
    /// The share of the played frames in which the drone sounds.
    package var droneShare = 0.0
    /// The time in seconds in which clicks or words sound.
    package var clickSeconds = 0.0
    /// The last reading of the output.
    package var reading = OutputReading(now: 0, time: 0, heardFrame: 0, nextFrame: 0)
    /// When the performance ended, in seconds of the simulated clock; nil if it has not.
    package var overAt: Double?
    package var isOver: Bool { overAt != nil }

    /// Plays a performance on a simulated card until it ends, at most `seconds`. Each command comes with its time in
    /// seconds since the start, and so does all that becomes known of a leader. `loudness` is how much louder than usual
    /// all clicks are.
    package static func run(
        _ performance: Performance, on settings: [String: SimulatedCard.Value], policy: Card.Policy,
        machine: SimulatedMachine = .idle, for seconds: Double = .infinity,
        options: Conductor.Options = Conductor.Options(), commands: [(Double, Command)] = [],
        leads: [(Double, Leader)] = [], loudness: Double = 1, keepsStatuses: Bool = false,
        often: ((SimulatedCard, Int64) throws -> Void)? = nil
    ) throws -> SimulatedPlay {
        let (rows, effects) = (Kept<TimingRow>(), Kept<Conductor.Options.Happening>())
        let fixed: [String: SimulatedCard.Value] = ["format": "FLOAT_LE", "channels": 2, "rate": 48000]
        let (live, card, folder) = try Simulation.play(
            performance, on: settings.merging(fixed) { own, _ in own }, policy: policy, machine: machine,
            for: seconds, options: noting(options, rows, effects), commands: commands, leads: leads,
            shapes: Pulse.shapes, keepsStatuses: keepsStatuses, often: often)
        let play = try withExtendedLifetime(folder) {
            var play = SimulatedPlay()
            let recording = try card.recording()
            let samples = recording.samples(channel: 0)
            play.droneShare =
                Double(recording.samples(channel: 1).count { $0 != 0 }) / Double(max(samples.count, 1))
            play.clickSeconds = Double(samples.count { $0 != 0 }) / 48_000
            play.happenings = card.happenings()
            if let rate = performance.linearTimecode?.start.rate {
                var listener = TimecodeListener(framesOfWord: 48_000 / rate.perSecond.value)
                recording.samples(channel: 1).withUnsafeBufferPointer { listener.listen(to: $0) }
                play.timecode = listener.words.map { (recording.time(ofPlayedFrame: $0.begin) ?? .nan, $0) }
            }
            // A restart begins a new count of frames.
            let restart = play.happenings.filter { $0.name == "start" }.dropFirst().first?.nanoseconds ?? .max
            play.heard = Pulse.find(in: samples, loudness: loudness).map { pulse in
                let row = recording.row(ofPlayedFrame: Int(pulse.frame))
                let place = row.flatMap { row in
                    row.nanoseconds < restart
                        ? Double(row.position) - 48_000 * Card.startUp + pulse.frame - Double(row.firstFrame) : nil
                }
                return Heard(
                    time: recording.time(ofPlayedFrame: pulse.frame) ?? .nan, sound: pulse.sound, position: place)
            }
            return play
        }
        var whole = play
        whole.take(live, rows.all, effects.all)
        return whole
    }

    /// Plays a performance without a card: nobody hears it, but there are a log and statuses.
    package static func runSilently(
        _ performance: Performance, machine: SimulatedMachine, for seconds: Double, options: Conductor.Options,
        commands: [(Double, Command)] = [], leads: [(Double, Leader)] = []
    ) throws -> SimulatedPlay {
        let (rows, effects) = (Kept<TimingRow>(), Kept<Conductor.Options.Happening>())
        let live = try Simulation.playSilently(
            performance, machine: machine, for: seconds, options: noting(options, rows, effects), commands: commands,
            leads: leads)
        var play = SimulatedPlay()
        play.take(live, rows.all, effects.all)
        // The frames of this output pass by the clock itself.
        play.origin = live.statuses.last.map { Double($0.status.zeroHeard) * 1e-9 - $0.status.latency.seconds } ?? 0
        return play
    }

    private static func noting(
        _ options: Conductor.Options, _ rows: Kept<TimingRow>, _ effects: Kept<Conductor.Options.Happening>
    ) -> Conductor.Options {
        var options = options
        options.log = { rows.append($0) }
        options.trace = { effects.append($0) }
        // In simulated time, the wall clock equals the simulated clock.
        if options.start != nil, options.wallClock == nil { options.wallClock = { 0 } }
        return options
    }

    private mutating func take(
        _ live: Simulation.LiveResult, _ rows: [TimingRow], _ effects: [Conductor.Options.Happening]
    ) {
        (self.rows, self.effects) = (rows, effects)
        (status, statuses) = (live.status, live.statuses)
        origin = (live.origin ?? 0) * 1e-9
        learnt = live.learnt
        reading = live.reading ?? reading
        overAt = live.overAt.map { Double($0) * 1e-9 }
    }

    // MARK: - Boundaries

    /// A boundary that was heard: when it was due and how late it came, both in seconds.
    package struct Boundary: Sendable {
        package var index: Int
        package var due: Double
        package var deviation: Double
    }

    /// The rows of boundaries that the log calls heard.
    package var told: [TimingRow] {
        rows.filter { !$0.flags.contains(.lost) && !$0.flags.contains(.muted) }
    }

    /// The boundaries that the log calls heard, each matched with the click heard within 100 ms.
    package var boundaries: [Boundary] {
        var rest = heard.filter { $0.sound != .countIn }[...]
        return told.compactMap { row in
            let due = row.nominal.seconds
            while let next = rest.first, next.time - origin < due - 0.1 { rest.removeFirst() }
            guard let next = rest.first, abs(next.time - origin - due) < 0.1 else { return nil }
            rest.removeFirst()
            return Boundary(index: row.index, due: due, deviation: next.time - origin - due)
        }
    }

    /// The mean of the deviations, and the root mean square and maximum about it.
    package static func spread(_ heard: [Boundary]) -> (offset: Double, rms: Double, max: Double) {
        let offset = heard.map(\.deviation).reduce(0, +) / Double(heard.count)
        let about = heard.map { $0.deviation - offset }
        return (offset, sqrt(about.map { $0 * $0 }.reduce(0, +) / Double(about.count)), about.map(abs).max() ?? 0)
    }
}

/// Values collected from any thread.
private final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func append(_ value: Value) { values.withLock { $0.append(value) } }
}

extension Duration {
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
