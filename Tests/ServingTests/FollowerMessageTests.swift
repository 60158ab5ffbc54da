import Scores
import Screens
import Serving
import Shared
import Testing
import Timing

@Suite("Messages to followers")
struct FollowerMessageTests {
    private static func random(_ random: inout Seeded) throws -> LeaderMusic {
        func duration(_ random: inout Seeded) -> Duration {
            Duration(
                attoseconds: Int128(random.int(-1_000_000...1_000_000)) * Int128(random.int(1...1_000_000_000_000)))
        }
        func speed(_ random: inout Seeded) throws -> Speed {
            try #require(Speed(millionths: Int64(random.int(50_000...10_000_000))))
        }
        func ratio(_ random: inout Seeded) throws -> Speed {
            Speed(try speed(&random), over: try speed(&random)) ?? .asWritten
        }
        let stretches = try (0..<random.int(1...3)).map { n in
            let first = random.int(0...100)
            let label = ["", "2 of 3", "größer  gleich"][n]
            return Passage.Stretch(first..<first + random.int(1...50), speed: try ratio(&random), label: label)
        }
        var music = LeaderMusic(
            zero: Int64(random.int(0...1 << 60)),
            anchor: Anchor(time: duration(&random), position: duration(&random), speed: try speed(&random)),
            stretches: stretches, passes: random.chance(2) ? nil : random.int(1...9))
        music.stretches[music.stretches.count - 1].goesOn = random.chance(2)
        if random.chance(2) { music.paused = duration(&random) }
        if random.chance(2) { music.pausedAhead = max(duration(&random), .zero) }
        (music.isTimed, music.first) = (random.chance(2), random.int(0...99))
        if random.chance(2) {
            music.held = HeldMusic(boundary: random.int(0...99), position: duration(&random), length: duration(&random))
        }
        music.countIn = [.off, .milliseconds(2500), .bars(2), .beats(7)][random.int(0...3)]
        if random.chance(2) { music.effect = duration(&random) }
        music.jumps = random.int(0...3)
        (music.countsIn, music.waits, music.hasEnded) = (random.chance(2), random.chance(2), random.chance(9))
        return music
    }

    /// A scale with a name that would be a comment, and keys without a degree.
    private static var scale: Tuning.Scale {
        get throws {
            let scale = try ScalaScale(scalaText: " ! quarter tones\n4\n50.0\n0.000001\n701.955\n1200.5\n")
            let map = ScalaMap(middle: 60, reference: 69, hertz: 442.25, octave: 4, degrees: [0, nil, 2, -1])
            return .scala(scale, map)
        }
    }

    @Test("messages to followers are read back as they were written")
    func roundTrip() throws {
        var random = Seeded(state: 21)
        for _ in 0..<500 {
            let message = FollowerMessage.music(random.int(1...9), try Self.random(&random))
            #expect(FollowerMessage(message.text) == message)
        }
        for message in [
            .welcome, .clock(-5, leader: 7), FollowerMessage.score(3, Array("bars: [1]\n\n".utf8)),
            .told("from B\non", at: 9), .farewell,
            .score(5, Array("bars: [1]\n".utf8), scale: try Self.scale),
            .score(6, Array("bars: [1]\n".utf8), plan: "run 0:05", scale: try Self.scale),
            .score(4, Array("bars: [1]\n".utf8), plan: "run 0:05 \"größer\",\nrun until lap"),
        ] {
            #expect(FollowerMessage(message.text) == message)
        }
    }

    @Test("more rounds than anything can be played are no message")
    func rounds() throws {
        var random = Seeded(state: 23)
        var music = try Self.random(&random)
        for (passes, isRead) in [(1_000_000, true), (1_000_001, false), (1_000_000_000_000, false)] {
            music.passes = passes
            #expect((FollowerMessage(FollowerMessage.music(1, music).text) != nil) == isRead)
        }
    }

    @Test("damaged messages are ignored, or have values within their ranges")
    func damage() throws {
        var random = Seeded(state: 22)
        for _ in 0..<5000 {
            var text = FollowerMessage.music(1, try Self.random(&random)).text
            for _ in 0..<random.int(1...4) {
                let place = random.int(0...text.count - 1)
                switch random.int(0...3) {
                case 0: text.remove(at: place)
                case 1: text[place] = UInt8(random.int(0...255))
                case 2: text.insert(contentsOf: "99999999999999999999".utf8, at: place)
                default: text = Array(text[..<max(place, 1)])
                }
                if text.isEmpty { text = [0] }
            }
            guard case .music(_, let music) = FollowerMessage(text) else { continue }
            #expect(!music.stretches.isEmpty && music.passes ?? 1 > 0)
            // No arithmetic on them may trap.
            _ = music.anchor.time(of: music.anchor.position(at: music.paused ?? .zero))
        }
    }

