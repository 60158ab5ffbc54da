import Formats
import Listening
import Playback
import Scores
import Screens
import Shared
import SimulatedCardSupport
import Testing
import Timing

/// However a performance ends, everything that is said about it is what was heard. In simulated time, and judged by the
/// clicks of the recording and the rows of the log.
@Suite("How a performance ended")
struct EndingLawTests {
    /// A way into a state of the music.
    enum Scene: String, CaseIterable {
        case plain, startTime, pause, pauseAndOn, pauseInCountIn, pauseInJump, loop, loopAndOn, ladder, suspend,
            holdAndOn, leader
    }

    private static let text = """
        title: Law
        drone: B4
        count-in: 2
        lines:
          - [1, 1.5, {duration: 2, hold: 1.2 at 0.5}, 1]
          - [1, {duration: 1, hold: until cue at 0.5}, 1, 0.8]
          - [1, 1, 1, 1]
        """

    private static func performance(_ scene: Scene) throws -> Performance {
        let score = try #require(Score.read(Array(text.utf8), file: "law.yaml").score)
        let timeline = Timeline(score)
        var passage = Passage(timeline)
        if scene == .ladder {
            let slow = try #require(Speed(millionths: 500_000))
            passage = Passage(timeline, [Passage.Stretch(0..<2, speed: slow), Passage.Stretch(0..<2)])
        }
        var performance = Performance(of: score, passage: passage)
        performance.waits = true
        return performance
    }

    private static func commands(_ scene: Scene) -> [(Double, Command)] {
        switch scene {
        case .plain, .startTime, .ladder, .suspend, .leader: []
        case .pause: [(5.1, .pause)]
        case .pauseAndOn: [(4.4, .togglePause), (6, .togglePause)]
        case .pauseInCountIn: [(1.2, .pause)]
        case .pauseInJump: [(3, .toggleCountIn), (4.5, .jump(.nextLine)), (5.2, .togglePause)]
        case .loop: [(3.2, .practice([Passage.Stretch(0..<2)], passes: nil))]
        case .loopAndOn: [(3.2, .practice([Passage.Stretch(0..<2)], passes: nil)), (7.1, .practice(nil, passes: nil))]
        case .holdAndOn: [(3.3, .jump(.nextLine)), (5.9, .continue), (7.6, .pause), (8.1, .resume)]
        }
    }

    private static func play(_ scene: Scene, _ policy: Card.Policy, stopAt stop: Double, seed: Int) throws
        -> SimulatedPlay
    {
        var card: [String: SimulatedCard.Value] = ["skew_ppm": 80, "jitter_us": 50, "seed": .integer(seed)]
        if scene == .suspend { card.merge(["suspend_at": [5300], "resume_after": [1500]]) { $1 } }
        var options = Conductor.Options()
        if scene == .startTime { options.start = Int64((Simulation.beginning + 6) * 1e9) }
        var commands = commands(scene).filter { $0.0 < stop }
        var leads: [(Double, Leader)] = []
        if scene == .leader {
            var clock = LeaderClock()
            for n in 0..<200 {
                let now = Int64((Simulation.beginning - 4 + Double(n) * 0.01) * 1e9)
                _ = clock.take(LeaderClock.Exchange(sent: now, received: now + 100_000, leader: now + 50_000))
            }
            var music = LeaderMusic(
                zero: Int64((Simulation.beginning + 3) * 1e9), anchor: Anchor(speed: .asWritten),
                stretches: [Passage.Stretch(0..<12)], passes: 1)
            options.leader = Leader(music, clock)
            music.hasEnded = true
            leads = [(stop, Leader(music, clock))]
        } else {
            commands.append((stop, .stop))
        }
        return try SimulatedPlay.run(
            performance(scene), on: card, policy: policy, for: 60, options: options, commands: commands, leads: leads,
            keepsStatuses: true)
    }

    /// The lines that a pipe gets: a screen that is called with every status, and whenever it has asked for it.
    static func lines(_ play: SimulatedPlay) -> [String] {
        var lines: [String] = []
        var screen = LineScreen { lines.append($0) }
        for (index, (time, status)) in play.statuses.enumerated() {
            let next = index + 1 < play.statuses.count ? Int64(play.statuses[index + 1].time * 1e9) : 0
            var now = Int64(time * 1e9)
            repeat { now = max(screen.show(status, at: now), now + 1_000_000) } while now < next
        }
        screen.end(play.status)
        return lines
    }

