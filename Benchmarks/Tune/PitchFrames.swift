import Foundation
import Hearing

/// Prints each frame that `PitchTracker` finds in a sound on standard input, 32-bit floats on one channel: its time, its pitch
/// in Hz or 0, and whether it is sure. For Benchmarks/Tune/bench.
@main
struct PitchFrames {
    static func main() {
        let words = CommandLine.arguments.dropFirst().compactMap { Double($0) }
        guard let rate = words.first else {
            FileHandle.standardError.write(Data("bench-tune RATE [PARTIAL ...] < sound.f32\n".utf8))
            exit(64)
        }
        let samples = FileHandle.standardInput.readDataToEndOfFile().withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
        var tracker = PitchTracker(rate: Int(rate), drone: Array(words.dropFirst()))
        let lines = tracker.add(samples).map { "\($0.seconds) \($0.hertz ?? 0) \($0.isSure ? 1 : 0)\n" }
        FileHandle.standardOutput.write(Data(lines.joined().utf8))
    }
}
