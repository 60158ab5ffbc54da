internal import Glibc

/// Halves the rate of a sound, without what is too high for it.
struct Halving: Sendable {
    private static let taps: [Float] = {
        let reach = 16
        var taps = (-reach...reach).map { n -> Float in
            let x = Double(n) * 0.46
            let sinc = n == 0 ? 1 : sin(.pi * x) / (.pi * x)
            return Float(sinc * (0.54 + 0.46 * cos(.pi * Double(n) / Double(reach + 1))))
        }
        let sum = taps.reduce(0, +)
        for index in taps.indices { taps[index] /= sum }
        return taps
    }()

    /// Sample n of the lower rate is about sample 2 · n - `delay` of the sound.
    static let delay = (taps.count - 1) / 2 - 1

    /// The newest samples, each of them twice, so that they are always in a row somewhere.
    private var last = [Float](repeating: 0, count: 2 * Halving.taps.count)
    private var at = 0
    private var isOdd = false

    /// Every second sample of the lower rate; nil in between.
    mutating func take(_ sample: Float) -> Float? {
        let count = Halving.taps.count
        (last[at], last[at + count]) = (sample, sample)
        at = at + 1 == count ? 0 : at + 1
        isOdd.toggle()
        guard !isOdd else { return nil }
        return last.withUnsafeBufferPointer { last in
            last.baseAddress.map { Products.sum(Halving.taps, $0 + at, count) } ?? 0
        }
    }
}
