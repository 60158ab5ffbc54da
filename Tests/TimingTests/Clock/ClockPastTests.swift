import Testing
import Timing

@Suite("What was observed of a clock")
struct ClockPastTests {
    /// A model that has seen a steady card for a minute, and then one that is `ppm` faster, every 50 ms.
    private static func turned(ppm: Double) -> (model: ClockModel, frame: (Double) -> Double) {
        let frame = { (t: Double) in 48_000 * (t + ppm * 1e-6 * max(t - 60, 0)) }
        var model = ClockModel(nominalRate: 48_000)
        for look in 1...1240 {
            let time = Double(look) * 0.05
            model.observe(ClockObservation(time: Int64(time * 1e9), frame: Int64(frame(time).rounded())))
        }
        return (model, frame)
    }

    private static func position(_ frame: Double) -> FramePosition {
        FramePosition(frame: Int64(frame.rounded(.down)), fraction: frame - frame.rounded(.down))
    }

    @Test("the observed time is right before and after a turn of the clock", arguments: [100.0, -100, 400])
    func bothSides(ppm: Double) {
        let (model, frame) = Self.turned(ppm: ppm)
        #expect(model.turns > 0)
        for time in stride(from: 50, through: 61.9, by: 0.083) {
            let observed = model.observedTime(of: Self.position(frame(time))) * 1e-9
            #expect(abs(observed - time) <= 25e-6, "\(time): \((observed - time) * 1e6) us")
        }
        // The model itself only knows the present: it is wrong about the time before the turn.
        #expect(abs(model.time(of: Self.position(frame(55))) * 1e-9 - 55) > 300e-6)
    }

    @Test("after the last observation, the observed time is that of the model")
    func future() {
        let (model, frame) = Self.turned(ppm: 100)
        for time in stride(from: 62.1, through: 70, by: 0.31) {
            let position = Self.position(frame(time))
            #expect(model.observedTime(of: position) == model.time(of: position))
        }
    }

    @Test("forgetting what was observed before a time changes nothing after it", arguments: [40.0, 59.98, 60.4])
    func forgetting(begin: Double) {
        let (model, frame) = Self.turned(ppm: 100)
        var forgetful = model
        forgetful.forget(before: Int64(begin * 1e9))
        for time in stride(from: begin + 0.001, through: 61.9, by: 0.083) {
            let position = Self.position(frame(time))
            #expect(forgetful.observedTime(of: position) == model.observedTime(of: position))
        }
        // Earlier times are still told, by the oldest that is known.
        #expect(abs(forgetful.observedTime(of: Self.position(frame(begin - 1))) * 1e-9 - begin + 1) < 200e-6)
    }

    @Test("a turn takes at least three observations, and outliers are none")
    func outliers() {
        var model = ClockModel(nominalRate: 48_000)
        for look in 0..<2000 {
            // One or two of a hundred observations are a millisecond off, by turns on either side.
            let isOff = look > 100 && look % 100 < 1 + look / 100 % 2
            let error: Int64 = isOff ? (look / 100 % 4 < 2 ? 48 : -48) : 0
            model.observe(ClockObservation(time: Int64(look) * 50_000_000, frame: Int64(look) * 2400 + error))
            #expect(model.turns == 0)
        }
        for look in 2000..<2003 {
            #expect(model.turns == 0)
            model.observe(ClockObservation(time: Int64(look) * 50_000_000, frame: Int64(look) * 2400 + 48))
        }
        #expect(model.turns == 1 && model.anchors == 1)
    }

    @Test(
        "between two looks, a clock turned where the lines before and after it meet",
        arguments: [500.0, -500, 100], [0.02, 0.19, 0.36])
    func kink(ppm: Double, moment: Double) {
        let turn = 60.04 + moment
        let frame = { (t: Double) in 48_000 * (t + ppm * 1e-6 * max(t - turn, 0)) }
        var model = ClockModel(nominalRate: 48_000)
        var time = 0.0
        // As the player looks: every 380 ms, and every 50 ms once it has seen the turn.
        while time < 62.5 {
            time += time < turn ? 0.38 : 0.05
            model.observe(ClockObservation(time: Int64(time * 1e9), frame: Int64(frame(time).rounded())))
        }
        #expect(model.turns > 0)
        for time in stride(from: turn - 1, through: turn + 1, by: 0.013) {
            let observed = model.observedTime(of: Self.position(frame(time))) * 1e-9
            #expect(abs(observed - time) <= 15e-6, "\(time - turn): \((observed - time) * 1e6) us")
        }
    }

    @Test("a turn that is not proven yet does not bend what was heard before it")
    func suspected() {
        let frame = { (t: Double) in 48_000 * (t + 500e-6 * max(t - 60.1, 0)) }
        var model = ClockModel(nominalRate: 48_000)
        for look in 1...159 {
            let time = Double(look) * 0.38
            model.observe(ClockObservation(time: Int64(time * 1e9), frame: Int64(frame(time).rounded())))
        }
        #expect(model.turns == 0)
        for time in stride(from: 58, through: 60, by: 0.1) {
            let observed = model.observedTime(of: Self.position(frame(time))) * 1e-9
            #expect(abs(observed - time) <= 10e-6, "\(time): \((observed - time) * 1e6) us")
        }
    }
}
