import Scores
import Shared
import Testing
import Timing

@Suite("What announces holds and entries of several voices")
struct SignalVoiceTests {
    /// A click: its time in units of 10 ns, its sound and its amplitude, and the voice that has it.
    private struct Click: Hashable, Comparable, CustomStringConvertible {
        var time: Int64
        var sound: ClickSound
        var amplitude: Int
        var voice: Int

        var description: String { "\(Double(time) / 1e8) \(sound) \(amplitude) of \(voice)" }

        static func < (a: Click, b: Click) -> Bool {
            (a.time, a.sound.rawValue, a.amplitude) < (b.time, b.sound.rawValue, b.amplitude)
        }
    }

    private static func clicks(_ performance: Performance) -> [Click] {
        let recorder = events(performance, rate: 1_000_000, before: 400_000_000)
        #expect(recorder.disorders == [])
        return recorder.events.compactMap { event in
            guard case .click(let sound, let amplitude, let voice) = event.kind else { return nil }
            let time = (Double(event.position.frame) + event.position.fraction) * 100
            return Click(
                time: Int64(time.rounded()), sound: sound, amplitude: Int((amplitude * 1e6).rounded()), voice: voice)
        }.sorted()
    }

    private static func bar(_ random: inout Seeded) -> Score.Bar {
        var bar =
            random.chance(2)
            ? Score.Bar(Meter(Int64(random.int(2...4)), over: 4)) : Score.Bar(.milliseconds(random.int(900...4000)))
        let hold = Duration.milliseconds(random.int(500...6000))
        if random.chance(3) { bar.details.holds = [Hold(hold)] }
        if bar.meter != nil, random.chance(3) { bar.details.holds.append(Hold(hold, at: .beat(random.int(1...2)))) }
        if random.chance(3) {
            bar.details.click =
                random.chance(2) ? BarClick(isSilent: true) : BarClick(decibels: -Double(random.int(1...20)))
        }
        if random.chance(6) { bar.details.warning = [.off, .beats(3), .bars(1), .seconds(2)][random.int(0...3)] }
        return bar
    }

    /// Voices with holds and rests, the first of which leads.
    private static func score(_ random: inout Seeded) -> Score {
        var all = (0..<random.int(2...4)).map { _ in
            Score(
                tempo: Tempo(Fraction(1, 4), Fraction(Int64(random.int(50...160)))),
                sections: [
                    Score.Section(parts: [
                        .line(
                            Score.Line(
                                passes: random.int(1...2), bars: (0..<random.int(2...8)).map { _ in bar(&random) }))
                    ])
                ])
        }
        let marks = all.indices.map { voice in
            let click =
                random.chance(3)
                ? BarClick(decibels: -Double(random.int(1...12))) : BarClick(isSilent: random.chance(6))
            return Score.VoiceMark("voice \(voice + 1)", channel: voice + 1, click: click)
        }
        var score = all.removeFirst()
        (score.beats, score.voice) = (true, marks[0])
        score.warning = [.off, .beats(2), .seconds(3)][random.int(0...2)]
        score.companions = all.enumerated().map { Score.Companion(marks[$0 + 1], $1) }
        return score
    }

    @Test("each voice has the clicks in an ensemble that it has alone: beats, ends of holds and warnings, at its level")
    func alone() throws {
        var random = Seeded(state: 12)
        var (ticks, entries) = (0, 0)
        for _ in 0..<150 {
            let score = Self.score(&random)
            let speed = try random.speed()
            func performance(_ score: Score) -> Performance {
                var performance = Performance(of: score, passage: Passage(Timeline(score)))
                performance.speed = speed
                return performance
            }
            let together = Self.clicks(performance(score))
            for (number, name) in score.voiceNames.enumerated() {
                let alone = try #require(score.with(voices: [name]))
                let (own, due) = (together.filter { $0.voice == number + 1 }, Self.clicks(performance(alone)))
                #expect(own.count == due.count, "\(name) at \(speed)")
                for (one, other) in zip(own, due) {
                    #expect(abs(one.time - other.time) <= 1, "\(one), \(other)")
                    #expect((one.sound, one.amplitude) == (other.sound, other.amplitude))
                }
                if number > 0 { ticks += due.filter { $0.sound == .warning }.count }
                if number > 0 { entries += due.filter { $0.sound == .beat }.count }
            }
            #expect(!together.contains { $0.voice == 0 })
        }
        #expect(ticks > 500 && entries > 500)
    }

    /// A leading voice with barlines at 1, 3, 5 ... 21 s, and another with a hold from 1 s to 11 s and a rest from 15 s to 17 s.
    private static func duo() -> Score {
        var (held, rest) = (Score.Bar(.seconds(3)), Score.Bar(.seconds(2)))
        held.details.holds = [Hold(.seconds(10), at: .offset(.seconds(1)))]
        rest.details.click = BarClick(isSilent: true)
        let leading = [Score.Bar(.seconds(1))] + Array(repeating: Score.Bar(.seconds(2)), count: 10)
        var score = Score(lines: [Score.Line(bars: leading)])
        (score.voice, score.warning) = (Score.VoiceMark("a", channel: 1), .beats(2))
        let bars = [held, Score.Bar(.seconds(2)), rest, Score.Bar(.seconds(2))]
        score.companions = [Score.Companion(Score.VoiceMark("b", channel: 2), Score(lines: [Score.Line(bars: bars)]))]
        return score
    }

    /// The seconds at which the other voice has clicks of a sound.
    private static func seconds(
        _ sound: ClickSound, bars: Range<Int> = 0..<11, passes: Int = 1,
        _ change: (inout Performance) -> Void = { _ in }
    ) -> [Int64] {
        let score = duo()
        var performance = Performance(of: score, passage: Passage(Timeline(score), bars: bars, passes: passes))
        change(&performance)
        return clicks(performance).filter { $0.sound == sound && $0.voice == 2 }.map { $0.time / 100_000_000 }
    }

    @Test("in a part and a loop, another voice is announced where it is heard, and not before the part begins")
    func parts() {
        #expect(Self.seconds(.warning) == [8, 9, 10, 15, 16])
        #expect(Self.seconds(.beat) == [11])
        // From 9 s to 13 s, twice.
        #expect(Self.seconds(.warning, bars: 5..<7, passes: 2) == [0, 1, 4, 5])
        #expect(Self.seconds(.beat, bars: 5..<7, passes: 2) == [2, 6])
        #expect(Self.seconds(.warning, bars: 8..<11) == [0, 1])
        #expect(Self.seconds(.warning, bars: 0..<5) == [])
    }

    @Test("bars that are silent for practice have no ticks of another voice, and those of a countdown are not doubled")
    func silent() throws {
        // The bars from 9 s and from 21 s.
        let silence = try #require(Performance.Silence(bars: 1, of: 6))
        #expect(Self.seconds(.warning) { $0.silence = silence } == [8, 15, 16])
        #expect(Self.seconds(.warning) { ($0.cues.countdown, $0.cues.countdownTo) = (1, .bars) } == [9, 15])
        #expect(Self.seconds(.warning) { $0.cues.holdEnd = .off } == [15, 16])
        #expect(Self.seconds(.warning) { $0.cues.holdEnd = .countdown(1) } == [10, 15, 16])
    }
}
