internal import Glibc

/// How a tone of any frequency sounds in two windows, of which the second begins `hop` samples after the first.
struct TonePair: Sendable {
    /// A tone: its share in phase with the beginning of the sound, and a quarter turn away.
    typealias Tone = (real: Double, imaginary: Double)

    private typealias Lanes = SIMD4<Double>

    /// Where in the sound that it is given both windows are, and how far apart they begin.
    let place: Range<Int>
    let hop: Int
    /// How far from a tone another one must be to be kept apart, in turns in a sample: the main lobe of the window.
    let width: Double
    /// The shape of a window, with zeros up to whole lanes, and its sum.
    private let shape: [Lanes]
    private let sum: Double
    /// The sound in both windows, in their shape.
    private var (before, after): ([Lanes], [Lanes])

    /// Windows of so many samples, of which the first begins at `begin`.
    init(_ count: Int, at begin: Int, hop: Int) {
        (place, self.hop, width) = (begin..<begin + count + hop, hop, 3 / Double(count))
        let values = (0..<(count + 3) / 4 * 4).map { n -> Double in
            let turn = 2 * .pi * (Double(n) + 0.5) / Double(count)
            return n < count ? 0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn) : 0
        }
        shape = stride(from: 0, to: values.count, by: 4).map { n in
            Lanes(values[n], values[n + 1], values[n + 2], values[n + 3])
        }
        sum = values.reduce(0, +)
        (before, after) = (shape, shape)
    }

    /// Takes the sound of both windows.
    mutating func take(_ samples: [Float]) {
        TonePair.fill(&before, samples, place.lowerBound, shape)
        TonePair.fill(&after, samples, place.lowerBound + hop, shape)
    }

    private static func fill(_ lanes: inout [Lanes], _ samples: [Float], _ start: Int, _ shape: [Lanes]) {
        func sample(_ n: Int) -> Double { n < samples.count ? Double(samples[n]) : 0 }
        for index in lanes.indices {
            let n = start + 4 * index
            lanes[index] = shape[index] * Lanes(sample(n), sample(n + 1), sample(n + 2), sample(n + 3))
        }
    }

    /// The tone in both windows that turns by so many radians in a sample.
    func tones(_ turn: Double) -> (before: Tone, after: Tone) {
        var (c, s) = (Lanes(repeating: 0), Lanes(repeating: 0))
        for lane in 0..<4 { (c[lane], s[lane]) = (cos(turn * Double(lane)), -sin(turn * Double(lane))) }
        let (stepReal, stepImaginary) = (cos(4 * turn), -sin(4 * turn))
        let none = Lanes(repeating: 0)
        var (realBefore, imaginaryBefore, realAfter, imaginaryAfter) = (none, none, none, none)
        // The least squares of a cosine and a sine, which are not quite independent in a window of few periods.
        var (cosines, products) = (none, none)
        for index in shape.indices {
            let (first, second, weight) = (before[index], after[index], shape[index] * c)
            realBefore += first * c
            imaginaryBefore += first * s
            realAfter += second * c
            imaginaryAfter += second * s
            cosines += weight * c
            products += weight * s
            (c, s) = (c * stepReal - s * stepImaginary, c * stepImaginary + s * stepReal)
        }
        let (cos2, both) = (cosines.sum(), products.sum())
        let sin2 = sum - cos2
        let size = cos2 * sin2 - both * both
        guard size > 0 else { return ((0, 0), (0, 0)) }
        func tone(_ real: Double, _ imaginary: Double, _ begin: Int) -> Tone {
            let (x, y) = ((real * sin2 - imaginary * both) / size, (imaginary * cos2 - real * both) / size)
            let (c, s) = (cos(turn * Double(begin)), sin(turn * Double(begin)))
            return (x * c + y * s, y * c - x * s)
        }
        return (
            tone(realBefore.sum(), imaginaryBefore.sum(), 0), tone(realAfter.sum(), imaginaryAfter.sum(), hop)
        )
    }
}
