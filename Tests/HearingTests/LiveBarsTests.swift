import Hearing
import Testing

/// How late each bar of a player begins, told while the music plays.
@Suite("Bars heard live")
struct LiveBarsTests {
    private static let rate = Double(HeardTake.rate)

    /// The places of 14 bars of 1.1 to 2.3 s, and how late each is played, in seconds.
    private static let places = (0..<13).reduce(into: [1.0]) { places, bar in
        let lengths: [Double] = [1.1, 2.3, 1.7]
        places.append((places.last ?? 0) + lengths[bar % 3])
    }
    private static let late = [
        0.0, 0.021, -0.03, 0.055, 0.012, -0.061, 0.04, 0.093, -0.015, 0.033, 0, -0.08, 0.026, 0.007,
    ]

    /// What is told while a sound comes in blocks of 50 ms, each with the place that had been heard by then, in seconds.
    private static func told(
        _ samples: [Float], _ clicks: [LiveBars.Click], shapes: [KnownClicks.Shape] = [], isPlaced: Bool = true
    ) -> [(heard: LiveBars.Heard, by: Double)] {
        var bars = LiveBars(rate: rate, shapes: shapes, isPlaced: isPlaced)
        var told: [(LiveBars.Heard, Double)] = []
        var clicks = clicks[...]
        for start in stride(from: 0, to: samples.count, by: 1200) {
            let end = min(start + 1200, samples.count)
            // They are known half a second ahead.
            let ahead = Double(end + 12_000)
            bars.expect(Array(clicks.prefix { $0.place < ahead }), before: ahead)
            clicks = clicks.drop { $0.place < ahead }
            for heard in bars.hear(Array(samples[start..<end])) { told.append((heard, Double(end) / rate)) }
        }
        return told + bars.finish().map { ($0, Double(samples.count) / rate) }
    }

    private static func clicks(shape: Int? = nil) -> [LiveBars.Click] {
        places.enumerated().map { LiveBars.Click(place: $1 * rate, shape: shape, bar: $0) }
    }

