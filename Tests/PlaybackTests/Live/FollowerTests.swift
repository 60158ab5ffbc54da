import Listening
import Playback
import Scores
import Shared
import Testing
import Timing

/// Two machines, each with a clock and a sound card of its own: the follower plays in simulated time, the leader is its
/// schedule.
@Suite("A follower on a simulated card")
struct FollowerTests {
    static let score = Score.ofMilliseconds([[Int](repeating: 417, count: 1300)])

    static func music(_ zero: Double, _ anchor: Anchor = Anchor(speed: .asWritten)) -> LeaderMusic {
        LeaderMusic(
            zero: Int64(zero * 1e9), anchor: anchor, stretches: [Passage.Stretch(0..<1300)], passes: 1)
    }

    /// Plays with what becomes known of the leader.
    static func play(
        _ leads: [(Double, Leader)], _ performance: Performance = Self.score.performance(), for seconds: Double,
        skew: Double = 120, keepsStatuses: Bool = false
    ) throws -> SimulatedPlay {
        var options = Conductor.Options()
        options.leader = leads.first?.1
        return try SimulatedPlay.run(
            performance, on: ["skew_ppm": .init(floatLiteral: skew), "jitter_us": 50], policy: .rewind, for: seconds,
            options: options, leads: Array(leads.dropFirst()), keepsStatuses: keepsStatuses)
    }

    /// Also tells the music at some times.
    static func telling(
        _ leads: [(Double, Leader)], at times: [Double], _ music: (Double) -> LeaderMusic
    ) throws -> [(Double, Leader)] {
        let more = try times.map { time in
            (time, Leader(music(time), try #require(leads.last { $0.0 <= time }?.1.clock)))
        }
        return (leads + more).sorted { $0.0 < $1.0 }
    }

    @Test(
        "a follower is within 1 ms of its leader, 3.5 ms in a slow network, and stays so without network for 30 s",
        arguments: [
            (200.0, 40e-6, 0.0002...0.0005), (-200, -40e-6, 0.0002...0.0005), (-200, 25e-6, 0.03...0.07),
        ])
    func together(skew: Double, drift: Double, delay: ClosedRange<Double>) throws {
        var leading = SimulatedNetwork(drift: drift, delay: delay)
        let zero = leading.leader(Simulation.beginning + 3)
        let leads = leading.leads(400, outages: [200...230]) { _ in Self.music(zero) }
        let play = try Self.play(leads, for: 400, skew: skew)
        let heard = play.heard.map(\.time)
        #expect(heard.count > 940)
        for (n, time) in heard.enumerated() {
            let due = leading.own(zero + Double(n) * 0.417)
            // Through a slow network, the clock is learnt within two minutes.
            let bound = delay.upperBound < 0.01 ? 1e-3 : n > 280 ? 3.5e-3 : 20e-3
            #expect(abs(time - due) < bound, "click \(n) is late by \(time - due) s")
        }
        #expect(play.rows.allSatisfy { !$0.flags.contains(.lost) && !$0.flags.contains(.late) })
        #expect(play.rows.suffix(400).allSatisfy { abs($0.errorMicroseconds ?? 1e9) < 1000 })
    }

    @Test(
        "news of a leader that come before they take effect change nothing before that",
        arguments: [
            ("jump", Array(1001...1011)), ("pause", []), ("slow", Array(50...60)), ("jump and pause", [1001]),
        ] as [(String, [Int])])
    func early(change: String, after: [Int]) throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0005...0.001)
        let zero = leading.leader(Simulation.beginning + 3)
        // The 49th bar begins 14 ms before the change, of which the follower knows 45 ms before.
        let (effect, told) = (Duration.milliseconds(20_030), 22.985)
        let half = try #require(Speed(millionths: 500_000))
        func music(_ time: Double) -> LeaderMusic {
            var music = Self.music(zero)
            guard time >= told else { return music }
            switch change {
            case "jump and pause" where time > told:
                // The second command comes 30 ms after the first, and is told before the first takes effect.
                music.anchor = Anchor(time: effect, position: .milliseconds(417_000), speed: .asWritten)
                (music.paused, music.effect) = (.milliseconds(417_030), effect + .milliseconds(30))
            case "jump", "jump and pause":
                music.anchor = Anchor(time: effect, position: .milliseconds(417_000), speed: .asWritten)
            case "slow": music.anchor = Anchor(time: effect, position: effect, speed: half)
            default: music.paused = effect
            }
            return music
        }
        let leads = try Self.telling(leading.leads(40, music), at: [told, told + 0.0001], music)
        let play = try Self.play(leads, for: 40)
        #expect(play.rows.map(\.index).prefix(60) == ArraySlice(Array(1...49) + after))
        #expect(play.heard.count >= 49 && play.told.allSatisfy { abs($0.errorMicroseconds ?? 1e9) < 1000 })
    }

