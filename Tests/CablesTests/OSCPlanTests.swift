import Cables
import Listening
import Playback
import SampleScores
import Scores
import Shared
import SimulatedCardSupport
import Testing
import Timing

@Suite("What OSC tells")
struct OSCPlanTests {
    private static let piece = Score(
        lines: [
            Score.Line(bars: [700, 900, 650].map { Score.Bar(.milliseconds($0)) }),
            Score.Line(bars: [800, 600, 1100].map { Score.Bar(.milliseconds($0)) }),
        ])

    /// Plays on a card that is 300 ppm fast, and lets a plan look every millisecond, as its thread would. What is known of the
    /// clock moves all that is heard by `drift` at a time, both in ns. The thread sleeps at some times, in s.
    private func told(
        _ score: Score = Self.piece, ahead: Int64, commands: [(Double, Command)] = [], passes: Int = 20,
        drift: (Int64) -> Int64 = { _ in 0 }, asleep: Range<Double> = 0..<0
    ) throws -> (play: SimulatedPlay, packets: [(at: Int64, packet: OSCPacket)]) {
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: passes))
        performance.countIn = .time(.seconds(1))
        performance.waits = true
        let play = try SimulatedPlay.run(
            performance, on: ["skew_ppm": 300, "jitter_us": 50], policy: .rewind, commands: commands,
            keepsStatuses: true)
        var plan = OSCPlan(ahead: ahead)
        var packets: [(at: Int64, packet: OSCPacket)] = []
        var statuses = play.statuses[...]
        var newest: Status?
        var now = Int64(Simulation.beginning * 1e9)
        let end = Int64((play.overAt ?? .nan) * 1e9)
        while now < end {
            if asleep.contains(Double(now) * 1e-9 - Simulation.beginning) {
                now += 1_000_000
                continue
            }
            while let next = statuses.first, next.time * 1e9 <= Double(now) {
                newest = next.status
                if !asleep.isEmpty { plan.take(next.status, at: now) }
                statuses.removeFirst()
            }
            if var status = newest {
                status.zeroHeard += drift(now)
                packets += plan.step(status, at: now, wall: 0).packets.map { (now, $0) }
            }
            now += 1_000_000
        }
        packets += plan.end().map { (end, $0) }
        return (play, packets)
    }

    private func bars(_ packets: [(at: Int64, packet: OSCPacket)]) -> [(time: Int64, index: Int32)] {
        packets.flatMap { at, packet in
            packet.messages.compactMap { message in
                guard message.address == "/barline/bar", case .int(let index) = message.values[2] else { return nil }
                return (packet.time ?? at, index)
            }
        }
    }

    @Test("the time tag of every boundary is that of the timing log within 0.1 ms, and it is sent ahead")
    func timeTags() throws {
        let (play, packets) = try told(ahead: 200_000_000)
        let told = bars(packets)
        #expect(told.count == 120 && play.rows.count == 120)
        var worst = 0.0
        // In the first seconds the card's clock is still being learnt.
        for (row, bar) in zip(play.rows, told).dropFirst(12) {
            #expect(Int(bar.index) == row.index)
            let heard = play.origin + (row.heard?.seconds ?? .nan)
            worst = max(worst, abs(Double(bar.time) * 1e-9 - heard))
        }
        #expect(worst < 0.1e-3)
        for (at, packet) in packets {
            if let time = packet.time { #expect((190_000_000...200_000_000).contains(time - at)) }
        }
    }

    @Test("without time tags, each boundary is told once, at its moment")
    func atTheMoment() throws {
        let (play, packets) = try told(ahead: 0)
        let told = bars(packets)
        #expect(told.map { Int($0.index) } == play.rows.map(\.index))
        for (row, bar) in zip(play.rows, told).dropFirst(12) {
            let late = Double(bar.time) * 1e-9 - play.origin - (row.heard?.seconds ?? .nan)
            #expect((-0.0001...0.0015).contains(late))
        }
        #expect(packets.allSatisfy { $0.packet.time == nil })
    }

    @Test(
        "a boundary is told once, although its moment moves as the card's clock is learnt",
        arguments: [0, 100_000_000])
    func clockIsLearnt(ahead: Int64) throws {
        let (play, packets) = try told(ahead: ahead, passes: 3) { $0 / 10_000_000 % 2 * 76_000_000 }
        #expect(bars(packets).map { Int($0.index) } == play.rows.map(\.index))
    }

    @Test(
        "every heard boundary is told, and no other, through pauses, jumps, loops and speeds",
        arguments: [0, 100_000_000])
    func commands(ahead: Int64) throws {
        let commands: [(Double, Command)] = [
            (4, .togglePause), (6, .togglePause), (8.1, .jump(.nextLine)), (11, .jump(.thisBar)),
            (13, .speed(change: 30)),
            (16, .jump(.bar(4))), (19, .practice([Passage.Stretch(1..<3)], passes: nil)),
            (25, .practice(nil, passes: nil)),
            (27, .jump(.previousBar)), (29, .speed(change: -50)), (33, .togglePause), (34, .jump(.bar(0))),
            (35, .togglePause),
        ]
        let (play, packets) = try told(ahead: ahead, commands: commands, passes: 4)
        let told = bars(packets)
        var rest = told
        for row in play.rows {
            guard let heard = row.heard else { continue }
            let moment = play.origin + heard.seconds
            let match = rest.firstIndex { Int($0.index) == row.index && abs(Double($0.time) * 1e-9 - moment) < 0.03 }
            #expect(match != nil, "bar \(row.index) at \(moment)")
            if let match { rest.remove(at: match) }
        }
        // What was sent ahead of a command cannot be taken back.
        #expect(rest.count <= (ahead == 0 ? 0 : commands.count))
    }

    @Test(
        "each bar that is heard is told once and in order, however late the thread is, also if commands came meanwhile",
        arguments: [0, 100_000_000])
    func lateThread(ahead: Int64) throws {
        let commands: [(Double, Command)] = [
            (5, .jump(.nextLine)), (6.3, .togglePause), (6.8, .jump(.bar(1))), (7.1, .togglePause),
            (8, .speed(change: 20)),
        ]
        let (play, packets) = try told(ahead: ahead, commands: commands, passes: 3, asleep: 4.4..<8.9)
        #expect(bars(packets).map { Int($0.index) } == play.rows.filter { $0.heard != nil }.map(\.index))
        let times = bars(packets).map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("after a longer stop, the bars of the last five seconds are told, and the one that sounds")
    func longStop() {
        for (seconds, indices) in [(1, Array(57...61)), (20, [4])] as [(Int, [Int32])] {
            let score = Score(lines: [Score.Line(bars: Array(repeating: Score.Bar(.seconds(seconds)), count: 100))])
            let zero: Int64 = 10_000_000_000
            let status = Status(
                performance: Performance(of: score, passage: Passage(Timeline(score), passes: 1)),
                anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: zero, sound: .silent("none"))
            var plan = OSCPlan(ahead: 0)
            #expect(bars(plan.step(status, at: zero - 1_000_000, wall: 0).packets.map { (zero, $0) }).isEmpty)
            let packets = plan.step(status, at: zero + (seconds == 1 ? 60_500_000_000 : 72_000_000_000), wall: 0)
                .packets
            #expect(bars(packets.map { (zero, $0) }).map(\.index) == indices)
        }
    }

    @Test("each bar that is heard is told once, also if a command is on its way just then", arguments: 0..<8)
    func onTheWay(seed: UInt64) throws {
        var random = Seeded(state: seed + 700)
        let choices: [Command] = [
            .togglePause, .jump(.nextBar), .jump(.thisBar), .jump(.nextLine), .speed(change: 10), .speed(change: -10),
            .toggleCountIn,
            .nudge(.milliseconds(20)), .nudge(.milliseconds(-20)), .practice([Passage.Stretch(1..<3)], passes: nil),
            .practice([Passage.Stretch(2..<3)], passes: nil), .practice(nil, passes: nil),
        ]
        var (time, commands) = (3.0, [(Double, Command)]())
        for _ in 0..<40 {
            time += Double(random.int(200...900)) / 1000
            commands.append((time, choices[random.int(0...choices.count - 1)]))
        }
        commands += [(time + 1, .resume), (time + 3, .stop)]
        let bars = [190, 250, 170, 310, 230, 270].map { Score.Bar(.milliseconds($0)) }
        let score = Score(lines: [Score.Line(bars: Array(bars[..<3])), Score.Line(bars: Array(bars[3...]))])
        let (play, packets) = try told(score, ahead: 0, commands: commands, passes: 60)
        var rest = self.bars(packets)
        for row in play.rows {
            guard let heard = row.heard else { continue }
            let moment = play.origin + heard.seconds
            let match = rest.firstIndex { Int($0.index) == row.index && abs(Double($0.time) * 1e-9 - moment) < 0.035 }
            let near = commands.filter { abs($0.0 + Simulation.beginning - moment) < 0.5 }
            #expect(match != nil, "bar \(row.index) at \(moment): \(near)")
            if let match { rest.remove(at: match) }
        }
        #expect(rest.isEmpty && play.rows.count > 20, "\(rest)")
    }

    /// The messages of a score that were sent, each with its time in the log, in s.
    private func sent(
        _ score: Score, _ commands: [(Double, Command)] = []
    ) throws -> [(time: Double, message: OSCMessage)] {
        let (play, packets) = try told(score, ahead: 0, commands: commands, passes: 1)
        return packets.flatMap { at, packet in
            packet.messages.filter { !$0.address.hasPrefix("/barline/") }
                .map { (Double(at) * 1e-9 - play.origin, $0) }
        }
    }

    @Test("a pause just after a boundary does not tell it again")
    func pausedAtBegin() throws {
        let (play, packets) = try told(ahead: 0, commands: [(5.97, .togglePause), (8, .togglePause)], passes: 2)
        #expect(bars(packets).map { Int($0.index) } == play.rows.map(\.index))
    }

    @Test("what follows a hold until a cue is told when the music goes on, even if the hold has no length")
    func afterHold() throws {
        let score = try score(
            "bars: [{duration: 1, hold: until cue, send: /a 1}, {duration: 1, send: [/b 0.5, midi note 3 on, /c x]}]")
        let sent = try sent(score, [(6, .continue)])
        #expect(
            sent.map(\.message) == [
                OSCMessage("/a", [.int(1)]), OSCMessage("/b", [.float(0.5)]), OSCMessage("/c", [.string("x")]),
            ])
        #expect(sent[0].time < 0.1 && sent[1].time > 2)
    }

    @Test("every voice sends its messages when its own bars begin")
    func voices() throws {
        let score = try score(
            """
            voices:
              a: {bars: [2, {duration: 2, send: /a}, 2]}
              b: {bars: [1, {duration: 1.5, send: /b}, {duration: 2.5, send: /c}]}
            """)
        let sent = try sent(score)
        #expect(sent.map(\.message.address) == ["/b", "/a", "/c"])
        for (sent, due) in zip(sent, [1, 2, 2.5]) { #expect(abs(sent.time - due) < 0.002) }
    }

    @Test("a hold that ends by itself is a state, told when it begins and ends, and looked for then")
    func timedHold() throws {
        let score = try score("bars: [1, {duration: 1, hold: 2 at 0.5}, 1]")
        let (play, packets) = try told(score, ahead: 0, passes: 1)
        let states = packets.flatMap { at, packet in
            packet.messages.filter { $0.address == "/barline/state" }
                .map { (Double(at) * 1e-9 - play.origin, $0.values) }
        }
        #expect(states.map(\.1) == ["count-in", "playing", "holding", "playing", "ended"].map { [.string($0)] })
        let times = try #require(states.count == 5 ? states.map(\.0) : nil)
        #expect(abs(times[2] - 1.5) < 0.002 && abs(times[3] - 3.5) < 0.002, "\(times)")
        var plan = OSCPlan(ahead: 0)
        let status = try #require(play.statuses.last { $0.status.stage == .going }?.status)
        let edge = status.zeroHeard + 1_500_000_000
        #expect(plan.step(status, at: edge - 20_000_000, wall: 0).next - edge < 1000)
    }

    @Test("the bars of a piece are told, also if another one has begun just before it")
    func shortPieces() {
        let performance = Performance(of: Self.piece, passage: Passage(Timeline(Self.piece), passes: 1))
        var plan = OSCPlan(ahead: 0)
        for zero in [10_000_000_000, 11_000_000_000] as [Int64] {
            var status = Status(
                performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: zero,
                sound: .silent("none"))
            let packets = plan.step(status, at: zero + 1_000_000, wall: 0).packets
            #expect(bars(packets.map { (zero, $0) }).map(\.index) == [1])
            status.stage = .over(.complete)
            _ = plan.step(status, at: zero + 800_000_000, wall: 0)
        }
    }

    @Test("a pause before the music begins at a time of day is told as a pause")
    func pausedBeforeStart() {
        let performance = Performance(of: Self.piece, passage: Passage(Timeline(Self.piece), passes: 1))
        var status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil,
            zeroHeard: 10_000_000_000, sound: .silent("none"))
        status.begins = .zero
        var plan = OSCPlan(ahead: 0)
        func state(_ now: Int64) -> OSCMessage? {
            plan.step(status, at: now, wall: 0).packets.flatMap(\.messages).first { $0.address == "/barline/state" }
        }
        #expect(state(1_000_000_000)?.values == [.string("waiting")])
        status.pause = Status.Pause(.seconds(-8))
        #expect(state(2_000_000_000)?.values == [.string("paused")])
        status.pause = nil
        #expect(state(3_000_000_000)?.values == [.string("waiting")])
    }

    @Test("the plan looks again when the count-in begins, and when it ends", arguments: [0, 200_000_000] as [Int64])
    func countInEdges(ahead: Int64) {
        var status = Status(
            performance: Performance(of: Self.piece, passage: Passage(Timeline(Self.piece), passes: 1)),
            anchor: Anchor(speed: .asWritten), countsTo: .zero, pause: nil, zeroHeard: 10_000_000_000,
            sound: .silent("none"))
        status.begins = .seconds(-2)
        var plan = OSCPlan(ahead: ahead)
        for edge in [8_000_000_000, 10_000_000_000] as [Int64] {
            _ = plan.step(status, at: edge - 150_000_000, wall: 0)
            let next = plan.step(status, at: edge - 20_000_000, wall: 0).next
            #expect((0..<1000).contains(next - edge))
        }
    }

    @Test("state and speed are told when they change, and the lines where they begin")
    func states() throws {
        let (_, packets) = try told(
            ahead: 0, commands: [(4, .togglePause), (6, .togglePause), (7, .speed(change: 10))], passes: 1)
        let messages = packets.flatMap(\.packet.messages)
        let states = messages.filter { $0.address == "/barline/state" }.map(\.values)
        #expect(states == ["count-in", "playing", "paused", "playing", "ended"].map { [.string($0)] })
        #expect(messages.filter { $0.address == "/barline/speed" }.map(\.values) == [[.float(100)], [.float(110)]])
        #expect(messages.filter { $0.address == "/barline/line" }.map(\.values) == [[.int(1)], [.int(2)]])
    }
}