    @Test("each bar is told within 4 ms of the truth, at most 1.3 s after it should begin")
    func truth() {
        let samples = HeardTakeTests.take(zip(Self.places, Self.late).map { $0 + $1 }, seconds: 28)
        let told = Self.told(samples, Self.clicks())
        #expect(told.map(\.heard.bar) == Array(0..<14))
        for (told, (place, late)) in zip(told, zip(Self.places, Self.late)) {
            #expect(
                abs((told.heard.late ?? .infinity) - late) < 0.004, "bar \(told.heard.bar): \(told.heard.late ?? 99)")
            #expect(told.by - place < 1.3)
        }
    }

    @Test("sound that comes long before its clicks are known is looked at once, and its bars are told the same")
    func gap() {
        let samples = HeardTakeTests.take(zip(Self.places, Self.late).map { $0 + $1 }, seconds: 28)
        var bars = LiveBars(rate: Self.rate, shapes: [], isPlaced: true)
        bars.expect(Self.clicks().filter { $0.place < 48_000.3 }, before: 48_000.3)
        var heard: [LiveBars.Heard] = []
        // 13 s of sound, with clicks that are known up to 2 s; then clicks that become known bit by bit.
        for block in stride(from: 0, to: samples.count, by: 1200) {
            let known = max(48_000.3, Double(block) * 1.9 - 590_000.7)
            bars.expect(Self.clicks().filter { (bars.known..<known).contains($0.place) }, before: known)
            heard += bars.hear(Array(samples[block..<min(block + 1200, samples.count)]))
        }
        bars.expect(Self.clicks().filter { $0.place >= bars.known }, before: .infinity)
        heard += bars.finish()
        let told = Self.told(samples, Self.clicks()).map(\.heard)
        #expect(heard.map(\.bar) == told.map(\.bar))
        for (one, other) in zip(heard, told) {
            #expect(abs((one.late ?? .infinity) - (other.late ?? .infinity)) < 1e-9, "bar \(one.bar)")
        }
        #expect(bars.looked < 2 * samples.count + 48_000, "\(Double(bars.looked) / Double(samples.count))")
    }

    @Test("a bar that begins without a note is unsure, and so is everything in silence and in noise")
    func missing() {
        let played = zip(Self.places, Self.late).map { $0 + $1 }
        let told = Self.told(
            HeardTakeTests.take(played.enumerated().filter { $0.offset != 5 }.map(\.element), seconds: 28),
            Self.clicks())
        let missed = told.filter { $0.heard.late == nil }
        #expect(missed.map(\.heard.bar) == [5])
        for noise in [Float(0), 1e-3] {
            let told = Self.told(HeardTakeTests.take([], seconds: 28, noise: noise), Self.clicks())
            #expect(told.count == 14 && told.allSatisfy { $0.heard.late == nil })
        }
    }

    @Test("notes within bars are not their beginnings")
    func others() {
        let played = zip(Self.places, Self.late).map { $0 + $1 }
        let others = Self.places.map { $0 + 0.57 }
        let told = Self.told(HeardTakeTests.take((played + others).sorted(), seconds: 28), Self.clicks())
        #expect(told.count { $0.heard.late != nil } >= 12)
        for (told, late) in zip(told, Self.late) {
            if let heard = told.heard.late { #expect(abs(heard - late) < 0.004, "bar \(told.heard.bar)") }
        }
    }

    /// Eight clicks of a count-in and one at each bar, heard `delay` seconds after their places, beside what is played.
    private static func bleeding(_ played: [Double], delay: Double, level: Float) -> (
        [Float], [LiveBars.Click], [Float]
    ) {
        let shape = click()
        let counts = (0..<8).map { 0.3 + 0.6 * Double($0) }
        let shifted = places.map { $0 + 5 }
        var samples = HeardTakeTests.take(played.map { $0 + 5 + delay }, seconds: 34)
        for place in counts + shifted {
            let first = Int(((place + delay) * rate).rounded())
            for n in shape.indices { samples[first + n] += level * shape[n] }
        }
        let clicks =
            counts.map { LiveBars.Click(place: $0 * rate, shape: 0, bar: nil) }
            + shifted.enumerated().map { LiveBars.Click(place: $1 * rate, shape: 0, bar: $0) }
        return (samples, clicks, shape)
    }

    /// A click: noise that decays in 10 ms.
    private static func click() -> [Float] {
        var state: UInt32 = 7
        return (0..<720).map { n in
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Float(state >> 8) / Float(1 << 23) - 1
            let t = Float(n) / 240
            return noise / (1 + t + t * t / 2 + t * t * t / 6)
        }
    }

    @Test(
        "clicks that are heard are no notes of the player, whether their delay is known or not",
        arguments: [true, false])
    func bleeding(isPlaced: Bool) {
        let delay = isPlaced ? 0 : 0.083
        let played = zip(Self.places, Self.late).map { $0 + $1 }
        let (samples, clicks, shape) = Self.bleeding(played, delay: delay, level: 0.03)
        let told = Self.told(samples, clicks, shapes: [shape], isPlaced: isPlaced)
        let sure = told.filter { $0.heard.late != nil }
        #expect(sure.count >= 10, "\(told.map(\.heard))")
        for told in sure {
            #expect(abs((told.heard.late ?? 99) - Self.late[told.heard.bar]) < 0.025, "\(told.heard)")
        }
        // The player is silent: nothing is told of the clicks.
        let (alone, _, _) = Self.bleeding([], delay: delay, level: 0.03)
        let silent = Self.told(alone, clicks, shapes: [shape], isPlaced: isPlaced)
        #expect(silent.count == 14 && silent.allSatisfy { $0.heard.late == nil }, "\(silent.map(\.heard))")
    }
}
