internal import Glibc

/// A note of a player in a take, by its pitch.
package struct HeardNote: Sendable, Equatable {
    /// From when to when it is heard, in seconds from the start of the take.
    package var begin: Double
    package var end: Double
    /// Its pitch in Hz: the mean over the note, without its beginning and its end.
    package var hertz: Double
    /// How far it drifts from its beginning to its end, in cents; nil for a note of less than a second.
    package var drift: Double?
    /// Whether the pitch is the player's for certain.
    package var isSure: Bool

    package init(begin: Double, end: Double, hertz: Double, drift: Double? = nil, isSure: Bool) {
        (self.begin, self.end, self.hertz, self.drift, self.isSure) = (begin, end, hertz, drift, isSure)
    }

    /// The notes of a take of `rate` samples per second, beside a drone of these partials. A note ends where another begins:
    /// where the pitch jumps, after a pause, and at each of `begins`, in seconds.
    package static func all(
        in samples: [Float], rate: Int, drone partials: [Double], isSteady: Bool, begins: [Double]
    ) -> [HeardNote] {
        // With headphones, nobody hears the drone but the player.
        let isHeard =
            !partials.isEmpty
            && (PitchTracker.learnsPath(of: partials, in: samples, rate: rate, isSteady: isSteady)
                || SteadyTones.areHeard(partials, in: samples, rate: rate))
        var tracker = PitchTracker(rate: rate, drone: isHeard ? partials : [], isSteady: isSteady)
        return all(from: tracker.add(samples), begins: begins)
    }

    /// The notes of frames that follow each other.
    package static func all(from frames: [PitchTracker.Frame], begins: [Double]) -> [HeardNote] {
        runs(frames, begins: begins).compactMap(HeardNote.init)
    }

    // MARK: - From frames to notes

    /// The middle of a frame's sound is so long before its end, in seconds.
    private static let middle = 0.026
    /// A pitch that is farther away than this belongs to another note, in octaves; after so many frames it is one.
    private static let (jump, fewest) = (0.7 / 12, 4)
    /// A note goes on after so many frames without a pitch.
    private static let longestGap = 3
    /// What is left out of a note at its beginning and end, in frames, and how many must be left.
    private static let (attack, release, least) = (6, 4, 5)
    /// From this length on, in seconds, a drift is told.
    private static let long = 1.0
    /// A note that is not sure is told from this length on, in seconds.
    private static let shortestUnsure = 0.2
    /// The share of the frames that must be sure.
    private static let share = 0.75

    /// A moment of a note: when, its pitch in octaves above 1 Hz, and whether it is the player's.
    private typealias Moment = (seconds: Double, height: Double, isSure: Bool)

    /// The moments of each note.
    private static func runs(_ frames: [PitchTracker.Frame], begins: [Double]) -> [[Moment]] {
        let confirmed = confirmed(frames)
        var (runs, run, other): ([[Moment]], [Moment], [Moment]) = ([], [], [])
        var begins = begins.sorted()[...]
        var gap = 0
        func end() {
            if !run.isEmpty { runs.append(run) }
            (run, other) = (other, [])
        }
        for (index, frame) in frames.enumerated() {
            let seconds = frame.seconds - middle
            if let begin = begins.first, begin <= seconds {
                begins = begins.drop { $0 <= seconds }
                other = []
                end()
            }
            guard let hertz = frame.hertz else {
                gap += 1
                if gap > longestGap {
                    other = []
                    end()
                }
                continue
            }
            gap = 0
            let isSure = frame.isSure && (!frame.isByPath || confirmed[index])
            let moment = (seconds, log2(hertz), isSure)
            guard let last = run.last, abs(last.height - moment.1) > jump else {
                other = []
                run.append(moment)
                continue
            }
            if let first = other.last, abs(first.height - moment.1) > jump { other = [] }
            other.append(moment)
            if other.count >= fewest { end() }
        }
        other = []
        end()
        return runs
    }

    /// For each frame, whether the drone is heard alone afterwards, with the path that is known then.
    private static func confirmed(_ frames: [PitchTracker.Frame]) -> [Bool] {
        var isConfirmed = false
        return frames.reversed().map { frame in
            switch frame.path {
            case .confirmed: isConfirmed = true
            case .unknown: isConfirmed = false
            case .learned: break
            }
            return isConfirmed
        }.reversed()
    }

    private init?(_ run: [Moment]) {
        guard let first = run.first, let last = run.last, run.count >= HeardNote.least + 2 else { return nil }
        // Of a short note, less can be left out.
        let spare = run.count - HeardNote.least
        let attack = min(HeardNote.attack, spare * 3 / 5)
        let inner = run.dropFirst(attack).dropLast(min(HeardNote.release, spare - attack))
        let sure = inner.filter(\.isSure)
        let told = sure.count >= HeardNote.least ? sure : Array(inner)
        let middle = told.map(\.height).sorted()[told.count / 2]
        let heights = told.filter { abs($0.height - middle) < HeardNote.jump }
        let mean = heights.reduce(0) { $0 + $1.height } / Double(heights.count)
        (begin, end, hertz) = (first.seconds, last.seconds, exp2(mean))
        isSure = sure.count >= HeardNote.least && Double(sure.count) >= HeardNote.share * Double(inner.count)
        // What flares up for a moment where the drone is learned is no note.
        guard isSure || end - begin >= HeardNote.shortestUnsure else { return nil }
        drift = end - begin >= HeardNote.long ? HeardNote.slope(heights) * (end - begin) * 1200 : nil
    }

    /// By how many octaves the pitch rises in a second, by least squares. The middle counts most, so that a vibrato is no drift.
    private static func slope(_ moments: [Moment]) -> Double {
        let weighted = moments.enumerated().map { index, moment in
            let turn = sin(.pi * (Double(index) + 0.5) / Double(moments.count))
            return (x: moment.seconds, y: moment.height, weight: turn * turn)
        }
        let sum = weighted.reduce(0) { $0 + $1.weight }
        guard sum > 0 else { return 0 }
        let (x, y) = weighted.reduce((0.0, 0.0)) { ($0.0 + $1.x * $1.weight / sum, $0.1 + $1.y * $1.weight / sum) }
        let (up, along) = weighted.reduce((0.0, 0.0)) { sums, moment in
            let (dx, dy) = (moment.x - x, moment.y - y)
            return (sums.0 + moment.weight * dx * dy, sums.1 + moment.weight * dx * dx)
        }
        return along > 0 ? up / along : 0
    }
}
