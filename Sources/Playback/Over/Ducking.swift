internal import CDrone
internal import Glibc
package import Scores
package import Timing

/// How much softer music is under cues: a gain for each frame, which follows from the events alone.
///
/// The gain falls before a cue begins, is at its lowest for as long as the cue sounds, and rises after its end, each along
/// a raised cosine in decibels. Between cues that are close together it stays down.
package struct Ducking: EventSink {
    /// How much softer music is under a cue, in dB.
    package static let depth = 12.0
    /// The time in which the gain falls, in seconds; it is over when the cue begins.
    package static let attack = 0.3
    /// The time in which the gain rises again, in seconds.
    package static let release = 0.6
    /// Between cues that are at most this many seconds apart, the gain stays down.
    package static let hold = 1.5

    private let rate: Int
    private let clicks: [ClickSound: ClickShape]
    /// The frames under cues, in order, more than `hold` apart.
    private var spans: [Range<Int64>] = []

    /// Makes a gain of 1 everywhere. The shapes of clicks change their lengths.
    package init(rate: Int, clicks: [ClickSound: ClickShape]) { (self.rate, self.clicks) = (rate, clicks) }

    /// How far ahead of a frame events must be known for its gain, in frames.
    package var lookahead: Int64 { frames(max(Ducking.attack, Ducking.hold) + 0.1) }

    private func frames(_ seconds: Double) -> Int64 { Int64((seconds * Double(rate)).rounded()) }

    package var hasRoom: Bool { true }

    /// Takes an event. Drone, beats and the steps of a run may go on for long: music is not ducked under them.
    @discardableResult
    package mutating func push(_ event: Event) -> Bool {
        let begin = event.position.frame
        switch event.kind {
        case .drone, .timecode: break
        case .click(let sound, _, _) where sound.isInner: break
        case .speech(let word, let amplitude):
            if amplitude > 0 { duck(begin..<(begin + Int64(word.frameCount))) }
        case .click(let sound, let amplitude, _):
            if amplitude > 0 { duck(begin..<(begin + length(of: sound))) }
        }
        return true
    }

    /// The length of a click in frames, rounded up, and one more if it begins between frames.
    private func length(of sound: ClickSound) -> Int64 {
        Int64((clicks[sound] ?? ClickShape()).frames(of: sound, rate: rate).rounded(.up)) + 1
    }

    /// Lowers the gain under a cue. Cues come in the order of their beginnings.
    package mutating func duck(_ cue: Range<Int64>) {
        guard let last = spans.last, cue.lowerBound - last.upperBound <= frames(Ducking.hold) else {
            return spans.append(cue)
        }
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, cue.upperBound)
    }

    /// Forgets cues that no frame from `frame` on depends on.
    package mutating func forget(before frame: Int64) {
        let kept = spans.firstIndex { $0.upperBound + frames(Ducking.hold) >= frame } ?? spans.count
        spans.removeFirst(kept)
    }

    /// The gains of `count` frames from `frame` on. Every event up to `lookahead` after them must have been pushed.
    package func gains(from frame: Int64, count: Int) -> [Float] {
        var gains = [Float](repeating: 1, count: count)
        let (fall, rise) = (frames(Ducking.attack), frames(Ducking.release))
        for span in spans {
            let reach = (span.lowerBound - fall)..<(span.upperBound + rise)
            let part = reach.clamped(to: frame..<(frame + Int64(count)))
            for at in part {
                let share: Double =
                    if at < span.lowerBound {
                        Double(at - reach.lowerBound) / Double(fall)
                    } else if at < span.upperBound {
                        1
                    } else {
                        Double(reach.upperBound - at) / Double(rise)
                    }
                gains[Int(at - frame)] = Ducking.gain(share)
            }
        }
        return gains
    }

    /// The gain when the music is ducked by a share of 0 ... 1.
    private static func gain(_ share: Double) -> Float {
        if share >= 1 { return lowest }
        return Float(pow(10, -depth / 20 * (0.5 - 0.5 * cos(.pi * share))))
    }

    package static let lowest = Float(pow(10, -depth / 20))
}
