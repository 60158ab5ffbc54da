import Scores
import Testing
import Timing

/// A frame as an exact fraction: floor and remainder of a quotient, by long division without floating point.
private struct ExactFrame {
    let whole: Int128
    let fraction: Double
    let isWhole: Bool

    /// (attoseconds × 10^6 × rate) / (millionths × 10^18), the frame of a position at a speed.
    init(_ position: Duration, millionths: Int128 = 1_000_000, rate: Int) {
        let numerator = position.attoseconds * 1_000_000 * Int128(rate)
        let denominator = millionths * 1_000_000_000_000_000_000
        let rest = ((numerator % denominator) + denominator) % denominator
        whole = (numerator - rest) / denominator
        // 12 decimals digit by digit: the quotient of two doubles would be exact enough, but less independent of the
        // tested code.
        var (left, digits) = (rest, Int128(0))
        for _ in 0..<12 {
            digits = digits * 10 + left * 10 / denominator
            left = left * 10 % denominator
        }
        fraction = Double(digits) / 1e12
        isWhole = rest == 0
    }

    func distance(from position: FramePosition, zero: Int64 = 0) -> Double {
        Double(Int128(position.frame - zero) - whole) + (position.fraction - fraction)
    }
}

@Suite("Frames")
struct FramePositionTests {
    static let rates = [8000, 44100, 48000, 96000, 192_000, 384_000]

    @Test("a position is exact to 1e-9 frames after 24 and 1000 hours at odd speeds", arguments: rates)
    func exact(rate: Int) throws {
        var random = Seeded(state: 9)
        let mapping = NominalMapping(rate: rate, zero: 12_345)
        for millionths in [730_000, 999_999, 333_333, 1_000_000, 50_000, 10_000_000] as [Int64] {
            let anchor = Anchor(speed: try speed(millionths))
            for hours in [0, 24, 1000] {
                for _ in 0..<50 {
                    let position =
                        Duration.seconds(hours * 3600)
                        + Duration(attoseconds: Int128(random.int(0...9_000_000_000_000_000_000)))
                    let exact = ExactFrame(position, millionths: Int128(millionths), rate: rate)
                    let found = mapping.position(at: anchor.time(of: position))
                    #expect(abs(exact.distance(from: found, zero: 12_345)) < 1e-9)
                    #expect((0..<1).contains(found.fraction))
                }
            }
        }
    }

    @Test("times before zero have frames before zero, with fractions from 0 up to 1", arguments: rates)
    func negative(rate: Int) {
        var random = Seeded(state: 10)
        let mapping = NominalMapping(rate: rate, zero: 0)
        for _ in 0..<500 {
            let time = Duration(attoseconds: -Int128(random.int(1...9_000_000_000_000_000_000)))
            let found = mapping.position(at: time)
            #expect(abs(ExactFrame(time, rate: rate).distance(from: found)) < 1e-9)
            #expect((0..<1).contains(found.fraction))
        }
        #expect(mapping.position(at: .seconds(-1)) == FramePosition(frame: -Int64(rate)))
        let half = Duration(attoseconds: 500_000_000_000_000_000 / Int128(rate))
        #expect(abs(mapping.position(at: .zero - half).distance(from: FramePosition(frame: -1, fraction: 0.5))) < 1e-9)
    }

    @Test("the first frame at or after a time is its position rounded up", arguments: rates)
    func ceiling(rate: Int) {
        var random = Seeded(state: 11)
        let mapping = NominalMapping(rate: rate, zero: -777)
        for _ in 0..<1000 {
            let time = Duration(attoseconds: Int128(random.int(-9_000_000_000_000_000_000...9_000_000_000_000_000_000)))
            let exact = ExactFrame(time, rate: rate)
            #expect(mapping.frame(atOrAfter: time) == -777 + Int64(exact.whole) + (exact.isWhole ? 0 : 1))
        }
        for seconds in -3...3 {
            let frame = Int64(seconds * rate) - 777
            #expect(mapping.frame(atOrAfter: .seconds(seconds)) == frame)
            #expect(mapping.frame(atOrAfter: .seconds(seconds) + .attosecond) == frame + 1)
            #expect(mapping.frame(atOrAfter: .seconds(seconds) - .attosecond) == frame)
        }
    }

    @Test(
        "a length that is a whole number of frames has as many, also where it is rounded up to an attosecond",
        arguments: rates)
    func wholeFrames(rate: Int) {
        var random = Seeded(state: 13)
        let mapping = NominalMapping(rate: rate, zero: 0)
        for _ in 0..<2000 {
            let frames = random.int(1...1_000_000_000)
            let exact = Fraction(Int64(frames), Int64(rate)).seconds
            #expect(mapping.frame(atOrAfter: exact) == frames)
            // A thousandth of a frame more is one more frame.
            #expect(mapping.frame(atOrAfter: exact + .seconds(1) / (1000 * rate)) == frames + 1)
        }
    }

    @Test("the time of a frame is that of its position, to the nearest attosecond", arguments: rates)
    func inverse(rate: Int) {
        var random = Seeded(state: 12)
        let mapping = NominalMapping(rate: rate, zero: 4711)
        for _ in 0..<2000 {
            let frame = Int64(random.int(-1_000_000_000...1_000_000_000_000))
            let time = mapping.time(of: frame)
            // |time × rate - (frame - zero) × 10^18| is at most half an attosecond × rate.
            let error = time.attoseconds * Int128(rate) - Int128(frame - 4711) * 1_000_000_000_000_000_000
            #expect(2 * error.magnitude <= UInt128(rate))
            #expect(abs(mapping.position(at: time).distance(from: FramePosition(frame: frame))) < 1e-9)
            // Rounding to an attosecond never moves a time to the frame before.
            #expect(mapping.position(at: time).frame == frame)
        }
        #expect(mapping.time(of: 4711) == .zero)
    }

    @Test("positions are ordered by frame, then by fraction")
    func order() {
        let positions = [(-1, 0.9), (0, 0.0), (0, 0.1), (0, 0.9), (1, 0.0)]
            .map { FramePosition(frame: $0.0, fraction: $0.1) }
        for (i, a) in positions.enumerated() {
            for (j, b) in positions.enumerated() { #expect((a < b) == (i < j)) }
        }
    }
}
