import Scores
import Shared
import Testing
import Timing

/// What a voice says in plans: the word, then the countdown, then the change.
@Suite("Speech in plans")
struct PlanSpeechTests {
    /// Speaks every text at 15 characters a second, faster than espeak-ng.
    struct Reader: Speaker {
        func word(_ text: String) -> SpokenWord? {
            let rate = PlanSpeechTests.rate
            return SpokenWord(text, samples: [Float](repeating: 0.1, count: text.count * rate / 15), rate: rate)
        }
    }

    static let rate = 8000

    /// A plan of intervals that last some seconds, at 3 m/s each.
    static func score(_ seconds: [Double], names: [String] = ["Run", "Walk"], isEndless: Bool = false) -> Score {
        var begin = 0.0
        let bars = seconds.enumerated().map { index, length in
            var bar = Score.Bar(.seconds(length))
            bar.details.announcement = Announcement(
                name: names[index % names.count], number: index + 1, of: isEndless ? nil : seconds.count,
                metersPerSecond: 3,
                meters: begin..<(begin + 3 * length))
            begin += 3 * length
            return bar
        }
        return Score(countIn: .time(.seconds(5)), lines: [Score.Line(bars: bars)])
    }

    /// What is heard, in seconds after the first interval begins.
    struct Heard {
        var words: [(begin: Double, end: Double, text: String)] = []
        var clicks: [(time: Double, sound: ClickSound)] = []
        var missed: [MissedWord] = []
        var end = 0.0

        func times(_ sound: ClickSound) -> [Double] { clicks.filter { $0.sound == sound }.map(\.time) }
    }

