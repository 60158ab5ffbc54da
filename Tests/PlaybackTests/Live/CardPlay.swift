import Foundation
import Listening
import Score
import SimulatedCardSupport
import Synchronization
import Timing

@testable import Playback

/// What came of playing on the simulated card, in real time.
struct CardPlay {
    var rows: [TimingRow] = []
    var recording: SimulatedCardRecording
    var happenings: [SimulatedCardHappening]
    /// Every status that was seen.
    var statuses: [Status] = []
    var xruns: UInt64 = 0

    /// The rows of boundaries that the log calls heard.
    var told: [TimingRow] { rows.filter { !$0.flags.contains(.lost) } }

    /// The clicks that the card played.
    func onsets() throws -> [Onset] {
        var finder = try OnsetFinder(rate: 48_000, amplitude: Level(decibels: -6).amplitude)
        return try finder.onsets(in: recording.samples(channel: 0))
    }

    /// Where a recorded frame stands in the engine's count, which begins 0.1 s before zero; up to the first fault.
    func engineFrame(_ recorded: Double) -> Double? {
        guard let row = recording.row(ofPlayedFrame: Int(recorded)), row.run == 1 else { return nil }
        return Double(row.position - 4800) + recorded - Double(row.firstFrame)
    }

    static let bars = [317, 291, 353, 280, 331]

    static func performance(passes: Int, drone: Bool = false) -> Performance {
        let bars = Self.bars.map { Score.Bar(.nanoseconds(Int64($0) * 1_003_009)) }
        return Score(drone: drone ? Score.Drone() : nil, lines: [Score.Line(passes: passes, bars: bars)]).performance()
    }

    /// Plays to the end on a card with these settings. Commands come at times since the start; `goesOn` goes on a second
    /// after the music has come to stand still.
    static func run(
        _ settings: [String: SimulatedCard.Value], policy: Card.Policy, passes: Int = 3, drone: Bool = false,
        options: Conductor.Options = Conductor.Options(), commands: [(Duration, Command)] = [], goesOn: Bool = false
    ) async throws -> CardPlay {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, settings)
        let rows = Kept<TimingRow>()
        let statuses = Kept<Status>()
        var options = options
        options.log = { rows.append($0) }
        options.watch = { statuses.append($0) }
        let format = SoundFormat(rate: 48_000, channels: 1, samples: .float32)
        // Its own scope: the recording is whole once the card is closed.
        let conductor = Conductor(
            performance(passes: passes, drone: drone),
            output: try Card(simulated.device, Card.Request(format, policy: policy)), sound: .device("simulated"),
            options: options)
        // A thread of its own: the tasks of other tests do not hold it up.
        let user = Thread {
            var passed = Duration.zero
            for (time, command) in commands {
                Thread.sleep(forTimeInterval: (time - passed).seconds)
                passed = time
                conductor.send(command)
            }
            guard goesOn else { return }
            while !statuses.all.contains(where: { $0.pausedPosition != nil }) { Thread.sleep(forTimeInterval: 0.05) }
            Thread.sleep(forTimeInterval: 1)
            conductor.send(.togglePause)
        }
        user.start()
        try await conductor.run()
        var play = CardPlay(recording: try simulated.recording(), happenings: simulated.happenings())
        play.rows = rows.all
        play.statuses = statuses.all
        play.xruns = await conductor.xruns
        return play
    }
}

/// Values as they come, from any thread.
private final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func append(_ value: Value) { values.withLock { $0.append(value) } }
}
