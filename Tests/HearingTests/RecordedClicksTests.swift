import Glibc
import Hearing
import Testing

/// Recordings of the metronome alone, by a recorder with a crystal of its own, of all of a score or of a part.
@Suite("Clicks of a recording")
struct RecordedClicksTests {
    private static let rate = HeardTake.rate
    private static let shape = Array(HeardTakeTests.take([0], seconds: 0.05, noise: 0))
    private static let line: [Double] = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]

    private static func starts(_ bars: [Double]) -> [Double] {
        Array(bars.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }.dropLast())
    }

    /// Thirteen lines that are all alike.
    private static let alike = starts((0..<13).flatMap { _ in line })

    /// 160 bars of 0.7 to 4.3 s.
    private static let different: [Double] = {
        var random = SystemlessNoise(11)
        return starts((0..<160).map { _ in 2.5 + 1.8 * Double(random.next()) })
    }()

    /// A recording of a stretch of clicks in seconds, and what is measured in it.
    private static func measure(
        _ clicks: [Double], _ stretch: ClosedRange<Double>, drift: Double = 0, without missing: Set<Int> = []
    ) -> RecordedClicks? {
        let length = stretch.upperBound - stretch.lowerBound
        var samples = [Float](repeating: 0, count: Int(length * Double(rate)))
        for (index, time) in clicks.enumerated() where !missing.contains(index) {
            let first = Int(((time * (1 + drift) - stretch.lowerBound) * Double(rate)).rounded())
            for n in shape.indices where samples.indices.contains(first + n) { samples[first + n] += shape[n] }
        }
        let known = KnownClicks(clicks.map { ($0, 0) }, shapes: [shape])
        return RecordedClicks(samples, rate: rate, shapes: [shape], coarse: samples, known: known)
    }

    @Test(
        "All clicks are measured where they are, while two crystals drift apart by up to 1000 ppm",
        arguments: [-167e-6, 300e-6, 1000e-6])
    func drift(_ drift: Double) throws {
        for clicks in [Self.alike, Self.different] {
            let end = (clicks.last ?? 0) + 4
            let recorded = try #require(Self.measure(clicks, -0.3...end, drift: drift))
            #expect(recorded.places == 1)
            #expect(recorded.clicks.map(\.nominal) == clicks)
            for click in recorded.clicks {
                let heard = try #require(click.heard, "\(click.nominal)")
                #expect(abs(heard - 0.3 - click.nominal * (1 + drift)) < 1 / Double(Self.rate), "\(click.nominal)")
            }
        }
    }

    @Test(
        "A part of lines that are alike is set on the first place that has its clicks and its silences",
        arguments: [60, 90, 120])
    func partOfLinesAlike(seconds: Double) throws {
        let recorded = try #require(Self.measure(Self.alike, 0...seconds))
        #expect(recorded.clicks.map(\.nominal) == Self.alike.filter { $0 < seconds })
        #expect(recorded.clicks.allSatisfy { $0.heard != nil })
        // As many lines can be the first.
        #expect(recorded.places == 13 - Int(seconds / 22.6))
    }

    @Test("A part of bars that are all different has one place, also if it is short", arguments: [0, 100, 280])
    func partOfDifferentBars(from start: Double) throws {
        let recorded = try #require(Self.measure(Self.different, start...start + 60, drift: 80e-6))
        let within = Self.different.filter { (start...start + 60).contains($0 * (1 + 80e-6)) }
        #expect(recorded.clicks.map(\.nominal) == within && recorded.places == 1)
        #expect(recorded.clicks.allSatisfy { $0.heard != nil })
    }

    @Test("A click that the recording does not have is lost, and none beside it")
    func lost() throws {
        let recorded = try #require(
            Self.measure(Self.different, -0.3...400, drift: 104e-6, without: [0, 40, 41, 90]))
        #expect(recorded.clicks.indices.filter { recorded.clicks[$0].heard == nil } == [0, 40, 41, 90])
    }

    @Test("A click for which no time was left is measured up to 30 ms late, where no other one is near")
    func late() throws {
        let clicks = Self.different
        var played = clicks
        for index in [20, 60] { played[index] += 0.03 }
        var samples = [Float](repeating: 0, count: Self.rate * 400)
        for time in played {
            let first = Int((time * Double(Self.rate)).rounded())
            for n in Self.shape.indices where first + n < samples.count { samples[first + n] += Self.shape[n] }
        }
        let known = KnownClicks(clicks.map { ($0, 0) }, shapes: [Self.shape])
        let recorded = try #require(
            RecordedClicks(samples, rate: Self.rate, shapes: [Self.shape], coarse: samples, known: known))
        for (click, time) in zip(recorded.clicks, played) {
            let heard = try #require(click.heard, "\(click.nominal)")
            #expect(abs(heard - time) < 1 / Double(Self.rate))
        }
    }

    @Test("Clicks of another score are not heard")
    func other() {
        let known = KnownClicks(Self.different.map { ($0, 0) }, shapes: [Self.shape])
        var samples = [Float](repeating: 0, count: Self.rate * 60)
        for beat in 0..<119 {
            for n in Self.shape.indices { samples[beat * Self.rate / 2 + n] += Self.shape[n] }
        }
        #expect(RecordedClicks(samples, rate: Self.rate, shapes: [Self.shape], coarse: samples, known: known) == nil)
    }

    /// Notes of four partials, each with the pitch of a bass or a cello, which begin at these times.
    private static func lowNotes(_ times: [Double], lowest: Double) -> [Float] {
        var random = SystemlessNoise(5)
        var samples = (0..<Int(((times.last ?? 0) + 1) * Double(rate))).map { _ in 2e-4 * random.next() }
        for (index, (time, next)) in zip(times, times.dropFirst()).enumerated() {
            let hertz = lowest * pow(2, Double([4, 6, 7, 2, 0, 9, 5, 4, -1, 1, 7, 6][index % 12]) / 12)
            for n in Int(time * Double(rate))..<Int((next - 0.08) * Double(rate)) {
                let t = Double(n) / Double(rate) - time
                let swell = min(1, t / 0.01, (next - 0.08 - time - t) / 0.04) * (0.6 + 0.4 * exp(-2 * t))
                let partials = zip(1...4, [1, 0.5, 0.3, 0.2]).map { $1 * sin(2 * .pi * hertz * Double($0) * t) }
                samples[n] += Float(0.2 * swell * partials.reduce(0, +))
            }
        }
        return samples
    }

    @Test("Of low notes no moments are taken for clicks, and clicks beside them are", arguments: [33, 41, 52, 65])
    func lowNotes(lowest: Double) throws {
        let bars = [3, 2, 2.5, 1.8, 2.2, 1.5, 2.7, 2, 1.6, 2.4, 3, 1.9]
        let clicks = Self.starts(bars)
        let click = (0..<1200).map { Float(sin(0.52 * Double($0)) * exp(-Double($0) / 160)) }
        let known = KnownClicks(clicks.map { ($0, 0) }, shapes: [click])
        var random = SystemlessNoise(3)
        let times = Self.starts(bars + [2]).map { 1 + $0 + 0.02 * Double(random.next()) }
        var samples = Self.lowNotes(times, lowest: lowest)
        #expect(try HeardTake(samples, bars, known: known).clicks.isEmpty)
        for time in clicks {
            let first = Int((1 + time) * Double(Self.rate))
            for n in click.indices { samples[first + n] += 0.03 * click[n] }
        }
        #expect(try HeardTake(samples, bars, known: known).clicks.count == clicks.count)
    }
}