    @Test(
        "the last line, the place that is kept, the log and the status agree with what was heard, whatever the state",
        arguments: Scene.allCases, [Card.Policy.rewind, .small])
    func law(scene: Scene, policy: Card.Policy) throws {
        var random = Seeded(state: UInt64(Scene.allCases.firstIndex(of: scene) ?? 0) * 7 + 1)
        var endings: Set<String> = []
        for seed in 1...6 {
            let stop = seed == 6 ? 40 : 0.8 + Double(random.int(0...13_000)) / 1000
            let play = try Self.play(scene, policy, stopAt: stop, seed: seed)
            let said = "\(scene) stopped at \(stop) s"
            let status = try #require(play.status, "\(said)")
            let timeline = status.home.timeline
            #expect(play.isOver && status.hasEnded, "\(said)")

            // The log tells what the card played.
            let told = play.told.filter { $0.heard != nil }
            let heard = play.heard.count { [.bar, .line, .section].contains($0.sound) }
            #expect(heard == told.count, "\(said)")
            let lines = Self.lines(play)
            let bars = lines.dropFirst().compactMap { line in
                line.first == " " ? line.split(separator: " ").first.map(String.init) : nil
            }
            #expect(bars == told.map { "\(timeline[$0.index - 1].line).\(timeline[$0.index - 1].bar)" }, "\(said)")

            let ending = try #require(status.ending, "\(said)")
            let last = lines.last ?? ""
            let words = ending == .complete ? "played to the end" : "\(last.dropLast())"
            #expect(StandScreen.farewell(status).contains(words), "\(said)")
            let fading = play.statuses.last { if case .fading = $0.status.stage { true } else { false } }
            switch ending {
            case .complete:
                endings.insert("complete")
                #expect(last == "end\n" && status.placeLeft == nil, "\(said)")
                #expect(told.last?.index == status.performance.passage.bars.upperBound, "\(said)")
            case .stopped(.bar(let bar)):
                endings.insert(bar.isPaused ? "paused" : bar.isHolding ? "holding" : "bar")
                #expect(bar.bar.index + 1 == told.last?.index, "\(said)")
                #expect(status.placeLeft == bar.bar, "\(said)")
                #expect(last.hasPrefix("stopped at line \(bar.bar.line), bar \(bar.bar.bar), "), "\(said)")
                // A device that does not answer has no time to fade.
                guard let fading else {
                    #expect(Wording.trouble(status) != nil, "\(said)")
                    continue
                }
                let text = StatusText.json(fading.status, at: Int64(fading.time * 1e9) + 1_000_000_000)
                let place = "\"line\": \(bar.bar.line), \"bar\": \(bar.bar.bar),"
                #expect(text.contains("\"stopping\"") && text.contains(place), "\(said): \(text)")
                try Self.expectTime(bar, play, said)
            case .stopped(.countIn):
                endings.insert("count-in")
                #expect(last == "stopped in the count-in\n", "\(said)")
                #expect(play.heard.last?.sound == .countIn, "\(said)")
            case .stopped(.waiting), .stopped(.end):
                endings.insert("waiting")
                #expect(last == "stopped before the start\n" && play.heard.isEmpty, "\(said)")
            }
        }
        let needed: [Scene: Set<String>] = [
            .plain: ["bar", "holding"], .startTime: ["waiting", "bar"], .pause: ["paused"],
            .pauseInCountIn: ["count-in"],
            .pauseInJump: ["count-in"], .loop: ["bar"], .loopAndOn: ["bar"], .ladder: ["bar", "complete"],
            .suspend: ["paused"],
            .holdAndOn: ["complete"], .leader: ["bar"],
        ]
        #expect((needed[scene] ?? []).isSubset(of: endings), "\(scene): \(endings)")
    }

    /// Expects a bar to be left as long after its boundary as it sounded, without its pauses and waits.
    private static func expectTime(_ bar: Moment.Bar, _ play: SimulatedPlay, _ said: String) throws {
        let boundary = try #require(play.told.last).nominal
        var stood = Duration.zero
        var since: Duration?
        var end: Duration?
        for effect in play.effects {
            guard case .command(let command, _, let time) = effect, time > boundary else { continue }
            switch command {
            case .pause, .resume, .togglePause:
                stood += since.map { time - $0 } ?? .zero
                since = since == nil ? time : nil
            case .stop: end = since ?? time
            default: break
            }
        }
        let sounded = try #require(end) - boundary - stood
        let played = bar.duration - bar.left
        // At a hold until a cue, the music stands however long it waits.
        #expect(
            bar.isWaiting ? sounded + .milliseconds(1) > played : abs((sounded - played).seconds) < 1e-3,
            "\(said): \(played) after the boundary, not \(sounded)")
    }
}