    @Test(
        "a click that the leader repeats soon, because it goes back or loops a short bar, is repeated by a follower",
        arguments: [("back", Array(49...59)), ("loop", [Int](repeating: 49, count: 11))])
    func again(change: String, after: [Int]) throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0005...0.001)
        let zero = leading.leader(Simulation.beginning + 3)
        // 200 ms into its 49th bar, the leader goes back to its beginning, or loops this bar of 417 ms; the news come 45 ms
        // before that.
        let (effect, begin) = (Duration.milliseconds(48 * 417 + 200), Duration.milliseconds(48 * 417))
        let told = 3 + effect.seconds - 0.045
        func music(_ time: Double) -> LeaderMusic {
            var music = Self.music(zero)
            guard time >= told else { return music }
            music.effect = effect
            switch change {
            case "back": (music.anchor, music.jumps) = (Anchor(time: effect, position: begin, speed: .asWritten), 1)
            default:
                music.anchor = Anchor(time: begin, position: .zero, speed: .asWritten)
                (music.stretches, music.passes) = ([Passage.Stretch(48..<49)], nil)
            }
            return music
        }
        let leads = try Self.telling(leading.leads(40, music), at: [told], music)
        let play = try Self.play(leads, for: 40)
        #expect(play.rows.map(\.index).prefix(60) == ArraySlice(Array(1...49) + after))
        #expect(play.heard.count >= 60 && play.told.allSatisfy { abs($0.errorMicroseconds ?? 1e9) < 1000 })
    }

    @Test(
        "a follower that learns late that its paused leader has gone back to the beginning of the bar plays that bar whole"
    )
    func backInPause() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0005...0.001)
        let zero = leading.leader(Simulation.beginning + 3)
        // The leader pauses 200 ms after its 49th bar has begun. Then there is no network for 4 s, in which it goes back to the
        // beginning of the bar, with a count-in.
        let begin = Duration.milliseconds(48 * 417)
        func music(_ time: Double) -> LeaderMusic {
            var music = Self.music(zero, Anchor(time: begin, position: begin, speed: .asWritten))
            if time < 23.2 { music.anchor = Anchor(speed: .asWritten) }
            if time >= 23.2, time < 27.2 { music.paused = begin + .milliseconds(200) }
            if time >= 27.2 {
                (music.anchor.time, music.effect, music.jumps) = (.seconds(26), .seconds(24), 1)
                (music.countsIn, music.countIn) = (true, .time(.seconds(2)))
            }
            return music
        }
        let leads = try Self.telling(leading.leads(40, music), at: [23.2, 27.2], music)
        let play = try Self.play(leads, for: 40)
        #expect(play.rows.map(\.index).prefix(60) == ArraySlice(Array(1...49) + Array(49...59)))
    }

    @Test("a follower that learns early that its leader will go on from a pause goes on with it, and repeats nothing")
    func earlyResume() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0005...0.001)
        let zero = leading.leader(Simulation.beginning + 3)
        // The leader pauses after 20.2 s, and goes on after 25 s, as its followers learn 200 ms before that.
        func music(_ time: Double) -> LeaderMusic {
            var music = Self.music(zero)
            if time >= 23.2, time < 27.8 { music.paused = .milliseconds(20_200) }
            if time >= 27.8 { (music.anchor.time, music.effect) = (.milliseconds(4800), .seconds(25)) }
            return music
        }
        let leads = try Self.telling(leading.leads(40, music), at: [23.2, 27.8], music)
        let play = try Self.play(leads, for: 40)
        #expect(play.rows.map(\.index) == Array(1...play.rows.count) && play.rows.count > 60)
        #expect(play.told.allSatisfy { abs($0.errorMicroseconds ?? 1e9) < 1000 })
    }

    @Test("a follower takes over pauses, jumps and speeds of its leader, and is on time from the next click on")
    func commands() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0005...0.001)
        let zero = leading.leader(Simulation.beginning + 3)
        // The leader jumps to bar 1000 after 20 s, pauses from 30 to 40 s, and then plays at half speed.
        let jump = Anchor(time: .seconds(20), position: .milliseconds(417_000), speed: .asWritten)
        let slow = try #require(Speed(millionths: 500_000))
        let anchors: [(Double, Anchor)] = [
            (0, Anchor(speed: .asWritten)), (20, jump),
            (40, Anchor(time: .seconds(40), position: .milliseconds(427_000), speed: slow)),
        ]
        let leads = leading.leads(80) { time in
            let time = time - 3
            let anchor = anchors.last { $0.0 <= time }?.1 ?? anchors[0].1
            var music = Self.music(zero, anchor)
            if time >= 30, time < 40 { music.paused = .milliseconds(427_000) }
            return music
        }
        let play = try Self.play(leads, for: 80, keepsStatuses: true)
        let heard = play.heard.map { leading.leader($0.time) - zero }
        // A state comes within 3 s of each change here.
        for (begin, end, anchor) in [(0.0, 20.0, anchors[0].1), (23.5, 30, jump), (43.5, 70, anchors[2].1)] {
            let clicks = heard.filter { $0 > begin - 0.01 && $0 < end - 0.01 }
            #expect(clicks.count >= 15)
            for click in clicks {
                let place = anchor.position(at: .nanoseconds(Int64(click * 1e9))).seconds / 0.417
                #expect(abs(place - place.rounded()) * 0.417 < 1e-3, "\(click)")
            }
            for (one, next) in zip(clicks, clicks.dropFirst()) {
                #expect(abs(next - one - 0.417 / (Double(anchor.speed.millionths) / 1e6)) < 1e-3)
            }
        }
        #expect(!heard.contains { $0 > 33 && $0 < 39.9 })
        // Each status tells when the change before it is heard: until then, screens show the music as before.
        let changes = zip(play.statuses, play.statuses.dropFirst()).filter {
            $0.status.commandCount < $1.status.commandCount
        }
        #expect(changes.count == 3)
        for (_, (time, status)) in changes {
            let effect = try #require(status.effect)
            #expect((0...0.5).contains(Double(status.heard(time: effect)) * 1e-9 - time))
        }
    }

    @Test(
        "a follower goes on with its leader from a hold in a bar, however long they have waited",
        arguments: [0.1, 3.0])
    func holdInBar(waited: Double) throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0002...0.0005)
        let zero = leading.leader(Simulation.beginning + 3)
        // The hold begins after 10.4 s. News that the leader goes on come 15 ms before that.
        var bars = [Score.Bar](repeating: Score.Bar(.seconds(1)), count: 100)
        bars[10].details.holds = [Hold(.zero, at: .offset(.milliseconds(400)), waits: true)]
        let goesOn = 10.4 + waited
        func music(_ time: Double) -> LeaderMusic {
            let isLater = time >= goesOn + 3 - 0.015
            let place = Duration.milliseconds(10_400)
            var music = LeaderMusic(
                zero: Int64(zero * 1e9),
                anchor: isLater
                    ? Anchor(time: .milliseconds(Int(goesOn * 1000)), position: place, speed: .asWritten)
                    : Anchor(speed: .asWritten),
                stretches: [Passage.Stretch(0..<100)], passes: 1)
            music.waits = true
            if !isLater { music.held = HeldMusic(boundary: 10, position: place, length: .zero) }
            return music
        }
        let leads = try Self.telling(leading.leads(40, music), at: [goesOn + 3 - 0.015], music)
        var performance = Score(lines: [Score.Line(bars: bars)]).performance()
        performance.waits = true
        let play = try Self.play(leads, performance, for: 25)
        #expect(play.rows.map(\.index) == Array(1...play.rows.count) && play.rows.count > 15, "\(play.rows)")
        #expect(play.rows.filter { $0.flags.contains(.held) }.map(\.index) == [12])
    }

    @Test("while its leader waits for a time of day, or is paused then or in the count-in, a follower says the same")
    func before() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0002...0.0005)
        let zero = leading.leader(Simulation.beginning + 10)
        // The count-in begins after 8 s. The leader is paused from 4 s to 6 s, and in the count-in from 9 s to 12 s.
        func music(_ time: Double) -> LeaderMusic {
            var music = Self.music(zero, Anchor(time: .seconds(time < 12 ? 0 : 3), position: .zero, speed: .asWritten))
            (music.isTimed, music.countsIn, music.countIn) = (true, true, .time(.seconds(2)))
            if (4..<6).contains(time) { (music.paused, music.pausedAhead) = (.zero, .seconds(6)) }
            if (9..<12).contains(time) { (music.paused, music.pausedAhead) = (.zero, .seconds(1)) }
            return music
        }
        var leads = leading.leads(20, music)
        leads = try Self.telling(leads, at: [4.02, 6.02, 9.02, 12.02], music)
        let play = try Self.play(leads, for: 20, keepsStatuses: true)
        func moment(_ time: Double) throws -> Moment {
            let now = Simulation.beginning + time
            return try #require(play.statuses.last { $0.time <= now }).status.moment(at: Int64(now * 1e9))
        }
        for (time, left, isPaused) in [(3.0, 5.0, false), (5, 3, true), (7, 1, false)] {
            guard case .waiting(let shown, isPaused) = try moment(time) else {
                Issue.record("\(time): \(try moment(time))")
                continue
            }
            #expect(abs(shown.seconds - left) < 0.01, "\(time): \(shown)")
        }
        for (time, left, isPaused) in [(8.5, 1.5, false), (11, 1, true), (12.5, 0.5, false)] {
            guard case .countIn(let shown, isPaused) = try moment(time) else {
                Issue.record("\(time): \(try moment(time))")
                continue
            }
            #expect(abs(shown.seconds - left) < 0.2, "\(time): \(shown)")
        }
        guard case .bar(let bar) = try moment(14) else { throw Overdue(description: "\(try moment(14))") }
        #expect(abs(bar.position.seconds - 1) < 0.01 && play.rows.first?.index == 1, "\(bar)")
    }

    @Test(
        "the timecode of a follower is that of its leader's music, through jumps, pauses and speeds, and after a preroll"
    )
    func timecode() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0002...0.0005)
        let zero = leading.leader(Simulation.beginning + 6)
        let slow = try #require(Speed(millionths: 500_000))
        // The leader counts in, jumps after 20 s, stands from 30 to 40 s, and then plays at half speed.
        let anchors: [(Double, Anchor)] = [
            (-9, Anchor(speed: .asWritten)),
            (20, Anchor(time: .seconds(20), position: .milliseconds(417_000), speed: .asWritten)),
            (40, Anchor(time: .seconds(40), position: .milliseconds(427_000), speed: slow)),
        ]
        let leads = leading.leads(80) { time in
            let time = time - 6
            var music = Self.music(zero, anchors.last { $0.0 <= time }?.1 ?? anchors[0].1)
            if time >= 30, time < 40 { music.paused = .milliseconds(427_000) }
            if time < 0 { (music.countsIn, music.countIn) = (true, .time(.seconds(3))) }
            return music
        }
        var performance = Self.score.performance()
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        performance.linearTimecode = LinearTimecode(start: start, preroll: .seconds(2))
        let play = try Self.play(leads, performance, for: 80)
        let words = play.timecode.map { word in
            (time: leading.leader(word.time) - zero, film: (word.word.time(.fps25)?.seconds ?? .nan) - 3600)
        }
        // A state comes within 3 s of each change here.
        for (begin, end, anchor) in [(-2.0, 20.0, anchors[0].1), (23.5, 30, anchors[1].1), (43.5, 70, anchors[2].1)] {
            let here = words.filter { $0.time > begin - 0.001 && $0.time < end - 0.1 }
            #expect(Double(here.count) >= (end - begin) * 25 - 4, "\(here.count) from \(begin) s")
            for (time, film) in here {
                let place = anchor.position(at: .nanoseconds(Int64(time * 1e9)))
                #expect(abs(film - anchor.speed.realDuration(of: place).seconds) < 1e-3, "\(time): \(film)")
            }
        }
        #expect(words.allSatisfy { $0.time > -2.05 && !(33...39.9).contains($0.time) })
    }

    @Test("a follower without a card counts by the clock of its leader")
    func silent() throws {
        var leading = SimulatedNetwork(drift: 100e-6, delay: 0.0001...0.0002)
        var time = Simulation.beginning
        let zero = leading.leader(time + 1)
        let leads = leading.leads(30) { _ in Self.music(zero) }
        var options = Conductor.Options()
        options.leader = leads.last?.1
        let output = SilentOutput { Int64(time * 1e9) }
        var live = LivePerformance(
            Self.score.performance(), output: output, sound: .silent("none"), options: options
        ) { _ in }
        try live.begin()
        for _ in 0..<200 {
            _ = live.step()
            time += 0.1
        }
        let newest = live.status
        let status = try #require(newest)
        let now = Int64(time * 1e9)
        let position = status.anchor.position(at: .nanoseconds(now - status.zeroHeard)).seconds
        #expect(abs(position - (leading.leader(time) - zero)) < 1e-3)
    }
}
