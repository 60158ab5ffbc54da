internal import Glibc

/// Measures how loud a sound is: the gated loudness of ITU-R BS.1770-4, as `ffmpeg`'s `ebur128` and streaming services do.
///
/// A sample is weighted by a shelf and a high-pass filter ("K"). Its power is averaged over blocks of 400 ms, one every
/// 100 ms. Blocks below -70 LUFS, or more than 10 LU below the mean of others, do not count. All channels weigh 1, but a
/// single one weighs 2: it is heard on both sides (the "dual mono" of EBU Tech 3343 and `ffmpeg`).
///
/// The memory does not grow with the sound: blocks are counted in classes of 0.01 LU.
package struct LoudnessMeter: Sendable {
    package let channels: Int
    /// The highest sample so far, without its sign.
    package private(set) var peak: Float = 0

    private let rate: Int
    private let weighting: KWeighting
    private var filters: [KWeighting.State]
    /// Steps of 100 ms: how many have ended, how many frames the current one still needs, and the power in it.
    private var stepCount: Int64 = 0
    private var framesLeft: Int
    private var power = 0.0
    /// The power and the frames of the last four steps, which are a block.
    private var block: [(power: Double, frames: Int)] = []
    /// How many blocks each class has, and the sum of their mean powers.
    private var classes = [(count: Int, sum: Double)](repeating: (0, 0), count: LoudnessMeter.classCount)

    /// The classes cover -70 ... +30 LUFS.
    private static let classCount = 10_000
    private static let absoluteGate = -70.0
    private static let relativeGate = -10.0

    /// Makes a meter for interleaved samples of `channels` channels at `rate` frames per second; nil unless both are at
    /// least 1, and the rate is at least 4000, which the filters need.
    package init?(rate: Int, channels: Int) {
        guard rate >= 4000, channels >= 1 else { return nil }
        self.rate = rate
        self.channels = channels
        weighting = KWeighting(rate: Double(rate))
        filters = Array(repeating: KWeighting.State(), count: channels)
        framesLeft = rate / 10
    }

    /// Adds whole frames of interleaved samples.
    package mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        var at = 0
        let frames = samples.count / channels
        while at < frames {
            let count = min(frames - at, framesLeft)
            addToStep(UnsafeBufferPointer(rebasing: samples[(at * channels)..<((at + count) * channels)]))
            at += count
            framesLeft -= count
            if framesLeft == 0 { endStep() }
        }
    }

    private mutating func addToStep(_ samples: UnsafeBufferPointer<Float>) {
        // Silence after silence: hours of a plan are.
        if samples.isSilence, filters.allSatisfy(\.isAtRest) {
            for channel in filters.indices { filters[channel] = KWeighting.State() }
            return
        }
        for sample in samples { peak = max(peak, abs(sample)) }
        let frames = samples.count / channels
        for channel in 0..<channels {
            var state = filters[channel]
            var sum = 0.0
            for frame in 0..<frames {
                let y = weighting.filtered(Double(samples[frame * channels + channel]), &state)
                sum += y * y
            }
            power += channels == 1 ? 2 * sum : sum
            filters[channel] = state
        }
    }

    private mutating func endStep() {
        if block.count == 4 { block.removeFirst() }
        block.append((power, LoudnessMeter.frames(ofStep: stepCount, rate)))
        stepCount += 1
        power = 0
        framesLeft = LoudnessMeter.frames(ofStep: stepCount, rate)
        guard block.count == 4 else { return }
        let mean = block.reduce(0) { $0 + $1.power } / Double(block.reduce(0) { $0 + $1.frames })
        let index = LoudnessMeter.classIndex(LoudnessMeter.loudness(mean))
        guard let index else { return }
        classes[index].count += 1
        classes[index].sum += mean
    }

    /// The length of step n: a tenth of the rate on average, in whole frames.
    private static func frames(ofStep n: Int64, _ rate: Int) -> Int {
        Int((n + 1) * Int64(rate) / 10 - n * Int64(rate) / 10)
    }

    private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

    /// The class of a loudness; nil below the absolute gate.
    private static func classIndex(_ loudness: Double) -> Int? {
        guard loudness > absoluteGate else { return nil }
        return Int(min((loudness - absoluteGate) * 100, Double(classCount - 1)))
    }

    /// The loudness of all that was added, in LUFS; nil for silence, and for less than 400 ms.
    package var integrated: Double? {
        guard let all = LoudnessMeter.mean(classes[...]) else { return nil }
        let gate = LoudnessMeter.classIndex(LoudnessMeter.loudness(all) + LoudnessMeter.relativeGate) ?? 0
        return LoudnessMeter.mean(classes[gate...]).map(LoudnessMeter.loudness)
    }

    private static func mean(_ classes: ArraySlice<(count: Int, sum: Double)>) -> Double? {
        let count = classes.reduce(0) { $0 + $1.count }
        return count > 0 ? classes.reduce(0) { $0 + $1.sum } / Double(count) : nil
    }
}

extension UnsafeBufferPointer<Float> {
    /// Whether all samples are 0: the first one is, and each is like the one before, which the system compares fast.
    var isSilence: Bool {
        guard let first = baseAddress, count > 0 else { return true }
        return first.pointee == 0 && memcmp(first, first + 1, (count - 1) * MemoryLayout<Float>.size) == 0
    }
}

/// The K weighting of ITU-R BS.1770-4: a shelf (+4 dB above 1.7 kHz, as of a head), and a high-pass filter at 38 Hz.
///
/// The recommendation lists coefficients for 48 kHz only. Those for other rates are computed from the analog filters:
/// B. De Man, "Evaluation of Implementations of the EBU R128 Loudness Measurement", AES 145 (2018).
struct KWeighting: Sendable {
    private let shelf, highPass: Biquad

    struct State: Sendable {
        fileprivate var shelf = (0.0, 0.0)
        fileprivate var highPass = (0.0, 0.0)

        /// Whether nothing that could be measured is left of the samples before.
        var isAtRest: Bool { max(abs(shelf.0), abs(shelf.1), abs(highPass.0), abs(highPass.1)) < 1e-12 }
    }

    private struct Biquad: Sendable {
        var b0, b1, b2, a1, a2: Double

        /// The filter's next output: transposed direct form II.
        func filtered(_ x: Double, _ state: inout (Double, Double)) -> Double {
            let y = b0 * x + state.0
            state.0 = b1 * x - a1 * y + state.1
            state.1 = b2 * x - a2 * y
            return y
        }
    }

    /// Makes the filters for a rate in Hz.
    init(rate: Double) {
        let (gain, quality) = (pow(10, 3.999843853973347 / 20), 0.7071752369554196)
        let bend = pow(gain, 0.4996667741545416)
        var k = tan(.pi * 1681.974450955533 / rate)
        var a0 = 1 + k / quality + k * k
        shelf = Biquad(
            b0: (gain + bend * k / quality + k * k) / a0, b1: 2 * (k * k - gain) / a0,
            b2: (gain - bend * k / quality + k * k) / a0, a1: 2 * (k * k - 1) / a0, a2: (1 - k / quality + k * k) / a0)
        let width = 0.5003270373238773
        k = tan(.pi * 38.13547087602444 / rate)
        a0 = 1 + k / width + k * k
        highPass = Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / width + k * k) / a0)
    }

    func filtered(_ sample: Double, _ state: inout State) -> Double {
        highPass.filtered(shelf.filtered(sample, &state.shelf), &state.highPass)
    }
}
