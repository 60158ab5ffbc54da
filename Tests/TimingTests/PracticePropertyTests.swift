import Scores
import Testing
import Timing

/// Practice programs and silent bars against models that play one bar after the other.
@Suite("Practice program, against a model")
struct PracticePropertyTests {
    /// What a player hears: bars with their speeds, in millionths of the written one.
    private typealias Played = (bar: Int, speed: Int64)

    /// The speeds of the steps of a ladder, or of a loop that gets faster, found by counting up.
    private static func steps(from first: Int64, by step: Int64, to last: Int64) -> [Int64] {
        var (found, speed) = ([Int64](), first)
        while speed < last {
            found.append(speed)
            speed += step
        }
        return found + [last]
    }

    private static func percent(_ millionths: Int64) -> String { "\(Double(millionths) / 10_000)%" }

    @Test("a loop gets faster by its step after every few passes, reaches its last speed exactly, and goes on at it")
    func faster() throws {
        var random = Seeded(state: 71)
        for _ in 0..<200 {
            let timeline = Timeline(Score.random(&random))
            let first = random.int(0...timeline.barCount - 1)
            let bars = first..<random.int(first + 1...timeline.barCount)
            let begin = Int64(random.int(400_000...2_500_000)) / 100 * 100
            let last = begin + Int64(random.int(1...600_000)) / 100 * 100 + 100
            let (step, every) = (Int64(random.int(10...300)) * 1000, random.int(1...4))
            let text = "faster \(Self.percent(step)) every \(every) to \(Self.percent(last))"
            let program = try PracticeProgram(scoreText: text)
            #expect(try PracticeProgram(scoreText: program.text) == program)
            let speed = try #require(Speed(millionths: begin))
            let passage = Passage(timeline, try program.stretches(of: timeline, bars: bars, at: speed), passes: nil)
            var played: [Played] = []
            let steps = Self.steps(from: begin, by: step, to: last)
            for here in steps { for _ in 0..<every { played += bars.map { ($0, here) } } }
            for _ in 0..<3 { played += bars.map { ($0, last) } }
            var position = Duration.zero
            for (n, wanted) in played.enumerated() {
                #expect(passage.bar(of: n).index == wanted.bar)
                // The speed that is heard, and told, is the exact one.
                #expect(passage.stretch(of: n).speed.on(speed).millionths == wanted.speed)
                let exact = try #require(Speed(millionths: wanted.speed)).realDuration(
                    of: timeline[wanted.bar].duration)
                let heard = speed.realDuration(of: passage.position(of: n + 1) - passage.position(of: n))
                #expect((heard - exact).attoseconds.magnitude < 1000)
                #expect(passage.boundary(ofBar: wanted.bar, near: n) == n)
                #expect(passage.boundary(at: passage.position(of: n)) == n)
                #expect(n == 0 || passage.boundary(at: passage.position(of: n) - .attosecond) == n - 1)
                let length = passage.stretch(of: n).speed.realDuration(of: timeline[wanted.bar].duration)
                let isNear = (passage.position(of: n) - position).attoseconds.magnitude < 1000
                #expect(isNear, "\(n): \(passage.position(of: n)) is not \(position)")
                position = passage.position(of: n) + length
            }
            // Rounds are counted from the last step on.
            let head = (steps.count * every - 1) * bars.count
            #expect(passage.passNumber(of: head + bars.count - 1) == 1)
            #expect(passage.passNumber(of: head + bars.count) == 2)
            let far = head + bars.count * 1_000_007
            #expect(passage.boundary(at: passage.position(of: far)) == far)
            #expect(passage.bar(of: far).index == bars.lowerBound)
            // Played once, it ends after its last step.
            let once = Passage(timeline, passage.stretches, passes: 1)
            #expect(once.count == steps.count * every * bars.count)
        }
    }

    @Test("a ladder that comes down again plays the speeds of its way up from the other end, its top once")
    func down() throws {
        var random = Seeded(state: 72)
        let timeline = Timeline(.sequenza)
        for _ in 0..<300 {
            let first = Int64(random.int(50...900)) * 1000
            let (last, step) = (first + Int64(random.int(1...500)) * 1000, Int64(random.int(1...300)) * 1000)
            let text = "ladder \(Self.percent(first)) \(Self.percent(step)) \(Self.percent(last))"
            let up = try PracticeProgram(scoreText: text).stretches(of: timeline, bars: 3..<9)
            let both = try PracticeProgram(scoreText: text + " down")
            #expect(try PracticeProgram(scoreText: both.text) == both)
            let stretches = try both.stretches(of: timeline, bars: 3..<9)
            let steps = Self.steps(from: first, by: step, to: last)
            #expect(up.map(\.speed.millionths) == steps)
            #expect(stretches.map(\.speed.millionths) == steps + steps.dropLast().reversed())
            #expect(stretches.allSatisfy { $0.bars == 3..<9 && $0.program == both.text })
        }
        let ladder = try PracticeProgram(scoreText: "ladder 60% 15% down").stretches(of: timeline, bars: 0..<169)
        #expect(ladder.map(\.speed.percent) == [60, 75, 90, 100, 90, 75, 60])
    }

    @Test("bars that are silent at random are those of the seed, as many as asked for, and independent of each other")
    func silence() throws {
        for (percent, seed) in [(30, UInt64(42)), (1, 7), (50, .max), (99, 0)] {
            let silence = try Performance.Silence(scoreText: "silent random \(percent)% \(seed)")
            #expect(try Performance.Silence(scoreText: silence.text) == silence)
            // The model draws one number after the other.
            var (model, silent, pairs) = (Seeded(state: seed), 0, 0)
            let count = 20_000
            var before = false
            for n in 0..<count {
                let wanted = Int(model.next() >> 1) < Int.max / 100 * percent
                let isSilent = silence.isSilent(n)
                #expect(isSilent == wanted)
                silent += isSilent ? 1 : 0
                pairs += isSilent && before ? 1 : 0
                before = isSilent
            }
            let (share, all) = (Double(percent) / 100, Double(count))
            let spread = (all * share * (1 - share)).squareRoot()
            #expect(abs(Double(silent) - all * share) < 4 * spread)
            #expect(abs(Double(pairs) - all * share * share) < 8 * spread)
        }
        let drawn = (0..<100).map { _ in try? Performance.Silence(scoreText: "random 30%").text }
        #expect(Set(drawn).count > 50)
        #expect(try Performance.Silence(scoreText: "random 30", newSeed: 5).text == "random 30% 5")
    }

    @Test("silent bars have no clicks of their own, and every other bar has its clicks")
    func clicks() throws {
        let timeline = Timeline(.sequenza)
        var performance = Performance(of: .sequenza, passage: Passage(timeline))
        performance.countIn = .off
        let all = events(performance, rate: 48_000).clicks.count
        performance.silence = Performance.Silence(percent: 30, seed: 42)
        var model = Seeded(state: 42)
        let silent = (0..<timeline.barCount).count { _ in Int(model.next() >> 1) < Int.max / 100 * 30 }
        #expect(events(performance, rate: 48_000).clicks.count == all - silent)
    }

    @Test(
        "the error about a program or silent bars says what is valid",
        arguments: [
            ("faster", "a loop that gets faster needs a step, for example faster 2% every 3 to 100%"),
            ("faster 2% every", "a loop that gets faster needs a step, for example faster 2% every 3 to 100%"),
            ("faster 2% evry 3", "a loop that gets faster needs a step, for example faster 2% every 3 to 100%"),
            ("faster 2% to 90% to 80%", "a loop that gets faster needs a step, for example faster 2% every 3 to 100%"),
            ("faster 2% every 0", "a step must be played 1 to 1000 times, for example faster 2% every 3 to 100%"),
            ("faster 2% every x", "a step must be played 1 to 1000 times, for example faster 2% every 3 to 100%"),
            ("faster 0%", "the step of a ladder must be 0.1 % to 500 %, for example faster 2% every 3 to 100%"),
            ("faster 2% to x", "'x' is not a speed, for example 80%"),
            (
                "ladder down",
                "a ladder needs a first speed and a step, and can have a last speed, for example ladder 60% 5% 100%"
            ),
            ("fastr 2%", "there is no practice program 'fastr'; did you mean 'faster'?"),
        ])
    func errors(text: String, message: String) {
        #expect { try PracticeProgram(scoreText: text) } throws: { "\($0)" == message }
    }

    @Test("a loop that is fast enough, or would get faster than can be played, is refused")
    func limits() throws {
        let timeline = Timeline(.sequenza)
        func stretches(_ text: String, at millionths: Int64) throws -> [Passage.Stretch] {
            try PracticeProgram(scoreText: text)
                .stretches(of: timeline, bars: 0..<4, at: try #require(Speed(millionths: millionths)))
        }
        #expect(throws: TextError("it is played at 100% already")) { try stretches("faster 2%", at: 1_000_000) }
        #expect(throws: TextError("it gets at most ten times as fast")) {
            try stretches("faster 2% to 60%", at: 50_000)
        }
        #expect(try stretches("faster 2% to 50%", at: 50_000).last?.speed.percent == 1000)
        #expect(
            try stretches("faster 2% to 90% every 2", at: 880_000).map(\.label)
                == ["at 88%, 1 of 2", "at 88%, 2 of 2", "at 90%, 1 of 2", "at 90%, 2 of 2"])
        for text in ["random", "random 0%", "random 100%", "random 30% x", "random 30% 1 2", "random -1%"] {
            #expect(
                throws: TextError(
                    "silent bars at random must be 1 % to 99 % of the bars",
                    hint: "for example random 30% or random 30% 42")
            ) { try Performance.Silence(scoreText: text) }
        }
    }
}
