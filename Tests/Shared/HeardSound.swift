/// A sound of one channel at 48 000 frames per second, as a file has it: compared with another one.
public struct HeardSound: Sendable {
    private static let rate = 48_000.0
    private var samples: ArraySlice<Float>

    /// The number of its frames.
    public var count: Int { samples.count }
    /// The largest amplitude.
    public var peak: Float { samples.reduce(0) { max($0, abs($1)) } }

    /// Reads a WAV file with floating-point samples of one channel; nil if it is none.
    public init?(wave bytes: [UInt8]) {
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        guard bytes.count > 44, bytes.starts(with: Array("RIFF".utf8)) else { return nil }
        var position = 12
        while position + 8 <= bytes.count {
            let size = number(position + 4, 4)
            let start = position + 8
            guard start + size <= bytes.count else { return nil }
            if bytes[position..<position + 4].elementsEqual("fmt ".utf8) {
                guard number(start, 2) == 3, number(start + 2, 2) == 1, number(start + 14, 2) == 32 else { return nil }
            }
            if bytes[position..<position + 4].elementsEqual("data".utf8) {
                samples = bytes.withUnsafeBytes { raw in
                    (0..<size / 4).map { raw.loadUnaligned(fromByteOffset: start + 4 * $0, as: Float.self) }[...]
                }
                return
            }
            position = start + size + size % 2
        }
        return nil
    }

    /// A part, between times in s.
    public func from(_ begin: Double, to end: Double = .infinity) -> HeardSound {
        func index(_ time: Double) -> Int {
            samples.startIndex + Int(min((time * HeardSound.rate).rounded(), Double(count)))
        }
        var part = self
        part.samples = samples[index(begin)..<index(end)]
        return part
    }

    /// The largest difference from another sound made as loud as this one, as a share of this peak; where this one has ended,
    /// it is silent. A click that is missing, wrong or a millisecond late leaves its own peak.
    public func difference(from other: HeardSound) -> Float {
        var (both, square): (Double, Double) = (0, 0)
        for (own, heard) in zip(samples, other.samples) {
            both += Double(own) * Double(heard)
            square += Double(heard) * Double(heard)
        }
        // The file of a plan is as loud as music is.
        let gain = Float(both / square)
        var largest = other.samples.dropFirst(count).reduce(0) { max($0, abs($1)) }
        for (own, heard) in zip(samples, other.samples) { largest = max(largest, abs(own - gain * heard)) }
        return largest / peak
    }

    /// When the sound suddenly gets louder, in s: four times as loud as in the 2 ms before.
    public func onsets() -> [Double] {
        let (block, past) = (12, 8)
        var found: [Double] = []
        var levels = [Float](repeating: 0, count: past)
        var n = 0
        for start in stride(from: samples.startIndex, to: samples.endIndex - block, by: block) {
            var level: Float = 0
            for sample in samples[start..<start + block] { level = max(level, abs(sample)) }
            if level > 0.01, level > 4 * levels.reduce(0, max) {
                let first = samples[start..<start + block].firstIndex { abs($0) > level / 4 } ?? start
                found.append(Double(first - samples.startIndex) / HeardSound.rate)
            }
            levels[n % past] = level
            n += 1
        }
        return found
    }
}
