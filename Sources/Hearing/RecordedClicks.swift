/// When the clicks of a recording of the metronome itself were heard, to a fraction of a frame.
package struct RecordedClicks: Sendable {
    /// A click: when it should be heard in seconds, and when it was; nil if it is not in the recording.
    package struct Click: Sendable, Equatable {
        package var nominal: Double
        package var heard: Double?
    }

    package let clicks: [Click]
    /// In how many places of the score the recording fits as well as here, with this one, which is the first.
    package let places: Int

    /// The stretch of a click that is compared, and how far it can be from where it is found, in seconds.
    private static let (length, reach) = (0.025, 0.006)
    /// How late a click can be for which the player had no time left.
    private static let latest = 0.032
    /// The least correlation with the click's own sound.
    private static let least = 0.5

    /// Measures the clicks in a recording of `rate` samples per second; nil if they are not heard in it.
    ///
    /// `coarse` is the same recording at `HeardTake.rate`, in which they are found; `shapes` are their sounds at `rate`.
    package init?(_ samples: [Float], rate: Int, shapes: [[Float]], coarse: [Float], known: KnownClicks) {
        guard let found = known.found(in: coarse, alone: true), found.clicks.count > 1 else { return nil }
        // A drone is low; and a click may begin with the first frame.
        let lead = Int(RecordedClicks.reach * Double(rate)) + 2
        func high(_ samples: [Float]) -> [Float] { KnownClicks.whitened(KnownClicks.whitened(samples)) }
        let padded = [Float](repeating: 0, count: lead) + high(samples)
        let sounds = shapes.map(high)
        let shift = Double(lead) / Double(rate)
        places = found.places
        // Beyond its ends, and where one of them cuts a click, the recording has lost nothing.
        let whole = 0...max(0, Double(samples.count) / Double(rate) - RecordedClicks.length - RecordedClicks.reach)
        clicks = found.clicks.indices.compactMap { index in
            let (sound, seconds) = (
                RecordedClicks.mixed(sounds, found, around: index, rate), found.clicks[index].seconds
            )
            let isAlone = found.nominal.count { abs($0 - found.nominal[index]) < 2 * RecordedClicks.latest } == 1
            let place = [0, RecordedClicks.latest - RecordedClicks.reach].prefix(isAlone ? 2 : 1).lazy.compactMap {
                RecordedClicks.place(of: sound, in: padded, about: seconds + shift, late: $0, rate)
            }.first
            guard place != nil || whole.contains(seconds) else { return nil }
            return Click(nominal: found.nominal[index], heard: place.map { $0 - shift })
        }
        if !clicks.contains(where: { $0.heard != nil }) { return nil }
    }

    /// The stretch of a click that is compared, with what is heard in it of clicks nearby, as those of other voices: alone, it
    /// would not be recognized among them.
    private static func mixed(_ sounds: [[Float]], _ found: KnownClicks.Found, around index: Int, _ rate: Int)
        -> [Float]
    {
        var mix = Array(sounds[found.clicks[index].shape].prefix(Int(length * Double(rate))))
        func add(_ other: Int) -> Bool {
            let distance = found.nominal[other] - found.nominal[index]
            guard abs(distance) < length else { return false }
            let (sound, frames) = (sounds[found.clicks[other].shape], distance * Double(rate))
            let (whole, part) = (Int(frames.rounded(.up)), Float(frames.rounded(.up) - frames))
            // Between two frames, a click is between two samples.
            for n in mix.indices where n >= whole && n - whole + 1 < sound.count {
                mix[n] += sound[n - whole] * (1 - part) + sound[n - whole + 1] * part
            }
            return true
        }
        var (before, after) = (index - 1, index + 1)
        while before >= 0, add(before) { before -= 1 }
        while after < found.nominal.count, add(after) { after += 1 }
        return mix
    }

    /// The seconds at which a shape correlates best with the recording, up to `late` seconds later than near a place.
    private static func place(
        of shape: [Float], in samples: [Float], about seconds: Double, late: Double, _ rate: Int
    ) -> Double? {
        let count = min(Int(length * Double(rate)), shape.count)
        let (middle, reach) = (Int((seconds * Double(rate)).rounded()), Int(reach * Double(rate)))
        let (first, last) = (
            max(0, middle - reach), min(samples.count - count - 1, middle + reach + Int(late * Double(rate)))
        )
        guard first + 2 < last else { return nil }
        let energy = shape.prefix(count).reduce(0.0) { $0 + Double($1 * $1) }
        let sums = (first...last).map { at -> Double in
            var sum = 0.0
            for n in 0..<count { sum += Double(samples[at + n]) * Double(shape[n]) }
            return sum
        }
        // A recorder may turn the signal upside down.
        guard let best = sums.indices.max(by: { abs(sums[$0]) < abs(sums[$1]) }), best > 0, best + 1 < sums.count
        else { return nil }
        var power = 0.0
        for n in 0..<count { power += Double(samples[first + best + n]) * Double(samples[first + best + n]) }
        guard sums[best] * sums[best] > least * least * energy * power, power > 0 else { return nil }
        let shift = Parabola.top(abs(sums[best - 1]), abs(sums[best]), abs(sums[best + 1]))
        return (Double(first + best) + shift) / Double(rate)
    }
}
