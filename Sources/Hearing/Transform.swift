internal import Glibc

/// The Fourier transform of real samples, of a length that is a power of two.
struct Transform: Sendable {
    let length: Int
    private let twiddles: [(Float, Float)]
    private let order: [Int]
    private let turns: [(Float, Float)]
    private var real: [Float]
    private var imaginary: [Float]

    /// Makes a transform of `length` samples, a power of two of at least 8.
    init(length: Int) {
        self.length = length
        let half = length / 2
        func turn(_ share: Double) -> (Float, Float) { (Float(cos(2 * .pi * share)), Float(-sin(2 * .pi * share))) }
        twiddles = (0..<half / 2).map { turn(Double($0) / Double(half)) }
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
        let half = length / 2
        for index in 0..<half {
            let from = order[index]
            real[index] = samples[2 * from]
            imaginary[index] = samples[2 * from + 1]
        }
        butterflies()
        // The even and the odd samples were transformed as one complex sequence: they are separated here.
        for k in 0...half {
            let (low, high) = (k % half, (half - k) % half)
            let (evenReal, evenImaginary) = (real[low] + real[high], imaginary[low] - imaginary[high])
            let (oddReal, oddImaginary) = (imaginary[low] + imaginary[high], real[high] - real[low])
            let (c, s) = turns[k]
            let re = evenReal + c * oddReal - s * oddImaginary
            let im = evenImaginary + c * oddImaginary + s * oddReal
            powers[k] = (re * re + im * im) / 4
        }
    }

    private mutating func butterflies() {
        let half = length / 2
        real.withUnsafeMutableBufferPointer { re in
            imaginary.withUnsafeMutableBufferPointer { im in
                var size = 2
                while size <= half {
                    let (middle, step) = (size / 2, half / size)
                    var start = 0
                    while start < half {
                        for n in 0..<middle {
                            let (c, s) = twiddles[n * step]
                            let (a, b) = (start + n, start + n + middle)
                            let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                            (re[b], im[b]) = (re[a] - x, im[a] - y)
                            (re[a], im[a]) = (re[a] + x, im[a] + y)
                        }
                        start += size
                    }
                    size *= 2
                }
            }
        }
    }
}
