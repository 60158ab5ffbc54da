import Cables
import Playback
import SampleScores
import Scores
import Synchronization
import Testing
import Timing

/// A server, what follows it, and the music, in simulated time.
@Suite("Following JACK's transport, in simulated time")
struct JackTransportTests {
    /// What has become known of the leader, and which server runs.
    private final class Wire: Sendable {
        let now = Mutex(Int64(50_000_000_000))
        let server: Mutex<SimulatedJack?>
        let leads = Mutex<[Leader]>([])
        let troubles = Mutex<[String]>([])
        let signs = Mutex<[JackTransport.Sign]>([])
        /// The bars that have been heard.
        let bars = Mutex<[Int]>([])

        /// Whether the sound goes through JACK, too, and how often a client was opened.
        let isShared = Mutex(false)
        let opened = Mutex(0)

        init(_ server: SimulatedJack) { self.server = Mutex(server) }

        @Sendable func open() -> (any JackClient)? {
            opened.withLock { $0 += 1 }
            return server.withLock { $0 }
        }

        func say(_ leader: Leader) {
            leads.withLock { $0.append(leader) }
            if let trouble = leader.trouble { troubles.withLock { $0.append(trouble) } }
        }

        func show(_ sign: JackTransport.Sign) {
            signs.withLock { signs in if signs.last != sign { signs.append(sign) } }
        }

        var time: Int64 { now.withLock { $0 } }

        func go(_ nanoseconds: Int64) {
            let time = now.withLock { now in
                now += nanoseconds
                return now
            }
            server.withLock { $0?.advance(to: time) }
        }
    }

    private struct Stage: ~Copyable {
        let wire: Wire
        let transport: JackTransport
        var live: LivePerformance
        let latency: Duration

        /// Begins to follow a server with music that is heard so much later than reported.
        static func follow(
            _ server: SimulatedJack, latency: Duration = .zero, begin: Duration = .zero
        ) async throws -> Stage {
            let wire = Wire(server)
            let score = try score("bars: [2, 3, 4, 5, 200]")
            let performance = Performance(of: score, passage: Passage(Timeline(score)))
            var time = JackTransport.Time()
            time.now = { wire.time }
            time.wait = { wire.go(Int64($0 / .nanoseconds(1))) }
            let following = await JackTransport(
                performance, at: begin, time: time, open: wire.open, isShared: { wire.isShared.withLock { $0 } },
                live: { wire.show($0) }, say: { wire.say($0) })
            let transport = try #require(following)
            var options = Conductor.Options()
            (options.leader, options.latency) = (transport.leader, latency)
            options.log = { row in wire.bars.withLock { $0.append(row.index) } }
            let output = SilentOutput { wire.time }
            var live = LivePerformance(performance, output: output, sound: .silent("none"), options: options) { _ in }
            try live.begin()
            return Stage(wire: wire, transport: transport, live: live, latency: latency)
        }

        /// Lets so many seconds pass; the music is busy elsewhere if it does not step. Calls `look` after each step with the
        /// status and the time.
        mutating func go(_ seconds: Double, steps: Bool = true, look: (Status, Int64) -> Void = { _, _ in }) async {
            let end = wire.time + Int64(seconds * 1e9)
            while wire.time < end {
                wire.go(5_000_000)
                _ = await transport.step()
                guard steps else { continue }
                for leader in wire.leads.withLock({ leads in
                    defer { leads = [] }
                    return leads
                }) { live.follow(leader) }
                _ = live.step()
                guard let status = live.status else { continue }
                await transport.see(status, latency: latency)
                look(status, wire.time)
            }
        }

        /// Where the music is, in s, and whether it stands.
        var place: (position: Double, stands: Bool) {
            guard let status = live.status, case .bar(let bar) = status.moment(at: wire.time) else {
                return (.nan, true)
            }
            return (bar.position / .seconds(1), bar.isPaused)
        }

