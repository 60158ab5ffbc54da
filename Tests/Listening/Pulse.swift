internal import Glibc
internal import Playback
internal import Scores
internal import Timing

/// Clicks for tests: short smooth pulses of one shape, whose size identifies the click sound. Their positions can be
/// found to a ten-thousandth of a frame without a synthesizer.
enum Pulse {
    /// The length of a pulse in frames.
    private static let width = 16.0
    private static let phases = 8

    /// The pulses for all click sounds.
    static let shapes: [ClickSound: ClickShape] = {
        let points = (0..<Int(width) * phases).map { n in
            Float(pow(sin(.pi * (Double(n) + 0.5) / (width * Double(phases))), 2))
        }
        let own = OwnSound(points: points, phases: phases)
        var shapes: [ClickSound: ClickShape] = [:]
        for sound in ClickSound.allCases {
            var shape = ClickShape()
            (shape.own, shape.gain) = (own, gain(of: sound))
            shapes[sound] = shape
        }
        return shapes
    }()

    private static func gain(of sound: ClickSound) -> Double {
        0.3 + 0.05 * Double(ClickSound.allCases.firstIndex(of: sound) ?? 0)
    }

    /// The pulses in samples that contain nothing else: where each begins and its sound, nil for a partial pulse or
    /// several at once. The clicks must have the standard level, or be louder than that by `loudness`.
    static func find(in samples: [Float], loudness: Double = 1) -> [(frame: Double, sound: ClickSound?)] {
        var found: [(frame: Double, sound: ClickSound?)] = []
        let level = Performance.standardClickLevel.amplitude * loudness
        var at = 0
        while let first = samples[at...].firstIndex(where: { abs($0) > 1e-5 }) {
            var end = first
            var (area, moment) = (0.0, 0.0)
            // Eight silent frames separate two pulses.
            var silent = 0
            while end < samples.count, silent < 8 {
                let sample = Double(samples[end])
                silent = abs(sample) > 1e-5 ? 0 : silent + 1
                area += sample
                moment += sample * Double(end)
                end += 1
            }
            let gain = area / (level * width / 2)
            let sound = ClickSound.allCases.min { abs(self.gain(of: $0) - gain) < abs(self.gain(of: $1) - gain) }
            let isOne = Double(end - first - silent) <= width + 2
            let isWhole = isOne && sound.map { abs(self.gain(of: $0) - gain) < 0.01 } ?? false
            let begin = moment / area - width / 2 + 0.5 / Double(phases)
            found.append((isWhole ? begin : Double(first), isWhole ? sound : nil))
            at = end
        }
        return found
    }
}