    static func heard(
        _ score: Score, passes: Int? = 1, until seconds: Double? = nil, _ change: (inout Performance) -> Void = { _ in }
    ) -> Heard {
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: passes))
        performance.cues.countdown = 3
        performance.cues.countdownTo = .bars
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.cues = true
        performance.speaker = Reader()
        change(&performance)
        var scheduler = Scheduler(performance, rate: rate)
        var recorder = Recorder()
        let zero = Double(performance.zeroFrame(rate: rate))
        let end = scheduler.endFrame ?? Int64(zero + (seconds ?? 0) * Double(rate))
        var horizon: Int64 = 0
        while horizon < end {
            horizon += 1999
            _ = scheduler.schedule(before: min(horizon, end), into: &recorder)
        }
        var heard = Heard(missed: scheduler.missed, end: (Double(end) - zero) / Double(rate))
        for event in recorder.events {
            let time = (Double(event.position.frame) + event.position.fraction - zero) / Double(rate)
            switch event.kind {
            case .speech(let word, _):
                heard.words.append((time, time + Double(word.frameCount) / Double(rate), word.text))
            case .click(let sound, _, _): heard.clicks.append((time, sound))
            default: break
            }
        }
        return heard
    }

    @Test("the announcement ends 0.1 s before the countdown, which leads to the change")
    func order() throws {
        let heard = Self.heard(Self.score([30, 30]))
        let walk = try #require(heard.words.first { $0.text.hasPrefix("Walk") })
        #expect(walk.text == "Walk, 30 seconds. Interval 2 of 2." && abs(walk.end - 26.9) < 0.001)
        #expect(heard.times(.warning) == [27, 28, 29])
    }

    @Test("without a countdown, the announcement ends as the interval begins, and nothing ticks")
    func noCountdown() throws {
        let heard = Self.heard(Self.score([30, 30, 4, 1.5])) { $0.cues.countdown = 0 }
        #expect(heard.times(.warning).isEmpty && heard.times(.countIn).isEmpty)
        #expect(heard.words.count == 4)
        for (word, end) in zip(heard.words, [0.0, 30, 60, 64]) { #expect(abs(word.end - end) < 0.001, "\(word)") }
    }

    @Test("an announcement without room becomes shorter, and in the end only the name in place of the countdown")
    func shorter() throws {
        let heard = Self.heard(Self.score([30, 6, 4, 2, 0.7, 0.2, 30]))
        #expect(
            heard.words.map(\.text) == [
                "Run, 30 seconds.", "Walk, 6 seconds. Interval 2 of 7.", "Run, 4 seconds. Interval 3 of 7.", "Walk.",
                "Run.",
                "Walk.",
            ])
        // Ticks before the intervals after 6, 4, 2, 0.7 and 0.2 s: the last two are too short for any.
        #expect(heard.times(.warning) == [27, 28, 29, 33, 34, 35, 37, 38, 39, 41])
        #expect(heard.missed == [.announcement("Run.")])
    }

    @Test("the count-in ticks with the countdown, after the announcement of the first interval")
    func countIn() throws {
        func counted(_ seconds: Int, countdown: Int = 3) -> ([Double], String, Double) {
            let heard = Self.heard(Self.score([30, 30])) {
                $0.countIn = .time(.seconds(seconds))
                $0.cues.countdown = countdown
            }
            let word = heard.words.first { $0.end <= 0.001 }
            return (heard.times(.countIn), word?.text ?? "", ((word?.end ?? 0) * 10).rounded() / 10)
        }
        #expect(counted(5) == ([-3, -2, -1], "Run, 30 seconds.", -3.1))
        #expect(counted(10).0 == [-3, -2, -1] && counted(10).1 == "Run, 30 seconds. Interval 1 of 2.")
        // Two seconds are left for the voice.
        #expect(counted(4).0 == [-2, -1] && counted(3).0 == [-1] && counted(2).0 == [])
        #expect(counted(5, countdown: 0) == ([], "Run, 30 seconds. Interval 1 of 2.", 0))
        let silent = Self.heard(Self.score([30])) { $0.speaker = nil }
        #expect(silent.times(.countIn) == [-5, -4, -3, -2, -1])
    }

    @Test("at another speed, times and paces are those that are run")
    func speed() {
        let heard = Self.heard(Self.score([30, 30])) {
            $0.speed = Speed(millionths: 2_000_000) ?? .asWritten
            $0.cues.speech?.pace = true
            $0.cues.speech?.speed = true
            $0.cues.speech?.distance = true
            $0.cues.countdown = 0
        }
        #expect(abs((heard.words.last?.end ?? 0) - 15) < 0.001)
        #expect(
            heard.words.last?.text
                == "Walk, 15 seconds. 2 minutes 47 per kilometer. 21.6 kilometers per hour. 90 meters so far. "
                + "Interval 2 of 2.")
    }

    /// A plan of two intervals of 30 s that are announced.
    private static var schedulerOfTwoIntervals: Scheduler {
        let score = score([30, 30])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.cues = true
        performance.speaker = Reader()
        return Scheduler(performance, rate: rate)
    }

    @Test("when the speed changes while a plan plays, the next announcement has the new time")
    func liveSpeed() {
        var scheduler = Self.schedulerOfTwoIntervals
        var recorder = Recorder()
        _ = scheduler.schedule(before: Int64(20 * Self.rate), into: &recorder)
        scheduler.change(speed: Speed(millionths: 1_500_000) ?? .asWritten, at: Int64(15 * Self.rate))
        var after = Recorder()
        _ = scheduler.schedule(before: Int64(60 * Self.rate), into: &after)
        let texts = after.events.compactMap { event in
            if case .speech(let word, _) = event.kind { word.text } else { nil }
        }
        #expect(texts == ["Walk, 20 seconds. Interval 2 of 2."])
    }

    @Test("an announcement that has begun does not start again when events are moved")
    func placedAnew() {
        var scheduler = Self.schedulerOfTwoIntervals
        var recorder = Recorder()
        _ = scheduler.schedule(before: Int64(36 * Self.rate), into: &recorder)
        // One second into the announcement, which begins at 32.5 s.
        scheduler.remap(scheduler.mapping, from: Int64(Double(Self.rate) * 33.7))
        var after = Recorder()
        _ = scheduler.schedule(before: Int64(36 * Self.rate), into: &after)
        #expect(!after.events.contains { if case .speech = $0.kind { true } else { false } })
    }

    @Test("words can be chosen; those that do not apply to an interval are left out")
    func parts() {
        let passage = Passage(Timeline(Self.score([30, 30, 1000])))
        var speech = SpeechSettings()
        speech.pace = true
        #expect(speech.text(forBoundary: 1, in: passage) == "5 minutes 33 per kilometer.")
        speech.distance = true
        #expect(speech.text(forBoundary: 0, in: passage) == "5 minutes 33 per kilometer.")
        #expect(speech.text(forBoundary: 2, in: passage) == "5 minutes 33 per kilometer. 180 meters so far.")
        speech.language = .de
        speech.labels = true
        #expect(
            speech.announcements(ofBoundary: 2, in: passage, speed: .asWritten) == [
                "Run. 5 Minuten 33 pro Kilometer. Bisher 180 Meter.", "Run. 5 Minuten 33 pro Kilometer.", "Run.",
            ])
    }

    @Test(
        "intervals and distances count on from round to round of an endless plan; a practiced passage has those of the plan"
    )
    func rounds() {
        let score = Self.score([30, 60], isEndless: true)
        let endless = Passage(Timeline(score), passes: nil)
        var speech = SpeechSettings()
        (speech.intervals, speech.distance) = (true, true)
        let third = speech.announcements(ofBoundary: 3, in: endless, speed: .asWritten)
        #expect(third.first == "360 meters so far. Interval 4.")
        let loop = Passage(Timeline(score), bars: 1..<2, passes: nil)
        for n in 0...1 {
            let told = speech.announcements(ofBoundary: n, in: loop, speed: .asWritten, isPracticed: true)
            #expect(told.first == "90 meters so far. Interval 2.")
        }
    }

    @Test("the end is announced after its signal, and the performance lasts until then")
    func finished() throws {
        for hasSignal in [true, false] {
            let heard = Self.heard(Self.score([30, 30])) {
                $0.cues.speech?.finish = true
                $0.cues.end = hasSignal
            }
            let word = try #require(heard.words.last)
            #expect(word.text == "finished" && abs(word.begin - (hasSignal ? 60.65 : 60.2)) < 0.001)
            #expect(word.end <= heard.end)
        }
    }

    @Test("a text of the plan is spoken at its time, after the click of a change, and repeatedly if it says so")
    func remarks() {
        var score = Self.score([30, 30, 60])
        score.remarks = [
            Remark("Drink", at: .time(.seconds(30))), Remark("Relax", at: .time(.seconds(25)), isRepeated: true),
            Remark("Way", at: .meters(270)),
        ]
        let heard = Self.heard(score)
        let said = heard.words.filter { ["Drink", "Relax", "Way"].contains($0.text) }
        // "Relax" at 25 s is in the way of the announcement, which becomes shorter.
        #expect(said.map(\.text) == ["Relax", "Drink", "Relax", "Relax", "Way", "Relax"])
        for (word, begin) in zip(said, [25, 30.2, 50, 75, 90, 100]) {
            #expect(abs(word.begin - begin) < 0.001, "\(word)")
        }
        #expect(heard.words.contains { $0.text == "Walk, 30 seconds." } && heard.missed.isEmpty)
    }

    @Test("a text waits for room, and one that finds none within a minute is reported")
    func late() {
        var score = Self.score([30, 30, 30] + Array(repeating: 3, count: 30) + [30])
        score.remarks = [
            Remark("Drink", at: .time(.seconds(28))),
            Remark("This text is much too long to have any room here", at: .time(.seconds(91))),
        ]
        let heard = Self.heard(score)
        #expect(heard.words.first { $0.text == "Drink" }.map { abs($0.begin - 30.2) < 0.001 } == true)
        #expect(heard.missed == [.remark("This text is much too long to have any room here")])
    }

    @Test(
        "a text in some intervals is spoken from the start of each of them, in every round"
    )
    func inIntervals() {
        var score = Self.score([25, 20, 25])
        score.isEndless = true
        score.remarks = [
            Remark("Tall", at: .time(.seconds(10)), isRepeated: true, in: [0, 2]),
            Remark("Once", at: .time(.seconds(4)), in: [1]), Remark("Late", at: .time(.seconds(20)), in: [1]),
        ]
        let heard = Self.heard(score, passes: nil, until: 120)
        let said = heard.words.filter { ["Tall", "Once", "Late"].contains($0.text) }
        #expect(said.map(\.text) == ["Tall", "Tall", "Once", "Tall", "Tall", "Tall", "Tall", "Once"])
        for (word, begin) in zip(said, [10.0, 20, 29, 55, 65, 80, 90, 99]) { #expect(word.begin >= begin - 0.001) }
        #expect(said.first.map { abs($0.begin - 10) < 0.001 } == true)
    }

    @Test("texts at distances and repeated texts continue in every round of an endless plan")
    func endless() {
        var score = Self.score([20, 20])
        score.isEndless = true
        score.remarks = [
            Remark("Meter", at: .meters(300)), Remark("Minute", at: .time(.seconds(50)), isRepeated: true),
        ]
        let heard = Self.heard(score, passes: nil, until: 160)
        let said = heard.words.filter { ["Meter", "Minute"].contains($0.text) }
        #expect(said.map(\.text) == ["Minute", "Meter", "Minute", "Minute"])
        for (word, begin) in zip(said, [50, 100.2, 100.9, 150]) { #expect(word.begin >= begin - 0.3, "\(word)") }
    }

    @Test("a plan that is played twice has its texts twice")
    func twice() {
        var score = Self.score([20, 20])
        score.remarks = [Remark("Drink", at: .time(.seconds(5)))]
        let drinks = Self.heard(score, passes: 2).words.filter { $0.text == "Drink" }
        #expect(drinks.map { $0.begin.rounded() } == [5, 45])
    }

    @Test(
        "in random plans, no word overlaps a tick, a change, a signal or a word, and each interval after a long one is announced",
        arguments: 0..<75)
    func random(seed: Int) {
        var numbers = Seeded(state: UInt64(seed))
        let count = Int.random(in: 1...25, using: &numbers)
        let choice: [Double] = [0.05, 0.3, 1, 2, 2.5, 3, 4, 5, 8, 13.7, 30, 61]
        var lengths: [Double] = []
        for _ in 0..<count { lengths.append(choice.randomElement(using: &numbers) ?? 1) }
        let names = ["Run", "Walk", "Retour au calme", "A", "Threshold pace up the long hill"]
        var score = Self.score(lengths, names: names.shuffled(using: &numbers))
        for n in 0..<Int.random(in: 0...5, using: &numbers) {
            let seconds = Double.random(in: 1...100, using: &numbers)
            let text = "Text \(n)" + String(repeating: "o", count: Int.random(in: 0...40, using: &numbers))
            let isTime = Bool.random(using: &numbers)
            let place = isTime ? Remark.Place.time(.seconds(seconds)) : Remark.Place.meters(seconds * 3)
            let isRepeated = seconds > 10 && Bool.random(using: &numbers)
            score.remarks.append(Remark(text, at: place, isRepeated: isRepeated))
        }
        score.countIn = .time(.seconds(Int.random(in: 0...8, using: &numbers)))
        let countdown = Int.random(in: 0...5, using: &numbers)
        let speed = Speed(millionths: Int64.random(in: 500_000...2_000_000, using: &numbers)) ?? .asWritten
        let hasPace = Bool.random(using: &numbers)
        let heard = Self.heard(score) {
            $0.cues.countdown = countdown
            $0.cues.halfTime = true
            $0.cues.minuteLeft = true
            $0.cues.end = true
            $0.cues.speech?.finish = true
            $0.cues.speech?.pace = hasPace
            $0.speed = speed
        }
        let words = heard.words.sorted { $0.begin < $1.begin }
        for (a, b) in zip(words, words.dropFirst()) { #expect(a.end <= b.begin + 0.001, "\(a) \(b)") }
        for word in words {
            // Words begin on whole frames.
            let covered = heard.clicks.filter { word.begin + 0.001 < $0.time && $0.time < word.end - 0.001 }
            #expect(covered.isEmpty, "\(word) covers \(covered)")
            #expect(word.end <= heard.end + 0.001)
        }
        var begin = 0.0
        for (index, length) in lengths.enumerated() {
            let real = length / (speed.percent / 100)
            let name = score.lines[0].bars[(index + 1) % count].details.announcement?.name ?? ""
            let needed = Double(name.count + 1) / 15 + 1
            // A signal may be where the announcement would be.
            let signals = heard.times(.section).filter { (begin...begin + real).contains($0) }
            if index + 1 < count, signals.isEmpty, real > needed + Double(countdown) {
                let isSaid = heard.words.contains {
                    $0.begin >= begin && $0.end <= begin + real + 0.001 && $0.text.hasPrefix(name)
                }
                #expect(isSaid, "interval \(index + 2) after \(real) s")
            }
            begin += real
        }
    }
}
