import Formats
import Playback
import Scores
import Shared
import Testing
import Timing

@Suite("Holds that wait for the player")
struct HoldTests {
    private let margin = ConductorTests.margin

    /// Four bars of a second; the second has a hold until a cue in its middle, the fourth one at its end.
    private static func conductor(
        _ text: String =
            "drone: B4\nbars: [1, {duration: 1, hold: until cue at 0.5}, 1, {duration: 1, hold: until cue}]"
    ) throws -> (Conductor, RecordingOutput.Shared) {
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let shared = RecordingOutput.Shared()
        var options = Conductor.Options()
        options.followsClock = false
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        return (
            Conductor(performance, output: RecordingOutput(shared), sound: .device("recording"), options: options),
            shared
        )
    }

    @Test(
        "the music waits at a hold, the status says so, and a command continues it",
        arguments: [Command.continue, .togglePause])
    func holding(command: Command) async throws {
        let (conductor, output) = try Self.conductor()
        var statuses = conductor.statuses.makeAsyncIterator()
        await ConductorTests.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 500_000 }
        await ConductorTests.perform(.speed(change: 0), conductor)
        #expect(output.clicks == [margin, 48_000])
        #expect(await conductor.isPaused)
        #expect(output.end.withLock { $0 } == .max)
        let status = try #require(await statuses.next())
        guard case .bar(let bar) = status.moment(at: 500_000 * 1_000_000_000 / 48_000) else {
            Issue.record("no bar is heard")
            return
        }
        #expect(bar.isHolding && !bar.isPaused)
        #expect(bar.boundary == 1)
        #expect(bar.left == .milliseconds(500))
        // The drone has begun once, and has not ended.
        #expect(
            output.events.withLock { $0 }.allSatisfy {
                if case .drone(let sound, _) = $0.kind { sound.amplitude > 0 } else { true }
            })
        await ConductorTests.perform(command, conductor)
        #expect(output.clicks.dropFirst(2) == [500_000 + margin + 24_000, 500_000 + margin + 72_000])
        #expect(await !conductor.isPaused)
        // At the end of the last bar it waits again: the bar is still the last one.
        output.heard.withLock { $0 = 900_000 }
        await ConductorTests.perform(.speed(change: 0), conductor)
        let last = try #require(await statuses.next()).moment(at: 900_000 * 1_000_000_000 / 48_000)
        guard case .bar(let bar) = last else {
            Issue.record("no bar is heard")
            return
        }
        #expect(bar.isHolding)
        #expect(bar.boundary == 3)
        await ConductorTests.perform(command, conductor)
        #expect(output.end.withLock { $0 } <= 900_000 + 2 * margin)
    }

    @Test("after a wait at a hold, a command for the previous bar goes to the start of the bar with the hold")
    func back() async throws {
        let (conductor, output) = try Self.conductor("bars: [1, {duration: 1, hold: until cue at 0}, 1]")
        await ConductorTests.perform(.speed(change: 0), conductor)
        for (frame, boundary) in [(48_000 + 144_000, 1), (48_000 + 144_000 + 4800, 0)] as [(Int64, Int)] {
            output.heard.withLock { $0 = frame }
            await ConductorTests.perform(.jump(.previousBar), conductor)
            let status = try #require(await conductor.status)
            #expect(status.performance.passage.boundary(at: status.anchor.position) == boundary)
        }
    }

    @Test("the time that the music has waited at a hold counts on through changes of speed")
    func waited() async throws {
        let (conductor, output) = try Self.conductor()
        await ConductorTests.perform(.speed(change: 0), conductor)
        let half = try #require(Speed(millionths: 500_000))
        for (seconds, command) in [
            (4, .speed(change: 20)), (6, .practice([Passage.Stretch(1..<3, speed: half)], passes: nil)),
            (9, .speed(change: -20)),
        ] as [(Int64, Command)] {
            output.heard.withLock { $0 = seconds * 48_000 }
            await ConductorTests.perform(command, conductor)
            let status = try #require(await conductor.status)
            guard case .bar(let bar) = status.moment(at: (seconds + 1) * 1_000_000_000) else {
                Issue.record("no bar is heard")
                continue
            }
            #expect(bar.isHolding && abs(bar.waited.seconds - (Double(seconds) - 0.5)) < 0.01, "\(bar)")
        }
    }

    @Test("continuing without a hold does nothing, and a jump can leave a hold")
    func leaving() async throws {
        let (conductor, output) = try Self.conductor()
        await ConductorTests.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 60_000 }
        let before = output.events.withLock { $0 }
        await ConductorTests.perform(.continue, conductor)
        #expect(output.events.withLock { $0 } == before)
        output.heard.withLock { $0 = 200_000 }
        await ConductorTests.perform(.jump(.nextBar), conductor)
        #expect(output.clicks.dropFirst(2) == [200_000 + margin, 248_000 + margin])
        #expect(await !conductor.isPaused)
    }

    /// Takes all events, and keeps none.
    private struct Nowhere: EventSink {
        var hasRoom: Bool { true }
        mutating func push(_ event: Event) -> Bool { true }
    }

    @Test(
        "at a hold at the end of a bar, another speed or passage leaves the music in that bar, wherever rounding puts the hold"
    )
    func rounding() throws {
        var numbers = Seeded(state: 8)
        func speed() throws -> Speed {
            try #require(Speed(millionths: Int64.random(in: 50_000...3_000_000, using: &numbers)))
        }
        for _ in 0..<2000 {
            var bars = (0..<3).map { _ in
                Score.Bar(.nanoseconds(Int64.random(in: 100_000_000...3_000_000_000, using: &numbers)))
            }
            bars[0].details.holds = [Hold(.zero, waits: true)]
            let first = try speed()
            let performance = Score(lines: [Score.Line(bars: bars)]).performance {
                ($0.waits, $0.speed) = (true, first)
            }
            var music = Music(scheduler: Scheduler(performance, rate: 48_000), start: performance)
            let frame: Int64 = 48_000 * 100
            var sink = Nowhere()
            _ = music.scheduler.schedule(before: frame, into: &sink)
            for step in 0..<4 {
                music.carryOut(
                    step == 1 ? .speedTo(try speed()) : .practice([.init(0..<3, speed: try speed())], passes: nil),
                    at: frame)
                _ = music.scheduler.schedule(before: frame, into: &sink)
            }
            let passage = music.scheduler.performance.passage
            #expect(passage.boundary(at: music.scheduler.position(at: frame)) == 0)
            music.carryOut(.jump(.nextBar), at: frame)
            #expect(music.scheduler.anchor.position == passage.position(of: 1))
        }
    }
}
