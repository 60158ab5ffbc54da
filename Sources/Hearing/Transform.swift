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

    private typealias Lanes = SIMD8<Float>

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
                var middle = 1
                while middle < half {
                    for start in stride(from: 0, to: half, by: 2 * middle) {
                        if middle < Lanes.scalarCount {
                            for n in 0..<middle {
                                let (c, s) = (turnsReal[middle + n], turnsImaginary[middle + n])
                                let (a, b) = (start + n, start + n + middle)
                                let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                                (re[b], im[b]) = (re[a] - x, im[a] - y)
                                (re[a], im[a]) = (re[a] + x, im[a] + y)
                            }
                            continue
                        }
                        for n in stride(from: 0, to: middle, by: Lanes.scalarCount) {
                            let (a, b) = (start + n, start + n + middle)
                            let c = lanes(turnsReal.baseAddress, middle + n)
                            let s = lanes(turnsImaginary.baseAddress, middle + n)
                            let (reB, imB) = (lanes(re.baseAddress, b), lanes(im.baseAddress, b))
                            let (reA, imA) = (lanes(re.baseAddress, a), lanes(im.baseAddress, a))
                            let (x, y) = (reB * c - imB * s, reB * s + imB * c)
                            store(reA - x, re.baseAddress, b)
                            store(imA - y, im.baseAddress, b)
                            store(reA + x, re.baseAddress, a)
                            store(imA + y, im.baseAddress, a)
                        }
                    }
                    middle *= 2
                }
            }
        }
    }

    private static func lanes(_ base: UnsafePointer<Float>?, _ place: Int) -> Lanes {
        guard let base else { return Lanes() }
        return UnsafeRawPointer(base).loadUnaligned(fromByteOffset: 4 * place, as: Lanes.self)
    }

    private static func lanes(_ base: UnsafeMutablePointer<Float>?, _ place: Int) -> Lanes {
        lanes(UnsafePointer(base), place)
    }

    private static func store(_ lanes: Lanes, _ base: UnsafeMutablePointer<Float>?, _ place: Int) {
        guard let base else { return }
        UnsafeMutableRawPointer(base).storeBytes(of: lanes, toByteOffset: 4 * place, as: Lanes.self)
    }
}
