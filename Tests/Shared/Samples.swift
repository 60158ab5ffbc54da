internal import Foundation

/// Sounds that tests make and compare sample by sample. They are here because tests themselves are not optimized.
package enum Samples {
    /// A part of a sine, from frame `begin` of it on; all channels are alike.
    package static func tone(
        _ amplitude: Double, of hertz: Double, from begin: Int, count: Int, rate: Int, channels: Int
    ) -> [Float] {
        var samples = [Float](repeating: 0, count: count * channels)
        for n in 0..<count {
            let sample = Float(amplitude * sin(2 * .pi * hertz * Double(begin + n) / Double(rate)))
            for channel in 0..<channels { samples[n * channels + channel] = sample }
        }
        return samples
    }

    /// Pseudo-random bytes that do not repeat; none of them is zero, so that no frame is silent.
    package static func noise(count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32) | 1
        }
    }

    /// How many frames `b` is later than `a`, as the maximum of their correlation.
    package static func delay(of b: [Float], after a: [Float]) -> Double {
        var delay = 0.0
        // Newton's method on the band-limited correlation, by a direct Fourier sum over the bins that carry the click.
        let n = a.count
        var spectrum: [(omega: Double, re: Double, im: Double)] = []
        for k in stride(from: n / 100, to: n / 6, by: n / 300) {
            let w = 2 * Double.pi * Double(k) / Double(n)
            let (stepRe, stepIm) = (cos(w), -sin(w))
            var (re, im) = (1.0, 0.0)
            var (ar, ai, br, bi) = (0.0, 0.0, 0.0, 0.0)
            for i in 0..<n {
                ar += Double(a[i]) * re
                ai += Double(a[i]) * im
                br += Double(b[i]) * re
                bi += Double(b[i]) * im
                (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe)
            }
            spectrum.append((w, br * ar + bi * ai, bi * ar - br * ai))
        }
        for _ in 0..<12 {
            var (g, c) = (0.0, 0.0)
            for (w, re, im) in spectrum {
                let (x, y) = (cos(w * delay), sin(w * delay))
                let (zr, zi) = (re * x - im * y, re * y + im * x)
                g -= w * zi
                c -= w * w * zr
            }
            delay -= g / c
        }
        return delay
    }
}
