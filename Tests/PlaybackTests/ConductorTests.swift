import Score
import Synchronization
import Testing
import Timing

@testable import Playback

/// An output whose frames pass when a test says so, and that keeps what it was told.
final class RecordingOutput: Output {
    let rate = 48_000
    let state: Shared

    final class Shared: Sendable {
        let heard = Mutex(Int64(0))
        let events = Mutex<[Event]>([])
        let end = Mutex(Int64.max)
        let isOver = Mutex(false)

        var clicks: [Int64] {
            events.withLock { $0 }.compactMap { event in
                if case .click = event.kind { event.position.frame } else { nil }
            }
        }
    }

    init(_ state: Shared) { self.state = state }

    func start() throws(EngineError) {}
    func push(_ event: Event) throws(QueueFull) { state.events.withLock { $0.append(event) } }
    func cut(at frame: Int64) throws(QueueFull) {
        state.events.withLock { $0.removeAll { $0.position.frame >= frame } }
    }
    func setHorizon(_ frame: Int64) {}
    func observations() -> [EpochObservation] { [] }
    func gaps() -> [Range<Int64>] { [] }
    func learn(rate: Double) {}
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
    func end(at frame: Int64) { state.end.withLock { $0 = frame } }

    func reading() -> OutputReading {
        let frame = state.heard.withLock { $0 }
        var reading = OutputReading(time: frame * 1_000_000_000 / 48_000, heardFrame: frame, nextFrame: frame)
        reading.hasEnded = state.isOver.withLock { $0 } || frame >= state.end.withLock { $0 }
        return reading
    }
}

@Suite("Conductor")
struct ConductorTests {
    /// Two lines of four bars of a second, over a drone.
    static let score = Score.ofMilliseconds(
        [[1000, 1000, 1000, 1000], [1000, 1000, 1000, 1000]], drone: Score.Drone())

    static func conductor(_ change: (inout Performance) -> Void = { _ in }) -> (Conductor, RecordingOutput.Shared) {
        let shared = RecordingOutput.Shared()
        var options = Conductor.Options()
        options.followsClock = false
        let conductor = Conductor(
            score.performance(change), output: RecordingOutput(shared), sound: .device("recording"), options: options)
        return (conductor, shared)
    }

    /// A command lands so far behind what has been rendered.
    static let margin = Int64(OutputReading(time: 0, heardFrame: 0, nextFrame: 0).margin / .milliseconds(1)) * 48

    @Test("a pause of any length shifts every later boundary by exactly its frames")
    func pause() async {
        let (conductor, output) = Self.conductor()
        await conductor.perform(.speed(change: 0))
        output.heard.withLock { $0 = 60_000 }
        await conductor.perform(.togglePause)
        let before = output.clicks
        #expect(before == [Self.margin, 48_000])
        output.heard.withLock { $0 = 1_000_123 }
        await conductor.perform(.togglePause)
        let shift: Int64 = 1_000_123 - 60_000
        #expect(output.clicks.dropFirst(2).prefix(2) == [96_000 + shift, 144_000 + shift])
    }

    @Test("next bar, previous bar and lines go where a player means")
    func jumps() async throws {
        let (conductor, output) = Self.conductor()
        var statuses = conductor.statuses.makeAsyncIterator()
        var frame: Int64 = 0
        /// Lets so many milliseconds pass, asks, and says which boundary sounds then.
        func ask(_ command: Command, after milliseconds: Int64) async throws -> Int {
            frame += milliseconds * 48
            output.heard.withLock { $0 = frame }
            await conductor.perform(command)
            #expect(output.clicks.first { $0 >= frame } == frame + Self.margin)
            let status = try #require(await statuses.next())
            return status.performance.walk.boundary(at: status.anchor.position)
        }
        #expect(try await ask(.nextBar, after: 100) == 1)
        #expect(try await ask(.nextBar, after: 100) == 2)
        #expect(try await ask(.previousBar, after: 100) == 1)
        #expect(try await ask(.previousBar, after: 800) == 1)
        #expect(try await ask(.nextLine, after: 100) == 4)
        #expect(try await ask(.previousLine, after: 100) == 0)
        #expect(try await ask(.previousBar, after: 100) == 0)
        #expect(try await ask(.nextLine, after: 2500) == 4)
        #expect(try await ask(.nextBar, after: 100) == 5)
        #expect(try await ask(.previousLine, after: 100) == 4)
        #expect(try await ask(.nextLine, after: 100) == 4)
        #expect(try await ask(.nextBar, after: 3100) == 7)
        #expect(try await ask(.nextBar, after: 100) == 7)
    }

