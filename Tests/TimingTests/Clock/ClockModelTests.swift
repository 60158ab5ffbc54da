import Testing
import Timing

/// A simulated card: its true rate wanders, and its pointer moves in steps and is seen late.
struct SimulatedClock {
    var skew: Double
    var step: Int64 = 1
    var jitter = 0.0
    var wander = 0.0
    var wanderPeriod = 600.0
    var start: Int64 = 7_000_000_000_000
    var random: Seeded

    /// The frame at the converter at `t` seconds.
    func frame(at t: Double) -> Double {
        let phase = 2 * Double.pi / wanderPeriod
        // The integral of skew + wander × sin(phase t).
        return 48_000 * (t * (1 + skew) + wander / phase * (1 - cosine(phase * t)))
    }

    /// When frame `f` is at the converter, in s.
    func time(of f: Double) -> Double {
        var t = f / 48_000
        for _ in 0..<6 { t -= (frame(at: t) - f) / (48_000 * (1 + skew)) }
        return t
    }

    mutating func observation(at t: Double) -> ClockObservation {
        let seen = frame(at: t - jitter * Double.random(in: 0...1, using: &random))
        let stepped = Int64((seen / Double(step)).rounded(.down)) * step
        return ClockObservation(time: start + Int64(t * 1e9), frame: stepped)
    }
}

/// cos by its series, so that the tests need no C library.
func cosine(_ x: Double) -> Double {
    let turns = x / (2 * Double.pi)
    let r = (turns - turns.rounded()) * 2 * Double.pi
    var (term, sum) = (1.0, 1.0)
    for k in 1...14 {
        let factors = (2 * k - 1) * 2 * k
        term *= -r * r / Double(factors)
        sum += term
    }
    return sum
}

@Suite("Clock model")
struct ClockModelTests {
    struct Figures {
        var offset = 0.0
        var rms = 0.0
        var max = 0.0
        var slope = 0.0
        var first = 0.0
    }

    /// Places a boundary every 0.37 s, with the conductor's horizon, and compares it with the truth, in us.
    static func run(
        _ clock: SimulatedClock, seconds: Double, after: Double, wake: (Double) -> Double
    ) -> Figures {
        var clock = clock
        var model = ClockModel(nominalRate: 48_000)
        var errors: [(t: Double, error: Double)] = []
        var (t, next) = (0.01, 0.2)
        while t < seconds {
            model.observe(clock.observation(at: t))
            let horizon = t < 10 ? 0.35 : 2.5
            while model.isSettled, next < t + horizon {
                if next > t {
                    let position = model.position(at: clock.start + Int64(next * 1e9))
                    let truth = clock.time(of: Double(position.frame) + position.fraction)
                    errors.append((next, (truth - next) * 1e6))
                }
                next += 0.37
            }
            t += wake(t) * Double.random(in: 0.9...1.1, using: &clock.random)
        }
        let late = errors.filter { $0.t > after }
        var figures = Figures()
        figures.first = errors.first?.error ?? .infinity
        figures.offset = late.map(\.error).reduce(0, +) / Double(late.count)
        figures.max = late.map { abs($0.error - figures.offset) }.max() ?? .infinity
        figures.rms =
            (late.map { ($0.error - figures.offset) * ($0.error - figures.offset) }.reduce(0, +) / Double(late.count))
            .squareRoot()
        let mean = late.map(\.t).reduce(0, +) / Double(late.count)
        let spread = late.map { ($0.t - mean) * ($0.t - mean) }.reduce(0, +)
        figures.slope = late.map { ($0.t - mean) * ($0.error - figures.offset) }.reduce(0, +) / spread
        return figures
    }

    @Test(
        "a fine pointer: after 2 s within 30 us and 8 us rms, offset within 250 us, no slope",
        arguments: [300e-6, -300e-6, 0], [UInt64(1), 2, 3])
    func fine(skew: Double, seed: UInt64) {
        let clock = SimulatedClock(skew: skew, step: 1, jitter: 50e-6, random: Seeded(state: seed))
        for wake in [0.01, 0.28] {
            let figures = Self.run(clock, seconds: 600, after: 2) { $0 < 10 ? min(wake, 0.05) : wake }
            #expect(figures.max <= 30)
            #expect(figures.rms <= 8)
            #expect(abs(figures.offset) <= 250)
            #expect(abs(figures.slope) <= 0.05)
            #expect(abs(figures.first) <= 1000)
        }
    }