    @Test(
        "messages of other kinds are ignored",
        arguments: [
            "", "\n", "music", "music 1", "music x\nzero 1", "clock 1", "clock 1 99999999999999999999",
            "{\"state\": {}}", "score 1 9\nbars: []", "score 1 -1\nbars: []", "score 1 x\nbars: []",
            "score 1\nbars: []", "score 1 0 3 0\nx\n1bars: []", "score 1 0 0 99\nbars: []", "farewell 1",
        ])
    func others(text: String) { #expect(FollowerMessage(Array(text.utf8)) == nil) }

    /// A piece of two bars, and the message of a leader who plays it, with one line of it changed.
    private static func message(_ line: String, _ changed: String) throws -> (Performance, FollowerMessage?) {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1)), Score.Bar(.seconds(2))])])
        var music = LeaderMusic(
            zero: 0, anchor: Anchor(speed: .asWritten), stretches: [Passage.Stretch(0..<2)], passes: 1)
        music.countsIn = true
        let text = String(decoding: FollowerMessage.music(1, music).text, as: UTF8.self)
        try #require(text.contains(line))
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        return (performance, FollowerMessage(Array(text.replacing(line, with: changed).utf8)))
    }

    @Test(
        "messages with values that no leader sends are ignored",
        arguments: [
            ("\ntime 0", "\ntime 1000000000000000000000000000001"),
            ("position 0", "position -1000000000000000000000000000001"),
            ("\ntime 0", "\ntime 1000000000000000000000000001"), ("zero 0", "zero 4611686018427387905"),
            ("count-in time 0", "count-in time 61000000000000000000"), ("count-in time 0", "count-in time -1"),
            ("count-in time 0", "count-in bars 17"), ("count-in time 0", "count-in bars 1000000000"),
            ("count-in time 0", "count-in beats 0"), ("count-in time 0", "count-in weeks 1"),
            ("speed 1000000", "speed 0"), ("stretch 0 2", "stretch 2 0"), ("passes 1", "passes 0"),
        ])
    func unbelievable(line: String, changed: String) throws {
        #expect(try Self.message(line, changed).1 == nil)
    }

    @Test(
        "messages with values at the limits can be followed",
        arguments: [
            ("\ntime 0", "\ntime 1000000000000000000000000000"), ("\ntime 0", "\ntime -1000000000000000000000000000"),
            ("position 0", "position 1000000000000000000000000000"), ("zero 0", "zero 4611686018427387904"),
            ("zero 0", "zero -4611686018427387904"), ("count-in time 0", "count-in time 60000000000000000000"),
            ("count-in time 0", "count-in bars 16"), ("stretch 0 2", "stretch 0 9223372036854775807"),
            ("stretch 0 2", "stretch 7 9223372036854775807"), ("passes 1", "passes 1000000"),
            ("counts", "held 9223372036854775807 1000000000000000000000000000 -1000000000000000000000000000"),
            ("counts", "held -9223372036854775808 0 0"), ("counts", "paused 1000000000000000000000000000"),
            ("counts", "paused 0\npaused-ahead 1000000000000000000000000000"), ("counts", "paused 0\npaused-ahead -1"),
            ("counts", "effect -1000000000000000000000000000"), ("counts", "jumps 9223372036854775807"),
            ("counts", "first 9223372036854775807"), ("counts", "first -1"), ("counts", "first 2147483647"),
        ])
    func limits(line: String, changed: String) throws {
        let (performance, message) = try Self.message(line, changed)
        guard case .music(_, let lead) = message else {
            Issue.record("ignored")
            return
        }
        var clock = LeaderClock()
        for burst in 0..<Int64(8) { _ = clock.take(.init(sent: burst, received: burst + 1000, leader: 500)) }
        let mapping = FollowedMapping(NominalMapping(rate: 48_000, zero: 0), clock, zero: lead.zero)
        var scheduler = Scheduler(performance, mapping: mapping, from: 0)
        let played = ScheduledClick(
            origin: .bar(boundary: 0, index: 0, inner: 0), time: .zero, position: FramePosition(frame: -1))
        scheduler.follow(lead, mapping, at: 0, after: [played], isJump: false)
        #expect(scheduler.anchor == lead.anchor)
    }
}

