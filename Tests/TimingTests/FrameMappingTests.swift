import Testing
import Timing

@Suite("Frames by a learned clock")
struct FrameMappingTests {
    private static let zero: Int64 = 5_000_000_000

    /// A mapping learnt from a card that is 300 ppm fast, by 50 observations a second for ten seconds.
    private static func learnt() -> LearntMapping {
        var clock = SimulatedClock(skew: 300e-6, start: zero, random: Seeded(state: 60))
        var model = ClockModel(nominalRate: 48_000)
        for look in 0..<500 { model.observe(clock.observation(at: Double(look) * 0.02)) }
        return LearntMapping(model, zero: zero + 1_000_000_000)
    }

    @Test("time zero lies where the model places it, and a second has as many frames as the true rate")
    func places() {
        let mapping = Self.learnt()
        let begin = mapping.position(at: .zero)
        #expect(begin == mapping.model.extrapolated(to: mapping.zero))
        #expect(abs(begin.distance(from: FramePosition(frame: 48_014))) < 1.5)
        #expect(abs(mapping.position(at: .seconds(1)).distance(from: begin) - 48_014.4) < 0.1)
        #expect(abs(mapping.deviation - 300e-6) < 2e-6)
        #expect(mapping.rate == 48_000)
    }

    @Test("fractions of a nanosecond count, before time zero too")
    func fine() {
        let mapping = Self.learnt()
        for time in [Duration.zero, .milliseconds(777), .milliseconds(-777), .seconds(3600), .seconds(-3600)] {
            let begin = mapping.position(at: time)
            // Less than a nanosecond on either side: the model itself knows whole nanoseconds only.
            for attoseconds in [-900_000_000, -1, 1, 900_000_000] as [Int128] {
                let found = mapping.position(at: time + Duration(attoseconds: attoseconds))
                let frames = Double(attoseconds) * 1e-18 * mapping.model.rate
                #expect(abs(found.distance(from: begin) - frames) < 1e-7)
                #expect((0..<1).contains(found.fraction))
            }
        }
    }

    @Test("the first frame at or after a time is its position rounded up to a whole frame")
    func ceiling() {
        // A clock with a single observation places it exactly on a frame.
        var model = ClockModel(nominalRate: 48_000)
        model.observe(ClockObservation(time: Self.zero, frame: 777))
        let mapping = LearntMapping(model, zero: Self.zero)
        #expect(mapping.position(at: .zero) == FramePosition(frame: 777))
        let before = mapping.position(at: .zero - .attosecond)
        #expect(before.frame == 776 && before.fraction < 1 && before.fraction > 1 - 1e-9)
        #expect(mapping.frame(atOrAfter: .zero) == 777 && mapping.frame(atOrAfter: .attosecond) == 778)
        #expect(mapping.frame(atOrAfter: .nanoseconds(1)) == 778)
        #expect(mapping.frame(atOrAfter: .nanoseconds(-1)) == 777)
        #expect(mapping.frame(atOrAfter: .microseconds(-30)) == 776)
    }

    @Test("the time of a frame is when it is at the converter, to the nearest nanosecond")
    func inverse() {
        let mapping = Self.learnt()
        for frame in [-1_000_000, -1, 0, 1, 48_014, 480_000, 1_000_000_000] as [Int64] {
            let found = mapping.position(at: mapping.time(of: frame))
            #expect(abs(found.distance(from: FramePosition(frame: frame))) < 1e-3)
        }
    }
}
