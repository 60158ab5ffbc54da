public import Playback
public import Scores
internal import Timing

/// A click that was found in samples.
public struct Onset: Sendable {
    /// Where it begins, in frames from the first sample; may be fractional.
    public var frame: Double
    /// The sound of the click.
    public var sound: ClickSound
    /// The energy that is left after the fitted click has been subtracted, as a share of the energy before.
    public var residue: Double
}

/// Finds clicks in samples by fitting the synthesizer's clicks to them at fractional positions.
public struct OnsetFinder: ~Copyable {
    private var engine: Engine
    private let amplitude: Double
    private let sounds: [ClickSound]
    /// The number of frames of a click that are fitted, and the number after which it has decayed.
    private static let length = 600
    private static let whole = 24_000
    /// The fit begins this many frames before the first sample above the threshold.
    private static let lead = 4

    /// Creates a finder of clicks with a peak of `amplitude` at `rate` frames per second.
    public init(rate: Int, amplitude: Double, sounds: [ClickSound] = [.bar, .line, .countIn]) throws(EngineError) {
        engine = try Engine(SoundFormat(rate: rate, channels: 1, samples: .float32), rewind: 2 * Self.whole)
        self.amplitude = amplitude
        self.sounds = sounds
    }

    /// All clicks, in order, in samples that contain nothing else. A click may ring into the next.
    public mutating func onsets(in samples: [Float]) throws(EngineError) -> [Onset] {
        var found: [Onset] = []
        var samples = samples
        let threshold = Float(amplitude * 1e-4)
        var at = 0
        while let first = samples[at...].firstIndex(where: { abs($0) > threshold }) {
            if first >= Self.lead, first + Self.length < samples.count {
                let piece = samples[(first - Self.lead)..<(first - Self.lead + Self.length)].map(Double.init)
                var best: Onset?
                for sound in sounds {
                    let (begin, residue) = try fit(piece, sound)
                    if residue < best?.residue ?? .infinity {
                        best = Onset(frame: Double(first - Self.lead) + begin, sound: sound, residue: residue)
                    }
                }
                // A click that a fault has cut does not fit any sound, and is skipped.
                if let best, best.residue < 0.01 {
                    found.append(best)
                    let begin = best.frame - Double(first - Self.lead)
                    let ringing = try click(best.sound, at: begin, frames: Self.whole)
                    for i in 0..<min(Self.whole, samples.count - first + Self.lead) {
                        samples[first - Self.lead + i] -= Float(ringing[i])
                    }
                }
            }
            let isClick = found.last.map { $0.frame >= Double(first - Self.lead) } ?? false
            at = min(first + (isClick ? Self.length : 8 * Self.length), samples.count)
        }
        return found
    }

    /// Where in the piece the click begins, by the Gauss-Newton method, and the residue.
    private mutating func fit(_ piece: [Double], _ sound: ClickSound) throws(EngineError) -> (
        begin: Double, residue: Double
    ) {
        var begin = Double(Self.lead) - 0.5
        let step = 1.0 / 64
        for _ in 0..<12 {
            let here = try click(sound, at: begin)
            let there = try click(sound, at: begin + step)
            var (across, along) = (0.0, 0.0)
            for i in piece.indices {
                let slope = (there[i] - here[i]) / step
                across += slope * (piece[i] - here[i])
                along += slope * slope
            }
            let move = min(max(across / along, -0.5), 0.5)
            begin = min(max(begin + move, 0), Double(Self.lead) + 40)
            if abs(move) < 1e-7 { break }
        }
        let here = try click(sound, at: begin)
        let left = zip(piece, here).reduce(0.0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return (begin, left / piece.reduce(0.0) { $0 + $1 * $1 })
    }

    /// The synthesizer's click, beginning at a frame from 0 to about `lead`.
    private mutating func click(_ sound: ClickSound, at place: Double, frames: Int = length) throws(EngineError)
        -> [Double]
    {
        let whole = place.rounded(.down)
        let position = FramePosition(frame: Int64(whole), fraction: place - whole)
        guard engine.begin(at: 0) else { throw EngineError.outOfMemory }
        engine.push(Event(position, .click(sound, amplitude: amplitude)))
        engine.commit(horizon: .max)
        var samples = [Float](repeating: 0, count: frames)
        if engine.frame > 0 { try engine.seek(to: 0) }
        engine.decide()
        samples.withUnsafeMutableBytes { engine.render(frames, into: $0) }
        return samples.map(Double.init)
    }
}
