/// Sound as four bits for each sample: the difference from the one before, in steps that grow and shrink with it. A script
/// decodes it in some lines (`spoken.js`), in every browser, without a request.
enum ADPCM {
    /// How each size of a difference changes the number of the step.
    private static let changes = [-1, -1, -1, -1, 2, 4, 6, 8]
    /// Each step is a tenth larger than the one before.
    private static let steps = sequence(first: 7) { $0 < 30_000 ? $0 + max($0 / 10, 1) : nil }.map(\.self)

    /// Samples between -1 and 1, two in a byte: the first in the lower half.
    static func encoded(_ samples: [Float]) -> [UInt8] {
        var (predicted, index, bytes) = (0, 0, [UInt8]())
        bytes.reserveCapacity(samples.count / 2 + 1)
        for (n, sample) in samples.enumerated() {
            let error = Int((max(-1, min(sample, 1)) * 32767).rounded()) - predicted
            let step = steps[index]
            var (rest, code, change) = (abs(error), 0, step >> 3)
            for (bit, part) in [(4, step), (2, step >> 1), (1, step >> 2)] where rest >= part {
                code |= bit
                rest -= part
                change += part
            }
            predicted = max(-32768, min(error < 0 ? predicted - change : predicted + change, 32767))
            index = max(0, min(index + changes[code], steps.count - 1))
            let nibble = UInt8(error < 0 ? code | 8 : code)
            if n % 2 == 0 { bytes.append(nibble) } else { bytes[n / 2] |= nibble << 4 }
        }
        return bytes
    }
}
