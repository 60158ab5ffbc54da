import Formats
import Foundation
import Playback
import Scores
import Testing
import Timing

/// Measurements of rendered sound.
@Suite("The sound of drone changes and holds")
struct DroneChangeTests {
    private static let rate = 48_000

    private static func render(_ text: String) throws -> [Float] {
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        let score = try #require(reading.score, "\(reading.diagnostics)")
        let performance = score.performance { $0.clickLevel = .off }
        let format = SoundFormat(rate: rate, channels: 1, samples: .float32)
        return try Renderer(performance, format: format).samples().withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
    }

    /// The level of a frequency between two times in s; 1 is a sine of full scale.
    private static func level(_ hertz: Double, _ samples: [Float], _ seconds: Range<Double>) -> Double {
        let frames = Int(seconds.lowerBound * Double(rate))..<Int(seconds.upperBound * Double(rate))
        var (x, y) = (0.0, 0.0)
        for n in frames {
            let place: Double = (Double(n - frames.lowerBound) + 0.5) / Double(frames.count)
            let hann: Double = 1 - cos(2 * Double.pi * place)
            let turns = (hertz * Double(n) / Double(rate)).truncatingRemainder(dividingBy: 1)
            x += Double(samples[n]) * hann * cos(2 * .pi * turns)
            y += Double(samples[n]) * hann * sin(2 * .pi * turns)
        }
        return (x * x + y * y).squareRoot() * 2 / Double(frames.count)
    }

    /// The largest second difference between frames, which shows steps and kinks.
    private static func bend(_ samples: [Float]) -> Double {
        var most = 0.0
        for n in 1..<(samples.count - 1) {
            most = max(most, abs(Double(samples[n + 1]) - 2 * Double(samples[n]) + Double(samples[n - 1])))
        }
        return most
    }

    @Test("each bar has exactly the notes of the score at their levels, holds keep them, and no change makes a step")
    func stretches() throws {
        let samples = try Self.render(
            """
            a4: 442
            drone: {pitch: A3, level: -20 dB, fade: 100 ms}
            bars:
              - 1
              - {duration: 1, hold: 2 at 0.5, drone: "D4, A4 -6dB"}
              - {duration: 1, drone: {level: -26 dB}}
              - {duration: 1, drone: off, hold: {until: cue, length: 1}}
              - {duration: 1, drone: E4}
            """)
        #expect(samples.count == 8 * Self.rate)
        let (a3, d4, e4, a4) = (221.0, 442 * pow(2, -7.0 / 12), 442 * pow(2, -5.0 / 12), 442.0)
        let stretches: [(Range<Double>, [Double: Double])] = [
            (0.2..<1, [a3: -20]),
            // The bar of the hold lasts three seconds.
            (1.2..<4, [d4: -20, a4: -26]),
            (4.2..<5, [d4: -26, a4: -32]),
            (5.2..<7, [:]),
            (7.2..<7.9, [e4: -26]),
        ]
        for (seconds, notes) in stretches {
            for hertz in [a3, d4, e4, a4] {
                let level = 20 * log10(Self.level(hertz, samples, seconds) + 1e-12)
                if let wanted = notes[hertz] {
                    #expect(abs(level - wanted) < 0.05, "\(hertz) Hz at \(seconds)")
                } else {
                    #expect(level < -90, "\(hertz) Hz at \(seconds)")
                }
            }
        }
        // The bound for two sines of these notes that fade in and out; a step of -70 dBFS would exceed it.
        let turn = 2 * Double.pi * 442 / Double(Self.rate)
        #expect(Self.bend(samples) < 2 * 0.15 * turn * turn + 0.000_1)
    }

    @Test("a fade is as long as the score says, at the beginning, at a change and at the end")
    func fades() throws {
        let samples = try Self.render(
            """
            drone: {pitch: 3000 Hz, level: -20 dB, fade: 1 s}
            bars: [2, {duration: 3, drone: {level: -40 dB, fade: 2 s}}]
            """)
        func peak(_ second: Double) -> Double {
            let first = Int(second * Double(Self.rate))
            return Double(samples[first..<first + 480].map(abs).max() ?? 0)
        }
        // A fade is at half of its level in the middle.
        #expect(abs(peak(0.495) - 0.05) < 0.001)
        #expect(abs(peak(1.5) - 0.1) < 0.000_1)
        #expect(abs(peak(2.995) - 0.055) < 0.001)
        // The fade of the change ends with the piece: it takes two of the three seconds after it.
        #expect(peak(4.98) < 0.000_1)
    }
}
