import Scores
import Testing
import Timing

@Suite("The ends of holds, and entries after rests")
struct HoldEndTests {
    /// The clicks of one sound, in whole milliseconds after time zero, and their amplitudes.
    private func clicks(
        _ score: Score, _ sound: ClickSound, _ change: (inout Performance) -> Void = { _ in }
    ) -> [(time: Int64, amplitude: Double)] {
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        change(&performance)
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        var horizon: Int64 = 0
        // In several steps, as a player does.
        while horizon < 200_000 {
            horizon += 791
            _ = scheduler.schedule(before: horizon, into: &recorder)
        }
        #expect(recorder.disorders == [])
        return recorder.events.compactMap { event in
            guard case .click(sound, let amplitude, _) = event.kind else { return nil }
            return (event.position.frame, amplitude)
        }
    }

    private func times(
        _ score: Score, _ sound: ClickSound, _ change: (inout Performance) -> Void = { _ in }
    ) -> [Int64] { clicks(score, sound, change).map(\.time) }

    private func bar(_ milliseconds: Int, _ holds: [Hold] = [], off: Bool = false) -> Score.Bar {
        var bar = Score.Bar(.milliseconds(milliseconds))
        bar.details.holds = holds
        if off { bar.details.click = BarClick(isSilent: true) }
        return bar
    }

    private func score(_ bars: [Score.Bar]) -> Score { Score(lines: [Score.Line(bars: bars)]) }

    @Test("the end of a hold inside a bar has a countdown of three seconds and a click")
    func inside() {
        let held = score([bar(3000), bar(2000, [Hold(.seconds(20), at: .offset(.milliseconds(1200)))]), bar(1000)])
        #expect(times(held, .warning) == [21_200, 22_200, 23_200])
        #expect(times(held, .beat) == [24_200])
        #expect(times(held, .bar) == [3000, 25_000])
    }

    @Test("a hold of exactly three seconds has three ticks, the first when it begins; a shorter one has fewer")
    func exactly() {
        for (length, ticks) in [(2999, 2), (3000, 3), (3200, 3), (1000, 1), (999, 0)] {
            for (place, begin) in [(Hold.Place.offset(.seconds(1)), 4000), (.offset(.zero), 3000), (.end, 5000)] {
                let held = score([bar(3000), bar(2000, [Hold(.milliseconds(length), at: place)]), bar(1000)])
                let end = begin + length
                let due: [Int64] = (0..<ticks).reversed().map { Int64(end - 1000 * ($0 + 1)) }
                #expect(times(held, .warning) == due)
            }
        }
    }

    @Test("the setting chooses a countdown, only the click, or nothing")
    func settings() {
        let held = score([bar(2000, [Hold(.seconds(5), at: .offset(.seconds(1)))]), bar(1000)])
        #expect(times(held, .warning) { $0.cues.holdEnd = .countdown(10) } == [1000, 2000, 3000, 4000, 5000])
        #expect(times(held, .warning) { $0.cues.holdEnd = .countdown(1) } == [5000])
        #expect(times(held, .warning) { $0.cues.holdEnd = .click } == [])
        #expect(times(held, .beat) { $0.cues.holdEnd = .click } == [6000])
        #expect(times(held, .beat) { $0.cues.holdEnd = .off } == [])
        for sound in [ClickSound.warning, .beat] {
            #expect(times(held, sound) { $0.isClickMuted = true } == [])
            #expect(times(held, sound) { $0.clickLevel = .off } == [])
        }
    }