    @Test(
        "a coarse pointer on a wandering crystal: after 10 s within 100 us and 25 us rms, offset within 1 ms",
        arguments: [300e-6, -300e-6], [UInt64(1), 2, 3])
    func coarse(skew: Double, seed: UInt64) {
        let clock = SimulatedClock(
            skew: skew, step: 48, jitter: 200e-6, wander: 2e-6, random: Seeded(state: seed))
        let figures = Self.run(clock, seconds: 1200, after: 10) { _ in 0.01 }
        #expect(figures.max <= 100)
        #expect(figures.rms <= 25)
        #expect(abs(figures.offset) <= 1000)
        #expect(abs(figures.slope) <= 0.05)
        #expect(abs(figures.first) <= 1000)
    }

    @Test("the model never goes backwards, whatever it observes", arguments: UInt64(0)..<200)
    func monotonic(seed: UInt64) {
        var random = Seeded(state: seed)
        var model = ClockModel(nominalRate: 48_000)
        var (time, frame): (Int64, Int64) = (1_000_000_000, 0)
        var last: FramePosition?
        for _ in 0..<300 {
            time += Int64.random(in: 1...400_000_000, using: &random)
            frame +=
                Int.random(in: 0..<20, using: &random) == 0
                ? Int64.random(in: -100_000...100_000, using: &random) : Int64.random(in: 0...20_000, using: &random)
            model.observe(ClockObservation(time: time, frame: frame))
            let now = model.position(at: time)
            if let last { #expect(now >= last) }
            last = now
            #expect(model.position(at: time + 1_000_000) >= now)
            #expect(abs(model.deviationPPM) <= 1000)
            #expect(model.uncertainty(at: time + 1_000_000_000).isFinite)
        }
    }

    @Test("a position converted to a time and back stays the same")
    func inverse() {
        var clock = SimulatedClock(skew: 123e-6, random: Seeded(state: 5))
        var model = ClockModel(nominalRate: 48_000)
        for k in 0..<500 { model.observe(clock.observation(at: Double(k) * 0.02)) }
        for k in 0..<100 {
            let time = clock.start + Int64(k) * 137_000_123
            #expect(abs(model.time(of: model.position(at: time)) - Double(time)) < 2)
        }
    }

    @Test("single outliers are clipped; three in a row are a jump, and the rate is kept")
    func jumps() {
        var clock = SimulatedClock(skew: 200e-6, jitter: 20e-6, random: Seeded(state: 8))
        var model = ClockModel(nominalRate: 48_000)
        for k in 0..<1000 {
            var observation = clock.observation(at: Double(k) * 0.02)
            if k % 100 == 50 { observation.frame += 48_000 }
            model.observe(observation)
        }
        #expect(model.anchors == 1)
        #expect(abs(model.deviationPPM - 200) < 20)
        let rate = model.deviationPPM
        for k in 1000..<1010 {
            var observation = clock.observation(at: Double(k) * 0.02)
            observation.frame += 4800
            model.observe(observation)
        }
        #expect(model.anchors == 2)
        #expect(abs(model.deviationPPM - rate) < 5)
        let now = clock.observation(at: 20.2)
        #expect(abs(model.position(at: now.time).frame - (now.frame + 4800)) < 20)
    }

    @Test(
        "the learned rate is the card's rate by the wall clock, within the stated uncertainty",
        arguments: [300e-6, -300e-6])
    func rate(skew: Double) {
        var clock = SimulatedClock(skew: skew, random: Seeded(state: 9))
        var model = ClockModel(nominalRate: 48_000, uncertainty: 400e-6)
        #expect(model.rate == 48_000 && abs(model.uncertaintyPPM - 400) < 1e-9)
        for k in 0..<500 { model.observe(clock.observation(at: Double(k) * 0.02)) }
        #expect(abs(model.rate - 48_000 * (1 + skew)) < 0.1)
        #expect(model.uncertaintyPPM < 2 && abs(model.deviationPPM - skew * 1e6) < 4 * model.uncertaintyPPM)
    }

    @Test(
        "a model is settled by three observations that agree over at least 15 ms",
        arguments: [([0, 15], false), ([0, 7, 14], false), ([0, 7, 15], true), ([0, 1, 2, 3, 14], false)])
    func settled(milliseconds: [Int64], isSettled: Bool) {
        var model = ClockModel(nominalRate: 48_000)
        for time in milliseconds { model.observe(ClockObservation(time: time * 1_000_000, frame: time * 48)) }
        #expect(model.isSettled == isSettled && model.count == milliseconds.count)
        // An observation that is not later is ignored; a surprising one unsettles the model.
        let last = milliseconds.last ?? 0
        model.observe(ClockObservation(time: last * 1_000_000, frame: last * 48))
        #expect(model.isSettled == isSettled && model.count == milliseconds.count)
        model.observe(ClockObservation(time: (last + 1) * 1_000_000, frame: 48_000))
        #expect(!model.isSettled)
    }

    @Test("outliers on alternating sides are not a slip; three on the same side are", arguments: [1, -1] as [Int64])
    func sides(sign: Int64) {
        var model = ClockModel(nominalRate: 48_000)
        for k in Int64(0)..<100 { model.observe(ClockObservation(time: k * 20_000_000, frame: k * 960)) }
        for (k, side) in zip(Int64(100)..., [1, 1, -1, -1, 1, 1, -1] as [Int64]) {
            model.observe(ClockObservation(time: k * 20_000_000, frame: k * 960 + sign * side * 4800))
            #expect(model.anchors == 1 && !model.isSettled)
        }
        for k in Int64(107)..<109 {
            model.observe(ClockObservation(time: k * 20_000_000, frame: k * 960 - sign * 4800))
        }
        #expect(model.anchors == 2)
    }

    @Test(
        "a stored rate is dropped if the card shows another one",
        arguments: [200e-6, -200e-6])
    func doubt(known: Double) {
        var clock = SimulatedClock(skew: 0, jitter: 20e-6, random: Seeded(state: 10))
        var model = ClockModel(nominalRate: 48_000, deviation: known, uncertainty: 0.1e-6)
        for k in 0..<1500 { model.observe(clock.observation(at: Double(k) * 0.02)) }
        #expect(abs(model.deviationPPM) < 5)
    }

    @Test("a pointer that has not begun to move settles nothing, however often it is read")
    func standing() {
        var model = ClockModel(nominalRate: 48_000)
        for k in 0..<200 {
            // Many observations at once, as when a buffer is filled, and then one every 10 ms.
            let time = k < 10 ? Int64(k) * 400_000 : Int64(k) * 10_000_000
            model.observe(ClockObservation(time: 1_000_000_000 + time, frame: -4800))
            #expect(!model.isSettled)
        }
        for k in 0..<5 {
            model.observe(ClockObservation(time: 3_000_000_000 + Int64(k) * 10_000_000, frame: Int64(k) * 480))
        }
        #expect(model.isSettled)
    }

    @Test("a restart forgets the position and keeps the rate")
    func restart() {
        var clock = SimulatedClock(skew: -80e-6, random: Seeded(state: 8))
        var model = ClockModel(nominalRate: 48_000)
        for k in 0..<2000 { model.observe(clock.observation(at: Double(k) * 0.02)) }
        let rate = model.deviationPPM
        model.restart()
        #expect(!model.isSettled)
        model.observe(ClockObservation(time: clock.start + 100_000_000_000, frame: 5))
        #expect(model.position(at: clock.start + 100_000_000_000).frame == 5)
        #expect(model.deviationPPM == rate)
    }

    @Test(
        "ten hours of Sequenza VII in a loop stay within a frame of the wall clock, although the card's rate deviates")
    func tenHours() {
        var clock = SimulatedClock(
            skew: 250e-6, wander: 2e-6, random: Seeded(state: 11))
        let bars = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]
        var model = ClockModel(nominalRate: 48_000, deviation: 250e-6, uncertainty: 5e-6)
        var (t, next, bar) = (0.01, 1.0, 0)
        var (worst, count) = (0.0, 0)
        while next < 36_000 {
            model.observe(clock.observation(at: t))
            while model.isSettled, next < t + 2.5 {
                let position = model.position(at: clock.start + Int64(next * 1e9))
                worst = max(worst, abs(Double(position.frame) + position.fraction - clock.frame(at: next)))
                count += 1
                next += bars[bar % 13]
                bar += 1
            }
            t += 0.28 * Double.random(in: 0.9...1.1, using: &clock.random)
        }
        #expect(count > 20_000)
        #expect(worst < 1)
    }
}
