import Playback
import Scores
import Synchronization
import Testing
import Timing

@Suite("Conductor")
struct ConductorTests {
    /// Two lines of four bars of a second, over a drone.
    static let score = Score.ofMilliseconds(
        [[1000, 1000, 1000, 1000], [1000, 1000, 1000, 1000]], drone: Score.Drone())

    static func conductor(
        _ change: (inout Performance) -> Void = { _ in }, options set: (inout Conductor.Options) -> Void = { _ in }
    ) -> (Conductor, RecordingOutput.Shared) {
        let shared = RecordingOutput.Shared()
        var options = Conductor.Options()
        options.followsClock = false
        set(&options)
        let conductor = Conductor(
            score.performance(change), output: RecordingOutput(shared), sound: .device("recording"), options: options)
        return (conductor, shared)
    }

    /// How many frames after the first one that can be changed a command takes effect: 4 ms.
    static let margin: Int64 = 192

    /// Carries out a command on a conductor that no thread runs.
    static func perform(_ command: Command, _ conductor: Conductor) async {
        await conductor.take(command)
        _ = await conductor.step()
    }

    @Test("a pause of any length shifts every later boundary by exactly its frames")
    func pause() async {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 60_000 }
        await Self.perform(.togglePause, conductor)
        let before = output.clicks
        #expect(before == [Self.margin, 48_000])
        output.heard.withLock { $0 = 1_000_123 }
        await Self.perform(.togglePause, conductor)
        let shift: Int64 = 1_000_123 - 60_000
        #expect(output.clicks.dropFirst(2).prefix(2) == [96_000 + shift, 144_000 + shift])
    }

    @Test("commands for the next and previous bar and line go where a player expects")
    func jumps() async throws {
        let (conductor, output) = Self.conductor()
        var statuses = conductor.statuses.makeAsyncIterator()
        var frame: Int64 = 0
        /// Lets `milliseconds` pass, gives a command, and returns the boundary that sounds then.
        func ask(_ command: Command, after milliseconds: Int64) async throws -> Int {
            frame += milliseconds * 48
            output.heard.withLock { $0 = frame }
            await Self.perform(command, conductor)
            #expect(output.clicks.first { $0 >= frame } == frame + Self.margin)
            let status = try #require(await statuses.next())
            return status.performance.passage.boundary(at: status.anchor.position)
        }
        #expect(try await ask(.jump(.nextBar), after: 100) == 1)
        #expect(try await ask(.jump(.nextBar), after: 100) == 2)
        #expect(try await ask(.jump(.previousBar), after: 100) == 1)
        #expect(try await ask(.jump(.previousBar), after: 800) == 1)
        #expect(try await ask(.jump(.nextLine), after: 100) == 4)
        #expect(try await ask(.jump(.previousLine), after: 100) == 0)
        #expect(try await ask(.jump(.previousBar), after: 100) == 0)
        #expect(try await ask(.jump(.nextLine), after: 2500) == 4)
        #expect(try await ask(.jump(.nextBar), after: 100) == 5)
        #expect(try await ask(.jump(.previousLine), after: 100) == 4)
        #expect(try await ask(.jump(.nextBar), after: 2100) == 7)
    }

    @Test("a command for the next bar or line leaves the last one as it plays, clicks and all")
    func jumpsBeyondTheLast() async {
        let (conductor, output) = Self.conductor()
        await Self.perform(.jump(.bar(6)), conductor)
        output.heard.withLock { $0 = 4800 }
        let before = output.clicks
        await Self.perform(.jump(.nextLine), conductor)
        #expect(output.clicks == before)
        await Self.perform(.jump(.nextBar), conductor)
        let inLast = output.clicks
        #expect(inLast.last == 4800 + Self.margin)
        output.heard.withLock { $0 = 9600 }
        for jump in [Jump.nextBar, .nextLine] { await Self.perform(.jump(jump), conductor) }
        #expect(output.clicks == inLast)
    }

    @Test("going to a time of the score, which is the same at every speed, or to the first bar leaves a loop")
    func outOfLoop() async throws {
        let passage = Passage(Timeline(Self.score), [Passage.Stretch(1..<8)])
        let (conductor, output) = Self.conductor { $0.passage = passage }
        /// The bar that is played after a command.
        func bar(after command: Command) async throws -> Int {
            output.heard.withLock { $0 += 48_000 }
            await Self.perform(command, conductor)
            let status = try #require(await conductor.status)
            return status.performance.passage.bar(of: status.performance.passage.boundary(at: status.anchor.position))
                .index
        }
        let loop = Command.practice([Passage.Stretch(2..<4)], passes: nil)
        _ = try await bar(after: loop)
        // The time of the score at 100 %, at every speed.
        let sixth = Timeline(Self.score).start(ofBar: 6)
        await Self.perform(.speedTo(try #require(Speed(millionths: 500_000))), conductor)
        #expect(try await bar(after: .jump(.time(sixth))) == 6)
        #expect(await conductor.status?.loop == nil)
        _ = try await bar(after: loop)
        #expect(try await bar(after: .jump(.firstBar)) == 1)
        #expect(await conductor.status?.loop == nil)
    }

    @Test("a stop removes clicks that have not sounded, fades the drone, and ends once all is silent")
    func stop() async {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 50_000 }
        await Self.perform(.stop, conductor)
        #expect(output.clicks.allSatisfy { $0 < 50_000 + Self.margin })
        let end = output.end.withLock { $0 }
        #expect(end == 50_000 + Self.margin + 2400)
        guard case .drone(let sound, let ramp)? = output.events.withLock({ $0.last?.kind }) else {
            Issue.record("the last event is the drone's")
            return
        }
        #expect(sound.amplitude == 0 && ramp == 2400)
        await Self.perform(.jump(.nextBar), conductor)
        #expect(output.end.withLock { $0 } == end)
    }

    @Test(
        "a cut ends the music in the middle of the fade of a stop, or without one, and nothing after it is told",
        arguments: [true, false])
    func cut(isFading: Bool) async throws {
        let rows = Mutex<[Int]>([])
        let (conductor, output) = Self.conductor(options: { options in
            options.log = { row in rows.withLock { $0.append(row.index) } }
        })
        let running = Task { try await conductor.run() }
        output.heard.withLock { $0 = 60_000 }
        if isFading { await conductor.perform(.stop) }
        conductor.cut()
        try await running.value
        guard case .stopped(.bar(let last))? = await conductor.status?.ending else {
            Issue.record("it ends in a bar")
            return
        }
        #expect(last.boundary == 1)
        #expect(rows.withLock { $0 } == [1, 2])
    }

    @Test("a transaction that the output refuses is tried again until it takes effect, and changes nothing else")
    func refused() async throws {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 60_000 }
        let before = output.events.withLock { $0 }
        output.refusals.withLock { $0 = 5 }
        await conductor.take(.jump(.nextBar))
        // After each refusal, the same step tries again further ahead.
        _ = await conductor.step()
        #expect(output.refusals.withLock { $0 } == 0)
        #expect(output.clicks.first { $0 > 60_000 } == 60_500 + Self.margin * 32)
        #expect(output.clicks.prefix(2) == [Self.margin, 48_000])
        #expect(before.count(where: { $0.position.frame < 60_000 }) <= output.events.withLock { $0.count })
        #expect(await conductor.status?.commandCount == 2)
    }

    @Test("commands take effect in the order in which they come, even if a later one could take effect sooner")
    func order() async {
        let frames = Mutex<[Int64]>([])
        var options = Conductor.Options()
        options.followsClock = false
        options.trace = { happening in
            if case .command(_, let frame, _) = happening { frames.withLock { $0.append(frame) } }
        }
        let shared = RecordingOutput.Shared()
        let conductor = Conductor(
            Self.score.performance(), output: RecordingOutput(shared), sound: .device("recording"), options: options)
        await Self.perform(.speed(change: 0), conductor)
        shared.heard.withLock { $0 = 60_000 }
        // The first two attempts come too late. The third is four times as far ahead; the next command would not need
        // as much.
        shared.refusals.withLock { $0 = 2 }
        for command in [Command.jump(.nextBar), .togglePause] { await conductor.take(command) }
        _ = await conductor.step()
        let begun = 60_200 + Self.margin * 4
        #expect(frames.withLock { $0 } == [Self.margin, begun, begun])
        #expect(shared.clicks.allSatisfy { $0 < begun })
    }

    @Test("events that a fault has misplaced are moved before any command, even if the first attempts come too late")
    func misplaced() async {
        let happenings = Mutex<[String]>([])
        var options = Conductor.Options()
        options.trace = { happening in
            let word =
                switch happening {
                case .began: "begin"
                case .placed: "place"
                case .command: "command"
                case .ignored: "ignored"
                }
            happenings.withLock { $0.append(word) }
        }
        let shared = RecordingOutput.Shared()
        let conductor = Conductor(
            Self.score.performance(), output: RecordingOutput(shared), sound: .device("recording"), options: options)
        /// Three observations of a device whose frames lag by `behind`.
        func look(epoch: UInt32, behind: Int64) async {
            for _ in 0..<3 {
                let frame = shared.heard.withLock { heard in
                    heard += 480
                    return heard
                }
                let look = ClockObservation(time: frame * 1_000_000_000 / 48_000, frame: frame - behind)
                shared.observations.withLock { $0.append(EpochObservation(clock: look, epoch: epoch)) }
            }
            _ = await conductor.step()
        }
        await look(epoch: 0, behind: 0)
        #expect(happenings.withLock { $0 } == ["begin"])
        shared.refusals.withLock { $0 = 3 }
        await conductor.take(.jump(.nextBar))
        await look(epoch: 1, behind: 4800)
        #expect(shared.refusals.withLock { $0 } == 0)
        #expect(happenings.withLock { $0 } == ["begin", "place", "command"])
    }

    @Test("a command that finds no room waits, and is carried out as soon as there is room")
    func noRoom() async throws {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 60_000 }
        output.hasRoom.withLock { $0 = false }
        for command in [Command.jump(.nextBar), .jump(.nextBar), .stop] { await conductor.take(command) }
        for _ in 0..<3 { #expect(await conductor.step() == .milliseconds(20)) }
        #expect(await conductor.status?.commandCount == 1)
        output.hasRoom.withLock { $0 = true }
        _ = await conductor.step()
        #expect(await conductor.status?.commandCount == 4)
        #expect(output.end.withLock { $0 } < 70_000)
    }

    @Test(
        "a command that has no effect in the current state takes nothing back",
        arguments: [
            .practice(nil, passes: nil), .continue, .resume, .jump(.bar(99)), .jump(.bar(-1)),
            .practice([], passes: nil),
            .practice([Passage.Stretch(3..<99)], passes: nil), .practice([Passage.Stretch(0..<2)], passes: 0),
        ] as [Command])
    func nothing(command: Command) async throws {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        output.heard.withLock { $0 = 60_000 }
        await Self.perform(command, conductor)
        let clicks = output.clicks
        #expect(clicks.prefix(5) == [Self.margin, 48_000, 96_000, 144_000, 192_000])
    }

    @Test("pausing twice is pausing once, and resuming music that plays changes nothing")
    func pauseAndResume() async throws {
        let (conductor, output) = Self.conductor()
        await Self.perform(.speed(change: 0), conductor)
        for (command, isPaused) in [(Command.pause, true), (.pause, true), (.resume, false), (.resume, false)] {
            output.heard.withLock { $0 += 4800 }
            await Self.perform(command, conductor)
            #expect(await conductor.isPaused == isPaused)
        }
    }

    @Test("the conductor runs until the end is heard, and the last status says so")
    func run() async throws {
        let (conductor, output) = Self.conductor { $0.countIn = .seconds(1) }
        let running = Task { try await conductor.run() }
        var last: Status?
        for await status in conductor.statuses {
            last = status
            // Time passes faster than in reality: 2 s at each status.
            output.heard.withLock { $0 += 96_000 }
            await conductor.perform(.speed(change: 0))
        }
        try await running.value
        #expect(last?.hasEnded == true)
        #expect(output.end.withLock { $0 } >= 48_000 * 9)
    }

    @Test("a status says which bar is heard, by the output's own time")
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

    @Test("a silent output counts frames by the clock that it is given")
    func silent() throws {
        let now = Mutex(Int64(5_000_000_000))
        let output = SilentOutput(now: { now.withLock { $0 } })
        try output.start()
        #expect(output.reading().heardFrame == 0)
        now.withLock { $0 += 3_600_000_000_000 + 20_833_334 }
        #expect(output.reading().heardFrame == 3600 * 48_000 + 1000)
        _ = output.commit(horizon: .max, end: 3600 * 48_000 + 1000)
        #expect(output.reading().hasEnded)
    }

    @Test("setting the wall clock while a start waits moves the start, also without a card")
    func startByClock() async throws {
        let now = Mutex(Int64(5_000_000_000))
        let wall = Mutex(Int64(0))
        let output = SilentOutput(now: { now.withLock { $0 } })
        try output.start()
        var options = Conductor.Options()
        options.start = 17_000_000_000
        options.wallClock = { wall.withLock { $0 } }
        let conductor = Conductor(
            Self.score.performance { $0.countIn = .off }, output: output, sound: .device("null"), options: options)
        for (set, left) in [(Int64(0), Int64(11)), (4, 6), (-5, 14), (-5, 13)] {
            wall.withLock { $0 = set * 1_000_000_000 }
            now.withLock { $0 += 1_000_000_000 }
            for _ in 0..<5 { _ = await conductor.step() }
            let time = now.withLock { $0 }
            guard case .waiting(let waits, _) = await conductor.status?.moment(at: time) else {
                Issue.record("it waits")
                return
            }
            #expect(abs(waits / .seconds(1) - Double(left)) < 1e-4, "\(waits) after \(set)")
        }
    }

    @Test("the log calls a click lost that the output has refused for want of memory, and no other")
    func refusedClick() async {
        let log = RecordedLog()
        let conductor = log.conductor(Self.score.performance { _ in })
        log.output.refused.withLock { $0 = [96_000] }
        for second in 0..<5 {
            log.output.heard.withLock { $0 = Int64(second) * 48_000 + 1000 }
            _ = await conductor.step()
        }
        #expect(log.rows.prefix(4).map { $0.heard == nil } == [false, false, true, false])
    }
}
