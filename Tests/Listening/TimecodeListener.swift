package import Scores

/// Reads linear timecode (SMPTE ST 12-1) in sound. It shares no code with what makes it: it measures where the signal
/// crosses zero, between two frames, and reads the bits from the distances.
package struct TimecodeListener {
    /// A word of timecode.
    package struct Word: Sendable, Equatable {
        /// Where its first bit begins, in frames of the sound.
        package var begin: Double
        package var hours, minutes, seconds, frames: Int
        package var drops: Bool
        /// Whether it has an even number of ones, as its polarity bit should see to.
        package var isEven: Bool
    }

    /// The length of a bit in frames, as heard last: timecode can become faster and slower.
    private var bitFrames: Double
    /// The last sample that was not zero, and its frame; and how many zeros came after it.
    private var last: (sample: Float, frame: Int) = (0, 0)
    private var frame = 0
    private var lastCrossing: Double?
    /// How many crossings there were since the last word or silence, and the longest way between two of them: a whole bit.
    private var (strange, longest) = (0, 0.0)
    private var half: Double?
    private var bits: [(one: Bool, begin: Double)] = []
    /// The words that have been read.
    package private(set) var words: [Word] = []

    /// Makes a listener for words that are about `framesOfWord` frames of the sound long.
    package init(framesOfWord: Double) { bitFrames = framesOfWord / 80 }

    /// Listens to the next samples.
    package mutating func listen(to samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            if sample != 0 {
                if frame - last.frame > 2 { (last.sample, lastCrossing, strange, longest) = (0, nil, 0, 0) }
                if last.sample * sample < 0 { cross(at: place(before: sample)) }
                last = (sample, frame)
            }
            frame += 1
        }
    }

    /// Where the signal was zero on its way to a sample with another sign than the last.
    private func place(before sample: Float) -> Double {
        if frame - last.frame == 2 { return Double(frame - 1) }
        return Double(frame - 1) + Double(last.sample) / (Double(last.sample) - Double(sample))
    }

    private mutating func reset() {
        half = nil
        bits.removeAll(keepingCapacity: true)
    }

    private mutating func cross(at place: Double) {
        defer { lastCrossing = place }
        guard let last = lastCrossing else { return reset() }
        (strange, longest) = (strange + 1, max(longest, place - last))
        if strange > 170 {
            // A word has at most 160 crossings: this is timecode of another speed.
            (bitFrames, strange, longest) = (longest, 0, 0)
            reset()
        }
        let length = (place - last) / bitFrames
        switch length {
        case 0.75..<1.4 where half == nil:
            bitFrames += (place - last - bitFrames) / 4
            take(false, last)
        case 0.3..<0.75:
            if let begin = half {
                half = nil
                bitFrames += (place - begin - bitFrames) / 4
                take(true, begin)
            } else {
                half = last
            }
        default: reset()
        }
    }

    private static let sync: [Bool] = [false, false] + Array(repeating: true, count: 12) + [false, true]

    private mutating func take(_ one: Bool, _ begin: Double) {
        bits.append((one, begin))
        if bits.count > 80 { bits.removeFirst() }
        guard bits.suffix(16).map(\.one) == TimecodeListener.sync else { return }
        if bits.count == 80 { words.append(word()) }
        (strange, longest) = (0, 0)
        bits.removeAll(keepingCapacity: true)
    }

    private func word() -> Word {
        func number(_ first: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 + (bits[first + $1].one ? 1 << $1 : 0) }
        }
        return Word(
            begin: bits[0].begin, hours: number(48, 4) + 10 * number(56, 2),
            minutes: number(32, 4) + 10 * number(40, 3),
            seconds: number(16, 4) + 10 * number(24, 3), frames: number(0, 4) + 10 * number(8, 2), drops: bits[10].one,
            isEven: bits.count { $0.one }.isMultiple(of: 2))
    }
}

extension TimecodeListener.Word {
    /// The time since midnight at which this word's frame of the film begins; nil if there is no such frame.
    package func time(_ rate: Timecode.Rate) -> Duration? {
        try? Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, rate: rate).duration
    }
}