    @Test("a time of the piece and its first bar are gone to out of a loop, which is left")
    func outOfLoop() async throws {
        let walk = Walk(Timeline(Self.score), [Walk.Stretch(1..<8)])
        let (conductor, output) = Self.conductor { $0.walk = walk }
        /// The bar that is played behind a command.
        func bar(after command: Command) async throws -> Int {
            output.heard.withLock { $0 += 48_000 }
            await conductor.perform(command)
            let status = try #require(await conductor.status)
            return status.performance.walk.bar(of: status.performance.walk.boundary(at: status.anchor.position)).index
        }
        let loop = Command.practise([Walk.Stretch(2..<4)], passes: nil)
        _ = try await bar(after: loop)
        // Six seconds into what is played, which begins with the second bar.
        #expect(try await bar(after: .goToTime(.seconds(6))) == 7)
        #expect(await conductor.status?.loop == nil)
        _ = try await bar(after: loop)
        #expect(try await bar(after: .firstBar) == 1)
        #expect(await conductor.status?.loop == nil)
        #expect(try await bar(after: .goToTime(.zero)) == 1)
    }

    @Test("a stop takes back what has not sounded, fades the drone, and ends where it is gone")
    func stop() async {
        let (conductor, output) = Self.conductor()
        await conductor.perform(.speed(change: 0))
        output.heard.withLock { $0 = 50_000 }
        await conductor.perform(.stop)
        #expect(output.clicks.allSatisfy { $0 < 50_000 + Self.margin })
        let end = output.end.withLock { $0 }
        #expect(end == 50_000 + Self.margin + 2400)
        guard case .drone(let sound, let ramp)? = output.events.withLock({ $0.last?.kind }) else {
            Issue.record("the last event is the drone's")
            return
        }
        #expect(sound.amplitude == 0 && ramp == 2400)
        await conductor.perform(.nextBar)
        #expect(output.end.withLock { $0 } == end)
    }

    @Test("it runs until the end is heard, and the last status says so")
    func run() async throws {
        let (conductor, output) = Self.conductor { $0.countIn = .seconds(1) }
        let running = Task { try await conductor.run() }
        var last: Status?
        for await status in conductor.statuses {
            last = status
            // Time passes faster than it should: 2 s at each look.
            output.heard.withLock { $0 += 96_000 }
            await conductor.perform(.speed(change: 0))
        }
        try await running.value
        #expect(last?.hasEnded == true)
        #expect(output.end.withLock { $0 } >= 48_000 * 9)
    }

    @Test("a status tells the bar that is heard, from the output's own time")
    func status() async throws {
        let (conductor, output) = Self.conductor()
        output.heard.withLock { $0 = 120_000 }
        let running = Task { try await conductor.run() }
        var statuses = conductor.statuses.makeAsyncIterator()
        let status = try #require(await statuses.next())
        guard case .bar(let bar) = status.moment(at: 2_600_000_000) else {
            Issue.record("a bar is heard")
            return
        }
        #expect(bar.bar.index == 2)
        #expect(bar.left == .milliseconds(400))
        #expect(status.heard(boundary: 3) == 3_000_000_000)
        output.isOver.withLock { $0 = true }
        await conductor.perform(.stop)
        try await running.value
    }

    @Test("silent frames pass by the clock that it is given")
    func silent() throws {
        let now = Mutex(Int64(5_000_000_000))
        let output = SilentOutput(now: { now.withLock { $0 } })
        try output.start()
        #expect(output.reading().heardFrame == 0)
        now.withLock { $0 += 3_600_000_000_000 + 20_833_334 }
        #expect(output.reading().heardFrame == 3600 * 48_000 + 1000)
        output.end(at: 3600 * 48_000 + 1000)
        #expect(output.reading().hasEnded)
    }
}