        /// Where the music should be whose transport has begun last at a place in s: a period ahead, by which sound that goes
        /// through ALSA to the server is late.
        func due(from place: Double = 0) -> Double {
            let begin = wire.server.withLock { $0?.begins.last?.time } ?? .max
            return place + Double(wire.time - begin) * 1e-9 + 1024.0 / 48_000
        }

        /// Follows a server whose transport has rolled for three seconds, and which has gone away.
        static func left() async throws -> Stage {
            let server = SimulatedJack(frame: 4_000_000_000, at: 50_000_000_000)
            var stage = try await Stage.follow(server)
            await stage.go(1)
            server.start()
            await stage.go(3)
            server.die()
            stage.wire.server.withLock { $0 = nil }
            return stage
        }

        /// Finds another server, whose transport stands at five seconds, and follows it.
        mutating func findNext() async -> SimulatedJack {
            let next = SimulatedJack(frame: 0, at: wire.time)
            next.locate(240_000)
            wire.server.withLock { $0 = next }
            await go(3)
            #expect(place.stands && abs(place.position - 5) < 1e-6, "\(place)")
            return next
        }
    }

    @Test(
        "the transport waits until the music is placed, and begins to roll where the music begins",
        arguments: [0, 180])
    func start(latency: Int) async throws {
        let server = SimulatedJack(frame: .max - 100_000, at: 50_000_000_000)
        var stage = try await Stage.follow(server, latency: .milliseconds(latency))
        await stage.go(1)
        #expect(stage.place.stands && stage.place.position == 0)
        let asked = stage.wire.time
        server.start()
        var early: [Int64] = []
        await stage.go(2) { status, now in
            // The music has its place before the transport has begun.
            if server.begins.isEmpty, status.pause == nil { early.append(now) }
        }
        let begin = try #require(server.begins.first?.time)
        #expect(begin - asked < 700_000_000 && (early.first ?? .max) + Int64(latency) * 1_000_000 < begin)
        #expect(!stage.place.stands && abs(stage.place.position - stage.due()) < 1e-3, "\(stage.place)")
        // The same to another place, while it rolls: its clicks are those of the new place alone.
        server.locate(480_000)
        await stage.go(0.05)
        await stage.go(2) { status, now in
            guard server.begins.count == 1 else { return }
            let time = status.moment(at: now)
            if case .bar(let bar) = time { #expect(bar.position >= .seconds(10) || now - asked < 2_100_000_000) }
        }
        #expect(server.begins.count == 2 && abs(stage.place.position - stage.due(from: 10)) < 1e-3, "\(stage.place)")
    }

    @Test(
        "if the transport goes to a place before the score while it rolls, what sounded stops, and the score begins at its time"
    )
    func beforeBegin() async throws {
        let server = SimulatedJack(frame: 7, at: 50_000_000_000)
        var stage = try await Stage.follow(server, begin: .seconds(2))
        await stage.go(1)
        server.locate(192_000)
        server.start()
        await stage.go(2)
        #expect(stage.place.position > 3)
        server.locate(0)
        await stage.go(4)
        #expect(stage.wire.bars.withLock { $0 } == [2, 1])
        #expect(server.begins.count == 2 && abs(stage.place.position - stage.due(from: -2)) < 1e-3, "\(stage.place)")
    }

    @Test("while the music is busy, a start is planned anew, and the transport does not begin before the music")
    func busy() async throws {
        let server = SimulatedJack(frame: 7, at: 50_000_000_000)
        var stage = try await Stage.follow(server)
        await stage.go(1)
        server.start()
        await stage.go(0.5, steps: false)
        #expect(server.begins.isEmpty)
        await stage.go(0.6)
        #expect(server.begins.count == 1 && abs(stage.place.position - stage.due()) < 1e-3, "\(stage.place)")
    }

    @Test("if another program is not ready, the music waits for the transport")
    func others() async throws {
        let server = SimulatedJack(frame: 7, at: 50_000_000_000)
        var stage = try await Stage.follow(server)
        await stage.go(1)
        server.start()
        server.delayOthers(by: 96_000)
        await stage.go(1.5)
        #expect(server.begins.isEmpty && stage.place.stands && stage.place.position == 0)
        await stage.go(1.5)
        #expect(server.begins.count == 1 && abs(stage.place.position - stage.due()) < 1e-3, "\(stage.place)")
    }

    @Test("if the server goes away, that is said once, the music goes on, and it follows the next server by itself")
    func comesBack() async throws {
        var stage = try await Stage.left()
        let (left, before) = (stage.wire.time, stage.place.position)
        await stage.go(4) { status, now in
            guard case .bar(let bar) = status.moment(at: now) else { return }
            #expect(abs(bar.position / .seconds(1) - before - Double(now - left) * 1e-9) < 1e-3)
        }
        #expect(stage.wire.troubles.withLock { $0 } == ["JACK is gone: the music goes on by itself"])
        #expect(stage.live.status?.network != nil)
        // The next one counts from 0, and stands elsewhere.
        let next = await stage.findNext()
        next.start()
        await stage.go(2)
        #expect(!stage.place.stands && abs(stage.place.position - stage.due(from: 5)) < 1e-3, "\(stage.place)")
        #expect(stage.wire.troubles.withLock { $0.count } == 1 && stage.live.status?.network == nil)
        #expect(stage.wire.signs.withLock { $0 } == [.stands, .rolls, .isGone, .stands, .rolls])
    }

    @Test("without a server, the music that goes on by itself can be paused, goes on where it stood, and begins anew")
    func alone() async throws {
        var stage = try await Stage.left()
        await stage.go(1)
        let before = stage.place.position
        #expect(await stage.transport.carryOut(.toggle) == .alone(isPaused: true))
        await stage.go(2)
        let stood = stage.place
        #expect(stood.stands && abs(stood.position - before) < 0.2, "\(before) s, then \(stood)")
        #expect(await stage.transport.carryOut(.stop) == .alone(isPaused: true))
        await stage.go(1)
        #expect(stage.place == stood)
        #expect(await stage.transport.carryOut(.start) == .alone(isPaused: false))
        await stage.go(1)
        #expect(!stage.place.stands && (0.8...1).contains(stage.place.position - stood.position), "\(stage.place)")
        #expect(await stage.transport.carryOut(.rewind) == .alone(isPaused: false))
        await stage.go(1)
        #expect(!stage.place.stands && (0.8...1).contains(stage.place.position), "\(stage.place)")
        #expect(stage.live.status?.network == "JACK is gone: the music goes on by itself")
        // The next server is followed wherever its transport is.
        _ = await stage.findNext()
        #expect(await stage.transport.carryOut(.start) == .asked)
    }

    @Test("if the sound goes through the server, too, no client is opened before the sound has found the next one")
    func shared() async throws {
        let server = SimulatedJack(frame: 7, at: 50_000_000_000)
        var stage = try await Stage.follow(server)
        await stage.go(1)
        stage.wire.isShared.withLock { $0 = true }
        let newest = stage.live.status
        var status = try #require(newest)
        let sounds: [(Status.Sound, Int)] = [
            (.device("jack"), 1), (.device("jack"), 1), (.lost("jack", reason: "gone"), 1), (.device("jack"), 2),
        ]
        for (n, (sound, due)) in sounds.enumerated() {
            if n == 1 {
                server.die()
                stage.wire.server.withLock { $0 = SimulatedJack(frame: 0, at: stage.wire.time) }
            }
            status.sound = sound
            await stage.transport.see(status, latency: .zero)
            await stage.go(3, steps: false)
            let opened = stage.wire.opened.withLock { $0 }
            #expect(opened == due, "\(n)")
        }
        #expect(stage.wire.signs.withLock { $0 } == [.stands, .isGone, .stands])
    }
}