    @Test("a hold at the end of a bar counts down to the next bar, whose click is its end")
    func atEnd() {
        let held = score([bar(2000, [Hold(.seconds(5))]), bar(1000, [Hold(.milliseconds(2500))])])
        // The second hold ends the piece.
        #expect(times(held, .warning) == [4000, 5000, 6000, 8500, 9500])
        #expect(times(held, .beat) == [])
        // A countdown that is set anyway is not shortened by the hold, nor doubled.
        #expect(
            times(held, .warning) {
                $0.cues.countdown = 6
                $0.cues.countdownTo = .bars
            } == [1000, 2000, 3000, 4000, 5000, 6000, 8500, 9500])
        #expect(
            times(held, .warning) {
                $0.cues.countdown = 1
                $0.cues.countdownTo = .bars
            } == [4000, 5000, 6000, 8500, 9500])
    }

    @Test("each of several holds in a bar has an end; holds at the same place share one")
    func several() {
        let place = Hold.Place.offset(.seconds(1))
        let two = score([bar(4000, [Hold(.seconds(2), at: place), Hold(.seconds(4), at: .offset(.seconds(3)))])])
        #expect(times(two, .beat) == [3000, 9000])
        #expect(times(two, .warning) == [1000, 2000, 6000, 7000, 8000])
        let one = score([bar(4000, [Hold(.seconds(2), at: place), Hold(.seconds(4), at: place)])])
        #expect(times(one, .beat) == [7000] && times(one, .warning) == [4000, 5000, 6000])
    }

    @Test("holds follow the speed; their countdowns are in seconds")
    func speed() throws {
        let held = score([bar(2000, [Hold(.seconds(5), at: .offset(.seconds(1)))]), bar(1000)])
        let half = try TimingTests.speed(500_000)
        #expect(times(held, .warning) { $0.speed = half } == [9000, 10_000, 11_000])
        #expect(times(held, .beat) { $0.speed = half } == [12_000])
        let double = try TimingTests.speed(2_000_000)
        #expect(times(held, .warning) { $0.speed = double } == [1000, 2000])
    }

    @Test("the end of a hold is announced if it lasts its nominal length, not if it waits")
    func waits() {
        let cue = score([bar(2000, [Hold(.seconds(5), at: .offset(.seconds(1)), waits: true)]), bar(1000)])
        #expect(times(cue, .beat) == [6000] && times(cue, .warning) == [3000, 4000, 5000])
        #expect(times(cue, .beat) { $0.waits = true } == [] && times(cue, .warning) { $0.waits = true } == [])
        let endless = score([bar(2000, [Hold(.zero, at: .offset(.seconds(1)), waits: true)]), bar(1000)])
        #expect(times(endless, .beat) == [])
    }

    @Test("a bar without clicks ends its holds without clicks, and a softer one with softer clicks")
    func silent() {
        let hold = Hold(.seconds(5), at: .offset(.seconds(1)))
        let off = score([bar(2000, [hold], off: true), bar(1000)])
        #expect(times(off, .beat) == [] && times(off, .warning) == [])
        var soft = bar(2000, [hold])
        soft.details.click = BarClick(decibels: -20)
        let expected = Level(decibels: -26).amplitude
        #expect(clicks(score([soft]), .beat).map(\.amplitude) == [expected])
        #expect(clicks(score([soft]), .warning).allSatisfy { $0.amplitude == expected })
    }

    @Test("after a jump to a bar with a hold, a pause in it, or a change of speed, the end is announced where it is")
    func commands() throws {
        let held = score([bar(1000), bar(2000, [Hold(.seconds(10), at: .offset(.seconds(1)))]), bar(1000)])
        func played(_ commands: (inout Scheduler, inout Recorder) -> Void) -> [Int64] {
            var scheduler = Scheduler(Performance(of: held, passage: Passage(Timeline(held))), rate: 1000)
            var recorder = Recorder()
            commands(&scheduler, &recorder)
            scheduler.scheduleAll(before: .max, into: &recorder)
            return recorder.clicks.filter { $0.sound == .warning || $0.sound == .beat }.map(\.position.frame)
        }
        func go(_ frame: Int64, _ scheduler: inout Scheduler, _ recorder: inout Recorder) {
            scheduler.scheduleAll(before: frame, into: &recorder)
            scheduler.settle(before: frame)
        }
        #expect(played { _, _ in } == [9000, 10_000, 11_000, 12_000])
        let jumped = played {
            go(500, &$0, &$1)
            $0.jump(to: 1, at: 500)
        }
        #expect(jumped == [8500, 9500, 10_500, 11_500])
        let paused = played {
            go(9500, &$0, &$1)
            $0.pause(at: 9500)
            $0.resume(at: 29_500)
        }
        #expect(paused == [9000, 30_000, 31_000, 32_000])
        let faster = try TimingTests.speed(2_000_000)
        let hurried = played {
            go(4000, &$0, &$1)
            $0.change(speed: faster, at: 4000)
        }
        // The hold of ten seconds has eight left, which last four.
        #expect(hurried == [5000, 6000, 7000, 8000])
    }

    // MARK: - Entries

    private func metered(_ count: Int64, off: Bool, warning: Score.Lead? = nil) -> Score.Bar {
        var bar = Score.Bar(Meter(count, over: 4))
        if off { bar.details.click = BarClick(isSilent: true) }
        bar.details.warning = warning
        return bar
    }

    @Test("an entry after a rest is warned of at the beats before it, softly")
    func entry() {
        var page = score([
            metered(4, off: false), metered(4, off: true), metered(3, off: true), metered(4, off: false),
            metered(4, off: false),
        ])
        #expect(times(page, .warning) == [])
        page.warning = .beats(2)
        #expect(times(page, .warning) == [9000, 10_000])
        #expect(clicks(page, .warning).allSatisfy { $0.amplitude == Level(decibels: -12).amplitude })
        page.warning = .beats(5)
        #expect(times(page, .warning) == [6000, 7000, 8000, 9000, 10_000])
        page.warning = .bars(1)
        #expect(times(page, .warning) == [8000, 9000, 10_000])
        page.warning = .seconds(2)
        #expect(times(page, .warning) == [9000, 10_000])
        // Never earlier than the rest.
        for long in [Score.Lead.beats(64), .bars(16), .seconds(60)] {
            page.warning = long
            #expect(times(page, .warning) == [4000, 5000, 6000, 7000, 8000, 9000, 10_000])
        }
        #expect(times(page, .warning) { $0.isClickMuted = true } == [])
        #expect(times(page, .bar) == [11_000, 15_000])
    }

    @Test("a warning is on the beats of the rest, whatever parts of beats or clicks of a grid it has besides")
    func beatsOnly() {
        func warned(_ change: (inout Score.Bar) -> Void) -> [Int64] {
            var rest = metered(4, off: true)
            change(&rest)
            return times(score([rest, metered(4, off: false, warning: .beats(2))]), .warning)
        }
        #expect(warned { $0.details.subdivision = 2 } == [2000, 3000])
        #expect(warned { $0.details.grid = .parts(8) } == [2000, 3000])
        #expect(warned { $0.details.grid = .parts(3) } == [2000, 3000])
        var seconds = bar(4000, off: true)
        (seconds.details.beats, seconds.details.subdivision) = ([Beat(.accent), Beat(.beat)], 4)
        #expect(times(score([seconds, metered(4, off: false, warning: .beats(2))]), .warning) == [0, 2000])
    }

    @Test("a bar can have a warning of its own, or none")
    func ofBar() {
        var page = score([
            metered(4, off: false), metered(4, off: false, warning: .beats(2)), metered(4, off: true),
            metered(4, off: false, warning: .off), metered(2, off: true), metered(4, off: false, warning: .beats(1)),
        ])
        page.warning = .beats(3)
        #expect(times(page, .warning) == [2000, 3000, 17_000])
    }

    @Test("warnings follow the tempo of the bars before, ramps and speeds included")
    func tempo() throws {
        var rest = metered(4, off: true)
        rest.details.ramp = Ramp(to: Tempo(Fraction(1, 4), Fraction(120)), over: .bars(1))
        var page = score([rest, metered(4, off: false)])
        page.warning = .beats(3)
        let passage = Passage(Timeline(page))
        let beats = passage.timeline.beats(inBar: 0, InnerSettings(page)).map(\.offset)
        let half = try TimingTests.speed(500_000)
        for (speed, factor) in [(Speed.asWritten, 1), (half, 2)] {
            let expected = beats.dropFirst().map { Int64(($0 * factor).attoseconds / 1_000_000_000_000_000) }
            #expect(times(page, .warning) { $0.speed = speed } == expected)
        }
    }

    @Test("before an entry after bars of seconds, beats are seconds, and at most a minute long")
    func ofSeconds() {
        var page = score([bar(5000, off: true), bar(1000), bar(100_000, off: true), bar(1000)])
        page.warning = .beats(2)
        #expect(times(page, .warning) == [3000, 4000, 104_000, 105_000])
        page.warning = .beats(64)
        let seconds = Array(Int64(0)...4) + Array(Int64(46)...105)
        #expect(times(page, .warning) == seconds.map { $0 * 1000 })
    }

    @Test("a warning takes the place of a countdown, and a count-in has none")
    func together() {
        var page = score([metered(4, off: true), metered(4, off: false)])
        page.warning = .beats(1)
        #expect(
            times(page, .warning) {
                $0.cues.countdown = 3
                $0.cues.countdownTo = .bars
            } == [3000])
        // A performance that begins at the entry.
        #expect(
            times(page, .warning) {
                $0.first = 1
                $0.countIn = .seconds(4)
            } == [])
    }
}
