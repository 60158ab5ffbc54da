import Testing
import Timing
import TurningClock

@Suite("Estimates that wander")
struct ClockWanderTests {
    /// What is learned in five minutes from errors of 0.3 ms that wander with a time constant, seen at this pace.
    private static func learned(constant: Double, pace: Double) -> ClockWander {
        var clock = TurningClock(.server(constant), seed: 4)
        clock.skew = 0
        var wander = ClockWander(scatter: 1e-3)
        var last = 0.0
        for look in 1...Int(300 / pace) {
            let seen = clock.observation(at: Double(look) * pace)
            let error = (Double(seen.clock.frame) - clock.frame(at: seen.time)) / 48_000
            wander.learn(from: error, after: last, pace)
            last = error
        }
        return wander
    }

    @Test("the time constant and the scatter are found", arguments: [0.1, 0.3, 1, 2])
    func constants(constant: Double) {
        let wander = Self.learned(constant: constant, pace: 0.02)
        #expect(wander.constant > 0.9 * constant && wander.constant < 3 * constant)
        let scatter = wander.variance.squareRoot()
        #expect(scatter > 0.27e-3 && scatter < 0.55e-3)
    }

    @Test("looks that are further apart than errors last are independent")
    func independent() {
        let wander = Self.learned(constant: 0.05, pace: 0.38)
        #expect(wander.likeness(after: 0.38) < 0.01)
        #expect(abs(wander.variance(after: 0.38).squareRoot() / 0.3e-3 - 1) < 0.2)
    }

    @Test("what an estimate adds to the last one is nothing at once, and all of it in the long run")
    func additions() {
        let wander = Self.learned(constant: 0.3, pace: 0.02)
        #expect(wander.likeness(after: 0) == 1 && wander.variance(after: 0) == 0)
        #expect(wander.likeness(after: 100) < 1e-9 && abs(wander.variance(after: 100) / wander.variance - 1) < 1e-9)
    }
}

@Suite("What a server's clock may have done")
struct ClockHypothesesTests {
    /// A model that has seen a server for five minutes, and then `seconds` more of one that is ahead by `turn`.
    private static func model(_ seconds: Double, seed: UInt64 = 3, turn: @escaping (Double) -> Double) -> (
        model: ClockModel, clock: TurningClock
    ) {
        var clock = TurningClock(.server(0.3), seed: seed, turn: turn)
        var model = ClockModel(nominalRate: 48_000, deviation: clock.skew, noise: 0.35e-3, wanders: true)
        for look in 1...Int((TurningClock.settled + seconds) / 0.02) {
            model.observe(clock.observation(at: Double(look) * 0.02).clock)
        }
        return (model, clock)
    }

    /// How far the model is ahead of the clock at a time, in s.
    private static func error(_ model: ClockModel, _ clock: TurningClock, at time: Double) -> Double {
        let position = model.extrapolated(to: TurningClock.nanoseconds(time))
        return (Double(position.frame) + position.fraction - clock.frame(at: time)) / 48_000
    }

    @Test("a slew is followed, and its end leads back to the usual rate, which is known at once")
    func end() {
        let (slewed, _) = Self.model(30) { 100e-6 * min($0, 30) }
        #expect(slewed.turns > 0 && abs(slewed.deviationPPM - 270) < 30)
        let (ended, clock) = Self.model(45) { 100e-6 * min($0, 30) }
        #expect(abs(ended.deviationPPM - 170) < 5)
        #expect(abs(Self.error(ended, clock, at: TurningClock.settled + 50)) < 0.3e-3)
    }

    @Test("a slip is believed within a second, on either side", arguments: [4e-3, -4e-3])
    func slip(seconds: Double) {
        let (model, clock) = Self.model(1) { $0 > 0 ? seconds : 0 }
        #expect(model.turns == 1 && model.anchors == 1)
        #expect(abs(Self.error(model, clock, at: TurningClock.settled + 1)) < 0.5e-3)
        // The rate is not changed by it, and what was heard before it stays where it was.
        #expect(abs(model.deviationPPM - 170) < 2)
        for time in [-2, -0.5, 0.5] {
            let frame = clock.frame(at: TurningClock.settled + time)
            let position = FramePosition(frame: Int64(frame.rounded(.down)))
            let observed = TurningClock.seconds(model.observedTime(of: position)) - TurningClock.settled
            #expect(abs(observed - time) < 0.5e-3)
        }
    }

    @Test("the first ten seconds are no worse than the first estimate", arguments: [0.05, 0.3, 1, 2])
    func start(wander: Double) {
        var squares: [Double] = []
        for seed in UInt64(1)...30 {
            var clock = TurningClock(.server(wander), seed: seed)
            var model = ClockModel(
                nominalRate: 48_000, deviation: clock.skew, uncertainty: 10e-6, noise: 0.35e-3, wanders: true)
            for look in 1...200 {
                let time = Double(look) * 0.05
                model.observe(clock.observation(at: time).clock)
                let error = Self.error(model, clock, at: time + 0.4)
                #expect(abs(error) < 1.2e-3)
                squares.append(error * error)
            }
        }
        let mean = squares.reduce(0, +) / Double(squares.count)
        #expect(mean < 6.25e-8)
    }

    @Test("one estimate that is far off is no slip")
    func outlier() {
        var (model, clock) = Self.model(0) { _ in 0 }
        for look in 1...200 {
            let time = TurningClock.settled + Double(look) * 0.02
            var seen = clock.observation(at: time).clock
            if look == 7 { seen.frame += 150 }
            model.observe(seen)
        }
        #expect(abs(Self.error(model, clock, at: TurningClock.settled + 4)) < 0.3e-3)
    }
}