@Suite("The address of a leader")
struct LeaderAddressTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    @Test(
        "the address of a leader may leave out the default parts",
        arguments: ["http://music.local:8573/#", "music.local:8573/#", "music.local#", "music.local/#"])
    func usual(text: String) throws {
        let address = try LeaderAddress(text + Self.secret)
        #expect(address.host == "music.local" && address.port == 8573 && address.voice == nil)
    }

    @Test("the address for one player has the name of its voice")
    func voice() throws {
        for (text, voice) in [
            ("&voice=fl%C3%B6te%201", "flöte 1"), ("&x=1&voice=b", "b"), ("&voice=%F", nil), ("&voices=b", nil),
        ] {
            #expect(try LeaderAddress("music.local#" + Self.secret + text).voice == voice)
        }
    }

    @Test(
        "a text that is not the address of a leader is an error",
        arguments: [
            "music.local", "music.local#12", "music.local#12&voice=b", "#0123456789abcdef0123456789abcdef",
            "a:b#0123456789abcdef0123456789abcdef",
            "a:0#0123456789abcdef0123456789abcdef", "a:65536#0123456789abcdef0123456789abcdef",
            "a b#0123456789abcdef0123456789abcdef", "https://a/#0123456789abcdef0123456789abcdef",
            "a:1:2#0123456789abcdef0123456789abcdef", "http://#0123456789abcdef0123456789abcdef",
        ])
    func invalid(text: String) { #expect(throws: TextError.self) { try LeaderAddress(text) } }
}

@Suite("A follower's talk with its leader")
struct LeaderTalkTests {
    /// A leader that answers at once, and its follower.
    private static func answer(_ talk: inout LeaderTalk, _ said: [String], at now: Int64) {
        for line in said where line.hasPrefix("clock ") {
            let sent = Int64(line.dropFirst(6)) ?? 0
            _ = talk.take(FollowerMessage.clock(sent, leader: now + 1_000_000_000).text, at: now + 200_000)
        }
    }

    @Test("a follower greets first, and asks in bursts of eight, never more often than the server allows")
    func bursts() throws {
        var talk = LeaderTalk(secret: "s")
        var now: Int64 = 1_000_000_000
        let greeting = talk.due(at: now)
        #expect(greeting == ["hello s", "follow score"])
        _ = talk.take(FollowerMessage.welcome.text, at: now)
        var allowance = Allowance(at: now)
        for _ in 0..<4000 {
            now += 50_000_000
            let said = talk.due(at: now)
            for _ in said ?? [] {
                let isAllowed = allowance.take(at: now)
                #expect(isAllowed)
            }
            try #require(said != nil)
            Self.answer(&talk, said ?? [], at: now)
        }
        #expect(talk.known.clock.bursts > 50)
        #expect(abs(talk.known.clock.leader(at: Double(now)) - Double(now) - 1e9) < 1e6)
    }

    @Test("before each burst but the first, a follower tells how well it knows the clock, what it lost, and its voices")
    func report() throws {
        var talk = LeaderTalk(secret: "s", report: GuestReport(voice: "flute,harp"))
        var now: Int64 = 1_000_000_000
        _ = talk.due(at: now)
        _ = talk.take(FollowerMessage.welcome.text, at: now)
        var told: [GuestReport] = []
        for step in 0..<200 {
            if step == 100 { talk.report.lost = 7 }
            now += 50_000_000
            let due = talk.due(at: now)
            let said = try #require(due)
            told += said.compactMap { line in
                if case .about(let report) = PageRequest(line) { report } else { nil }
            }
            Self.answer(&talk, said, at: now)
        }
        #expect(told.count > 5 && told.count >= talk.known.clock.bursts - 1)
        #expect(told.allSatisfy { $0.voice == "flute,harp" && $0.clock > .zero && $0.clock < .milliseconds(20) })
        #expect(told.first?.lost == 0 && told.last?.lost == 7)
    }

    @Test("without network, a follower keeps what it knows; it says since when, and when the network is back")
    func loss() throws {
        var talk = LeaderTalk(secret: "s")
        var now: Int64 = 1_000_000_000
        _ = talk.due(at: now)
        _ = talk.take(FollowerMessage.welcome.text, at: now)
        _ = talk.take(FollowerMessage.score(1, [1]).text, at: now)
        let music = LeaderMusic(
            zero: 5, anchor: Anchor(speed: .asWritten), stretches: [Passage.Stretch(0..<4)], passes: 1)
        _ = talk.take(FollowerMessage.music(1, music).text, at: now)
        for _ in 0..<100 {
            now += 50_000_000
            let said = talk.due(at: now)
            Self.answer(&talk, try #require(said), at: now)
        }
        #expect(talk.known.isEnough && talk.known.lostSince == nil)
        let last = now
        // Nothing is answered any more.
        while talk.due(at: now) != nil { now += 50_000_000 }
        #expect(now - last < 6_000_000_000)
        talk.close(at: now)
        let lost = try #require(talk.known.lostSince)
        #expect(lost <= last + 1_000_000 && talk.known.music == music && talk.known.isEnough)
        now += 30_000_000_000
        talk.close(at: now)
        #expect(talk.known.lostSince == lost)
        _ = talk.due(at: now)
        let isNews = talk.take(FollowerMessage.welcome.text, at: now)
        #expect(isNews)
        #expect(talk.known.lostSince == nil && talk.known.backSince == now)
        for _ in 0..<300 {
            now += 50_000_000
            let said = talk.due(at: now)
            Self.answer(&talk, try #require(said), at: now)
        }
        #expect(talk.known.backSince == nil)
    }
}
