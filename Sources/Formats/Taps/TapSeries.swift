internal import Languages
internal import Scores

/// The times of taps on beats, each with the number of its beat: double taps are left out, and missed beats counted.
package struct TapSeries {
    /// A tap on a beat.
    package struct Tap: Equatable {
        /// The number of the beat, from 0; it rises from tap to tap.
        package var beat: Int
        /// Seconds after the first tap.
        package var time: Double
    }

    package private(set) var taps: [Tap] = []
    /// What was left out or assumed, for the player.
    package private(set) var notes: [String] = []
    /// The time of the first tap, by which the player knows the others, in seconds.
    private let start: Double

    /// A tap that comes sooner than this part of a beat after another one belongs to the same beat.
    private static let double = 0.4
    /// Taps are compared with the beats around them: this many before and after.
    private static let reach = 4

    /// Numbers the beats of taps. The times must rise.
    package init(_ times: [Duration]) {
        let first = times.first ?? .zero
        start = first / .seconds(1)
        guard !times.isEmpty else { return }
        let seconds = times.map { ($0 - first) / .seconds(1) }
        let single = dropDoubles(seconds)
        let steps = zip(single.dropFirst(), single).map { $0 - $1 }
        var beat = 0
        taps = [Tap(beat: 0, time: single[0])]
        for (i, step) in steps.enumerated() {
            let count = max(1, (step / TapSeries.median(steps, around: i)).rounded())
            // A pause of a thousand beats is no missed tap; the limit keeps the number of beats small.
            let beats = Int(min(count, 1000))
            if beats > 1 {
                let before = shown(single[i])
                notes.append(
                    beats == 2
                        ? localized("1 beat without a tap after \(before): its time is estimated")
                        : localized("\(beats - 1) beats without a tap after \(before): its time is estimated"))
            }
            beat += beats
            taps.append(Tap(beat: beat, time: single[i + 1]))
        }
    }

    private mutating func dropDoubles(_ seconds: [Double]) -> [Double] {
        let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
        var single = [seconds[0]]
        for (i, time) in seconds.dropFirst().enumerated() {
            if time - single[single.count - 1] < TapSeries.double * TapSeries.median(steps, around: i) {
                notes.append(localized("the tap at \(shown(time)) is a double one and left out"))
            } else {
                single.append(time)
            }
        }
        return single
    }

    /// A time after the first tap as the player knows it, on a clock with milliseconds.
    package func shown(_ time: Double) -> String {
        Duration.milliseconds(Int64(((start + time) * 1000).rounded())).clock(decimals: 3)
    }

    /// The median of the steps around one of them.
    private static func median(_ steps: [Double], around index: Int) -> Double {
        let near = steps[max(index - reach, 0)...min(index + reach, steps.count - 1)].sorted()
        // The larger of two middle values: a double tap makes two steps too short.
        return near[near.count / 2]
    }
}
