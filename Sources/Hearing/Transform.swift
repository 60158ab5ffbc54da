internal import Glibc

/// The Fourier transform of real samples, of a length that is a power of two.
struct Transform: Sendable {
    let length: Int
    /// The turns of the butterflies: those of a step of `middle` from place `middle` on.
    private let (twiddlesReal, twiddlesImaginary): ([Float], [Float])
    private let order: [Int]
    private let turns: [(Float, Float)]
    private var real: [Float]
    private var imaginary: [Float]

    /// The window of von Hann for pieces of this length, between 0 and 1: it is 0 half a sample before the first one.
    static func window(_ length: Int) -> [Double] {
        (0..<length).map { n -> Double in
            let turn: Double = 2 * Double.pi * (Double(n) + 0.5) / Double(length)
            return 0.5 - 0.5 * cos(turn)
        }
    }

    /// Makes a transform of `length` samples, a power of two of at least 8.
    init(length: Int) {
        self.length = length
        let half = length / 2
        func turn(_ share: Double) -> (Float, Float) { (Float(cos(2 * .pi * share)), Float(-sin(2 * .pi * share))) }
        let twiddles = (0..<half).map { place -> (Float, Float) in
            let middle = place == 0 ? 1 : 1 << (Int.bitWidth - 1 - place.leadingZeroBitCount)
            return turn(Double(place - middle) / Double(2 * middle))
        }
        (twiddlesReal, twiddlesImaginary) = (twiddles.map(\.0), twiddles.map(\.1))
        turns = (0...half).map { turn(Double($0) / Double(length)) }
        let bits = half.trailingZeroBitCount
        order = (0..<half).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
        real = [Float](repeating: 0, count: half)
        imaginary = real
    }

    /// The squared magnitudes of the `length / 2 + 1` frequencies of `samples`.
    mutating func powers(of samples: UnsafePointer<Float>, into powers: inout [Float]) {
        let (half, turns, twiddles) = (length / 2, turns, (real: twiddlesReal, imaginary: twiddlesImaginary))
        order.withUnsafeBufferPointer { order in
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    for index in 0..<half {
                        let from = 2 * order[index]
                        (real[index], imaginary[index]) = (samples[from], samples[from + 1])
                    }
                    Transform.butterflies(real, imaginary, twiddles)
                    powers.withUnsafeMutableBufferPointer { Transform.separate(real, imaginary, turns, into: $0) }
                }
            }
        }
    }

    /// The even and the odd samples were transformed as one complex sequence: they are separated here.
    private static func separate(
        _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>,
        _ turns: [(Float, Float)], into powers: UnsafeMutableBufferPointer<Float>
    ) {
        let half = real.count
        turns.withUnsafeBufferPointer { turns in
            for k in 0...half {
                let (low, high) = (k == half ? 0 : k, k == 0 ? 0 : half - k)
                let (evenReal, evenImaginary) = (real[low] + real[high], imaginary[low] - imaginary[high])
                let (oddReal, oddImaginary) = (imaginary[low] + imaginary[high], real[high] - real[low])
                let (c, s) = turns[k]
                let re = evenReal + c * oddReal - s * oddImaginary
                let im = evenImaginary + c * oddImaginary + s * oddReal
                powers[k] = (re * re + im * im) / 4
            }
        }
    }

    private static func butterflies(
        _ re: UnsafeMutableBufferPointer<Float>, _ im: UnsafeMutableBufferPointer<Float>,
        _ twiddles: (real: [Float], imaginary: [Float])
    ) {
        let half = re.count
        twiddles.real.withUnsafeBufferPointer { turnsReal in
            twiddles.imaginary.withUnsafeBufferPointer { turnsImaginary in
                guard let re = re.baseAddress, let im = im.baseAddress, let turnsReal = turnsReal.baseAddress,
                    let turnsImaginary = turnsImaginary.baseAddress
                else { return }
                quarters(re, im, half)
                var middle = 4
                while middle < half {
                    let turns = (UnsafeRawPointer(turnsReal + middle), UnsafeRawPointer(turnsImaginary + middle))
                    for start in stride(from: 0, to: half, by: 2 * middle) {
                        let low = (UnsafeMutableRawPointer(re + start), UnsafeMutableRawPointer(im + start))
                        if middle == 4 {
                            pairs(of: SIMD4.self, low, turns, middle)
                        } else {
                            pairs(of: SIMD8.self, low, turns, middle)
                        }
                    }
                    middle *= 2
                }
            }
        }
    }

    /// The first two steps at once: they only turn by quarters, which needs no products.
    private static func quarters(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>, _ half: Int) {
        for at in stride(from: 0, to: half, by: 4) {
            let (re, im) = (re + at, im + at)
            let (a, b) = ((re[0] + re[1], im[0] + im[1]), (re[0] - re[1], im[0] - im[1]))
            let (c, d) = ((re[2] + re[3], im[2] + im[3]), (re[2] - re[3], im[2] - im[3]))
            (re[0], im[0]) = (a.0 + c.0, a.1 + c.1)
            (re[1], im[1]) = (b.0 + d.1, b.1 - d.0)
            (re[2], im[2]) = (a.0 - c.0, a.1 - c.1)
            (re[3], im[3]) = (b.0 - d.1, b.1 + d.0)
        }
    }

    /// The butterflies of `middle` values from `low` on with those that follow them, as many at a time as `Lanes` holds.
    @inline(__always)
    private static func pairs<Lanes: SIMD<Float> & BitwiseCopyable>(
        of type: Lanes.Type, _ low: (UnsafeMutableRawPointer, UnsafeMutableRawPointer),
        _ turns: (UnsafeRawPointer, UnsafeRawPointer), _ middle: Int
    ) {
        let high = (low.0 + 4 * middle, low.1 + 4 * middle)
        for at in stride(from: 0, to: 4 * middle, by: 4 * Lanes.scalarCount) {
            func of(_ values: UnsafeRawPointer) -> Lanes { values.loadUnaligned(fromByteOffset: at, as: Lanes.self) }
            let (c, s) = (of(turns.0), of(turns.1))
            let (reB, imB) = (of(UnsafeRawPointer(high.0)), of(UnsafeRawPointer(high.1)))
            let (reA, imA) = (of(UnsafeRawPointer(low.0)), of(UnsafeRawPointer(low.1)))
            let (x, y) = (reB * c - imB * s, reB * s + imB * c)
            high.0.storeBytes(of: reA - x, toByteOffset: at, as: Lanes.self)
            high.1.storeBytes(of: imA - y, toByteOffset: at, as: Lanes.self)
            low.0.storeBytes(of: reA + x, toByteOffset: at, as: Lanes.self)
            low.1.storeBytes(of: imA + y, toByteOffset: at, as: Lanes.self)
        }
    }
}
