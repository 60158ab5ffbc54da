import Hearing
import Shared
import Testing

/// Notes that begin bars of these lengths, and what is heard of them.
struct HeardTakeTests {
    private static let sequenza: [Double] = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]

    /// A plucked tone at each time, in a take of `seconds`.
    static func take(_ times: [Double], seconds: Double, noise: Float = 1e-4) -> [Float] {
        let rate = Double(HeardTake.rate)
        var samples = [Float](repeating: 0, count: Int(seconds * rate))
        var random = SystemlessNoise()
        for n in samples.indices { samples[n] = noise * random.next() }
        for (index, time) in times.enumerated() {
            let hertz = [220.0, 277.2, 329.6, 246.9, 392, 311.1, 440][index % 7]
            let first = Int((time * rate).rounded(.up))
            for n in first..<min(first + Int(0.8 * rate), samples.count) {
                let t = Double(n) / rate - time
                var sum = 0.0
                for partial in 1...6 {
                    sum += sin(t * hertz * Double(partial)) / Double(partial) * decay(t * 5 * Double(partial))
                }
                // Its end is no beginning.
                samples[n] += Float(0.1 * sum * (1 - t / 0.8) * (1 - t / 0.8))
            }
        }
        return samples
    }

    private static func sin(_ turns: Double) -> Double {
        // A parabola pair: near enough to a sine for a tone.
        let x = turns - turns.rounded(.down)
        return x < 0.5 ? 16 * x * (0.5 - x) : -16 * (x - 0.5) * (1 - x)
    }

    private static func decay(_ x: Double) -> Double { 1 / (1 + x + x * x / 2 + x * x * x / 6) }

    /// The starts of bars, and the end of the last.
    private static func starts(_ bars: [Double], from start: Double, pace: Double = 1) -> [Double] {
        bars.reduce(into: [start]) { $0.append(($0.last ?? 0) + $1 * pace) }
    }

    @Test("Every bar of a take that is played as written is sure, within 4 ms")
    func asWritten() throws {
        let times = Array(Self.starts(Self.sequenza, from: 0.7).dropLast())
        let heard = try HeardTake(Self.take(times, seconds: 26), Self.sequenza)
        #expect(heard.bars.map(\.bar) == Array(0..<13))
        for (bar, time) in zip(heard.bars, times) {
            #expect(bar.isSure)
            #expect(abs((bar.seconds ?? 0) - time) < 0.004)
        }
        #expect(heard.clicks.isEmpty)
    }

    @Test("A take may begin with a later bar and end before the last")
    func partOfAScore() throws {
        let times = Array(Self.starts(Array(Self.sequenza[2..<11]), from: 0.5).dropLast())
        let heard = try HeardTake(Self.take(times, seconds: 18), Self.sequenza, first: 2)
        #expect(heard.bars.map(\.bar) == Array(2..<11))
    }

    @Test("A slower tempo is no fault, and each bar is held as long as it was played")
    func slower() throws {
        let times = Self.starts(Self.sequenza, from: 0.5, pace: 1.07)
        let heard = try HeardTake(Self.take(Array(times.dropLast()), seconds: 28), Self.sequenza)
        for index in 0..<12 {
            #expect(heard.bars.isHeldSure(index))
            #expect(abs((heard.bars.held(index) ?? 0) - Self.sequenza[index] * 1.07) < 0.006)
        }
    }

    @Test("After a stop the player begins again: the bar before it has no duration")
    func stop() throws {
        let before = Array(Self.starts(Array(Self.sequenza[..<6]), from: 0.5).dropLast())
        let after = Array(Self.starts(Array(Self.sequenza[4...]), from: (before.last ?? 0) + 4.3).dropLast())
        let heard = try HeardTake(Self.take(before + after, seconds: 38), Self.sequenza)
        #expect(heard.bars.map(\.bar) == Array(0..<6) + Array(4..<13))
        #expect(heard.bars.firstIndex(where: \.isRestart) == 6)
        #expect(heard.bars.held(5) == nil)
    }

    @Test("A bar that begins without a note is not heard, and nothing is guessed")
    func missing() throws {
        var times = Array(Self.starts(Self.sequenza, from: 0.5).dropLast())
        times.remove(at: 4)
        let heard = try HeardTake(Self.take(times, seconds: 26), Self.sequenza)
        let bar = try #require(heard.bars.first { $0.bar == 4 })
        #expect(bar.seconds == nil && !bar.isSure)
        #expect(heard.bars.held(3) == nil && heard.bars.held(4) == nil)
    }

    @Test("Clicks alone are no player, and each is measured within 20 microseconds")
    func clicksAlone() throws {
        let rate = HeardTake.rate
        let shape = Array(Self.take([0], seconds: 0.05, noise: 0))
        let nominal = Self.starts(Self.sequenza, from: 0)
        var samples = [Float](repeating: 0, count: rate * 26)
        // The recorder's clock is 100 ppm fast.
        let frames = nominal.map { Int(((0.5 + $0 * 1.0001) * Double(rate)).rounded()) }
        for first in frames { for n in shape.indices { samples[first + n] += shape[n] } }
        let known = KnownClicks(nominal.map { ($0, 0) }, shapes: [shape])
        #expect(throws: HeardTake.Fault.onlyClicks) { try HeardTake(samples, Self.sequenza, known: known) }
        let recorded = try #require(
            RecordedClicks(samples, rate: rate, shapes: [shape], coarse: samples, known: known))
        #expect(recorded.clicks.count == frames.count)
        for (click, frame) in zip(recorded.clicks, frames) {
            let heard = try #require(click.heard)
            #expect(abs(heard - Double(frame) / Double(rate)) < 20e-6)
        }
    }

    @Test("Clicks of two voices that fall together, or almost, are all measured", arguments: [0, 0.0031, 0.017])
    func voices(apart: Double) throws {
        let rate = HeardTake.rate
        let shapes = [0.8, 0.45].map { level in Self.take([0], seconds: 0.05, noise: 0).map { $0 * Float(level) } }
        // They meet every four seconds.
        var clicks: [(seconds: Double, shape: Int)] = (0..<24).map { (Double($0), 0) }
        clicks += (0..<30).map { (Double($0) * 0.8 + apart, 1) }
        clicks.sort { $0 < $1 }
        var samples = [Float](repeating: 0, count: rate * 26)
        for (time, shape) in clicks {
            let first = Int(((0.5 + time) * Double(rate)).rounded())
            for n in shapes[shape].indices { samples[first + n] += shapes[shape][n] }
        }
        let known = KnownClicks(clicks, shapes: shapes)
        let recorded = try #require(RecordedClicks(samples, rate: rate, shapes: shapes, coarse: samples, known: known))
        #expect(recorded.clicks.count == clicks.count)
        for click in recorded.clicks {
            let heard = try #require(click.heard, "\(click.nominal)")
            #expect(abs(heard - click.nominal - 0.5) < 1 / Double(rate), "\(click.nominal)")
        }
    }

    @Test(
        "The clicks of a piece whose lines are alike are all found, from its first line on, at any speed",
        arguments: [0.5, 0.87, 1, 1.33])
    func linesAlike(speed: Double) throws {
        let rate = HeardTake.rate
        let shape = Array(Self.take([0], seconds: 0.05, noise: 0))
        let bars = (0..<8).flatMap { _ in Self.sequenza }
        let nominal = Array(Self.starts(bars, from: 0, pace: 1 / speed).dropLast())
        var samples = [Float](repeating: 0, count: Int(((nominal.last ?? 0) + 5) * Double(rate)))
        for time in nominal {
            let first = Int(((0.7 + time) * Double(rate)).rounded())
            for n in shape.indices { samples[first + n] += shape[n] }
        }
        let known = KnownClicks(nominal.map { ($0, 0) }, shapes: [shape])
        let recorded = try #require(
            RecordedClicks(samples, rate: rate, shapes: [shape], coarse: samples, known: known))
        #expect(recorded.clicks.map(\.nominal) == nominal)
        for click in recorded.clicks {
            let heard = try #require(click.heard)
            #expect(abs(heard - click.nominal - 0.7) < 1 / Double(rate))
        }
    }

    @Test("Silence, noise and another piece are said to be what they are", arguments: [1, 2, 3])
    func nothingToHear(seed: UInt64) {
        let silence = [Float](repeating: 0, count: HeardTake.rate * 5)
        #expect(throws: HeardTake.Fault.silent) { try HeardTake(silence, Self.sequenza) }
        let noise = Self.take([], seconds: 60, noise: 0.2)
        #expect(throws: HeardTake.Fault.self) { try HeardTake(noise, Self.sequenza) }
        var random = SystemlessNoise(seed)
        let other = (0..<20).map { _ in 1.6 + Double(random.next()) }
        let times = Array(Self.starts(other, from: 0.5).dropLast())
        #expect(throws: HeardTake.Fault.otherPiece) {
            try HeardTake(Self.take(times, seconds: 50), Self.sequenza)
        }
    }
}

/// Numbers between -1 and 1 that are the same in every run.
struct SystemlessNoise {
    private var state: UInt64

    init(_ seed: UInt64 = 1) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
    }
}
