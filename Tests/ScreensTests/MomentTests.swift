import Playback
import Scores
import Testing
import Timing

@Suite("Moment")
struct MomentTests {
    @Test("before time zero the count-in is heard, from then on the first bar")
    func countIn() {
        let status = Status.of(countsTo: .zero, zeroHeard: seconds(10))
        #expect(status.moment(at: seconds(7)) == .countIn(left: .seconds(3)))
        #expect(status.moment(at: seconds(10) - 1) == .countIn(left: .nanoseconds(1)))
        #expect(status.moment(at: seconds(10)).bar?.boundary == 0)
        #expect(status.moment(at: seconds(10)).bar?.left == .seconds(3))
        let shifted = Status.of(anchor: Anchor(time: .seconds(2), speed: .asWritten), countsTo: .seconds(2))
        #expect(shifted.moment(at: seconds(1.5)) == .countIn(left: .milliseconds(500)))
        #expect(shifted.moment(at: seconds(3)).bar?.left == .seconds(2))
    }

    @Test("the moment of a bar has all its properties")
    func bar() throws {
        let status = Status.of(passes: 2, anchor: Anchor(speed: try speed(500_000)))
        #expect(
            status.moment(at: seconds(28))
                == .bar(
                    Moment.Bar(
                        boundary: 6, pass: 2, bar: Timeline(.piece)[2], position: .seconds(14),
                        left: .milliseconds(800), duration: .seconds(2), elapsed: .milliseconds(6300),
                        total: .milliseconds(7700), state: .playing(nil))))
    }

    @Test("a bar is heard from its boundary to a nanosecond before the next")
    func boundaries() {
        let status = Status.of(passes: nil, zeroHeard: 123_456_789)
        for n in 0..<100 {
            let heard = status.heard(boundary: n)
            let bar = status.moment(at: heard).bar
            #expect(bar?.boundary == n)
            #expect(bar?.left == bar?.duration)
            let before = status.moment(at: heard - 1).bar
            #expect(before?.boundary == max(n - 1, 0))
            if n > 0 { #expect(before?.left == .nanoseconds(1)) }
        }
    }

    @Test("a boundary is heard where its position is, within a nanosecond, at any speed")
    func oddSpeeds() throws {
        var random = Seeded(state: 2)
        for _ in 0..<200 {
            let anchor = Anchor(
                time: .nanoseconds(random.int(0...5_000_000_000)),
                speed: try speed(Int64(random.int(50_000...10_000_000))))
            let status = Status.of(passes: nil, anchor: anchor, zeroHeard: Int64(random.int(0...1_000_000_000)))
            for n in 1..<20 {
                let heard = status.heard(boundary: n)
                #expect(status.moment(at: heard + 1).bar?.boundary == n)
                #expect(status.moment(at: heard - 1).bar?.boundary == n - 1)
            }
        }
    }

    @Test("the last bar is heard up to the end of the piece, and then the end")
    func end() {
        #expect(Status.of().moment(at: seconds(7.7) - 1).bar?.boundary == 3)
        #expect(Status.of().moment(at: seconds(7.7)) == .end)
        #expect(Status.of().moment(at: seconds(7777)) == .end)
        #expect(Status.of().heard(boundary: 4) == seconds(7.7))
        #expect(Status.of(passes: nil).moment(at: seconds(7700)).bar?.boundary == 4000)
        var over = Status.of()
        over.stage = .over(.complete)
        #expect(over.moment(at: 0) == .end)
    }

    @Test("while the music is paused, time changes nothing")
    func paused() {
        let status = Status.of(countsTo: .zero, paused: .milliseconds(4000), zeroHeard: seconds(5))
        let bar = status.moment(at: 0).bar
        #expect(bar?.isPaused == true)
        #expect(bar?.boundary == 1)
        #expect(bar?.left == .milliseconds(1700))
        #expect(bar?.elapsed == .seconds(4))
        for now in [seconds(1), seconds(5), seconds(500)] { #expect(status.moment(at: now).bar == bar) }
    }

    @Test("in a pause before a start at a time of day, that time comes nearer; then the music stands at its beginning")
    func pausedBeforeStart() {
        var status = Status.of(countsTo: .zero, zeroHeard: seconds(10))
        status.begins = .seconds(-2)
        status.pause = Status.Pause(.seconds(-9))
        #expect(status.moment(at: seconds(1)) == .waiting(left: .seconds(7), isPaused: true))
        #expect(status.moment(at: seconds(5)) == .waiting(left: .seconds(3), isPaused: true))
        #expect(status.nextLook(status.moment(at: seconds(5)), at: seconds(5)) == seconds(8) + 1)
        for now in [seconds(8), seconds(500)] {
            #expect(status.moment(at: now) == .countIn(left: .seconds(2), isPaused: true))
        }
        (status.countsTo, status.begins) = (nil, .zero)
        let bar = status.moment(at: seconds(500)).bar
        #expect(bar?.boundary == 0 && bar?.left == .seconds(3) && bar?.isPaused == true)
    }

    @Test("a timed hold is a state, at any speed, also while the music is paused in it or its clicks are off")
    func timedHold() throws {
        let score = try Score.of("bars: [{duration: 9, hold: 6 at 2, click: off}, 1]")
        for (percent, factor) in [(100, 1.0), (50, 2), (200, 0.5)] {
            let anchor = Anchor(speed: try speed(Int64(percent) * 10_000))
            func state(_ time: Double, paused: Duration? = nil, silent: Bool = false) -> Moment.State? {
                var status = Status.of(score, anchor: anchor, paused: paused)
                if silent { status.performance.silence = Performance.Silence(bars: 1, of: 1) }
                return status.moment(at: seconds(time * factor)).bar?.state
            }
            func hold(_ left: Double) -> Moment.Hold {
                Moment.Hold(left: .seconds(left * factor), duration: .seconds(6 * factor))
            }
            #expect(state(1.5) == .playing(nil) && state(8) == .playing(nil) && state(15.5) == .playing(nil))
            #expect(state(2) == .playing(hold(6)) && state(7.5, silent: true) == .playing(hold(0.5)))
            #expect(
                state(99, paused: .seconds(3)) == .paused(hold(5)) && state(99, paused: .seconds(1)) == .paused(nil))
        }
    }

    @Test("holds at one place are one, unless the player ends one of them, also with several voices")
    func holdsAtOnePlace() throws {
        func holds(_ yaml: String, waits: Bool) throws -> [PlayedHold] {
            var performance = Status.of(try Score.of(yaml)).performance
            performance.waits = waits
            return performance.holds(inBar: 0)
        }
        func hold(_ from: Double, _ to: Double, _ waits: Bool = false) -> PlayedHold {
            PlayedHold(span: .seconds(from)..<Duration.seconds(to), waits: waits)
        }
        let bar = "{duration: 4, hold: [2 at 1, 3 at 1, {until: cue, length: 5, at: 1}, 1 at 2]}"
        #expect(try holds("bars: [\(bar)]", waits: false) == [hold(1, 11), hold(12, 13)])
        #expect(try holds("bars: [\(bar)]", waits: true) == [hold(1, 6), hold(6, 11, true), hold(12, 13)])
        let voices = "voices:\n  a: {bars: [\(bar)]}\n  b: {bars: [1]}"
        #expect(try holds(voices, waits: true) == [hold(1, 6), hold(6, 11, true), hold(12, 13)])
        #expect(try holds("bars: [2]", waits: true) == [])
    }

    @Test("until a command is heard, the position is that of the command")
    func beforeTheAnchor() {
        let status = Status.of(anchor: Anchor(time: .seconds(2), position: .milliseconds(5700), speed: .asWritten))
        #expect(status.moment(at: seconds(1.9)).bar?.boundary == 2)
        #expect(status.moment(at: seconds(1.9)).bar?.left == .seconds(1))
        #expect(status.moment(at: seconds(2.25)).bar?.left == .milliseconds(750))
        #expect(status.heard(boundary: 3) == seconds(3))
    }
}
