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

    package init(begin: Double, end: Double, hertz: Double, drift: Double?, isSure: Bool) {
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
    /// A pitch that is farther away than this belongs to another note, in octaves; after so many frames it is one, and after so many
    /// if it is octaves away.
    private static let (jump, fewest, fewestOctaves) = (0.7 / 12, 4, 12)
    /// A note goes on after so many frames without a pitch.
    private static let longestGap = 3
    /// What is left out of a note at its beginning and end, in frames, and how many must be left.
    private static let (attack, release, least) = (6, 4, 5)
    /// From this length on, in seconds, a drift is told.
    private static let long = 1.0
    /// A note that is not sure is told from this length on, in seconds.
    private static let shortestUnsure = 0.2
    /// The greatest unrest of a note that is sure, in squares of cents in a second.
    private static let mostUnrest = 200.0
    /// By how many octaves the harmonics that the drone hides now and then may move the pitch of a note that is sure: 2 cents.
    private static let mostShift = 2.0 / 1200
    /// The share of the frames that must be sure.
    private static let share = 0.75
    /// The share of these that may be errors.
    private static let wrong = 0.03

    /// A pitch that is farther away from what is around it is an error of a moment, in octaves; so many frames are around it.
    private static let (spike, around) = (0.25 / 12, 5)
    /// A note has ended where it gets softer by so much within so many frames, by 5 dB, or is softer by so much than half of it is,
    /// by 10 dB. What rings on does not count.
    private static let (ending, fall, soft) = (pow(10, -0.5), 10, 0.1)

    /// A moment of a note: when, its pitch in octaves above 1 Hz, how loud it is, whether it is the player's, and what its
    /// harmonics tell.
    typealias Moment = (seconds: Double, height: Double, power: Double, isSure: Bool, partials: HeardPartials)

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
            let moment: Moment = (seconds, log2(hertz), frame.power, isSure, frame.partials)
            // One wrong frame is no other note.
            guard let last = run.last, abs(last.height - moment.height) > jump,
                abs(median(run.suffix(around)) - moment.height) > jump
            else {
                other = []
                run.append(moment)
                continue
            }
            if let last = other.last, abs(last.height - moment.height) > jump { other = [] }
            other.append(moment)
            // A note of which one harmonic fades is heard an octave off for a moment.
            let octaves = moment.height - median(run.suffix(around))
            let isOctave = abs(octaves - octaves.rounded()) < spike
            if other.count >= (isOctave ? fewestOctaves : fewest) { end() }
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

    private static func median(_ moments: some Sequence<Moment>) -> Double {
        let heights = moments.map(\.height).sorted()
        return heights[heights.count / 2]
    }

    /// The moments of a run, without its release: neither the last ones nor those before them in which a sound that nobody plays
    /// any more rings on.
    private static func played(_ run: [Moment]) -> ArraySlice<Moment> {
        var count = run.count - min(release, (run.count - least) * 2 / 5)
        let usual = run.map(\.power).sorted()[run.count / 2]
        while count > least + fall, case let power = run[count - 1].power,
            power < soft * usual || power < ending * run[count - 1 - fall].power
        { count -= 1 }
        return run[..<count]
    }

    private init?(_ run: [Moment]) {
        guard let first = run.first, let last = run.last, run.count >= HeardNote.least + 2 else { return nil }
        // Of a short note, less can be left out.
        let played = HeardNote.played(run)
        let inner = Array(played.dropFirst(min(HeardNote.attack, played.count - HeardNote.least)))
        let sure = inner.filter(\.isSure)
        let told = sure.count >= HeardNote.least ? sure : inner
        let middle = HeardNote.median(told)
        let near = told.filter { abs($0.height - middle) < HeardNote.jump }
        let steady = near.indices.filter { n in
            let others = near[max(0, n - HeardNote.around / 2)...min(near.count - 1, n + HeardNote.around / 2)]
            return abs(near[n].height - HeardNote.median(others)) < HeardNote.spike
        }.map { near[$0] }
        let heights = NotePitch.moments(steady, from: first.seconds)
        let mean = HeardNote.mean(heights)
        (begin, end, hertz) = (first.seconds, last.seconds, exp2(mean))
        isSure =
            sure.count >= HeardNote.least && Double(sure.count) >= HeardNote.share * Double(inner.count)
            && Double(told.count - steady.count) <= HeardNote.wrong * Double(told.count)
            && NotePitch.hasFundamental(steady)
            && abs(NotePitch.shift(steady, from: first.seconds)) <= HeardNote.mostShift
            && NotePitch.unrest(steady, heights, from: first.seconds) <= HeardNote.mostUnrest
        // What flares up for a moment where the drone is learned is no note.
        guard isSure || end - begin >= HeardNote.shortestUnsure else { return nil }
        drift = end - begin >= HeardNote.long ? HeardNote.slope(heights) * (end - begin) * 1200 : nil
    }

    /// Moments with a weight, which is largest in the middle: it then matters little with which part of a vibrato they begin and end.
    static func weighted(_ moments: [Moment]) -> [(x: Double, y: Double, weight: Double)] {
        moments.enumerated().map { index, moment in
            let turn = sin(.pi * (Double(index) + 0.5) / Double(moments.count))
            return (x: moment.seconds, y: moment.height, weight: turn * turn)
        }
    }

    /// The mean pitch; loud moments count more, by their amplitude.
    private static func mean(_ moments: [Moment]) -> Double {
        let (sum, weights) = zip(weighted(moments), moments).reduce((0.0, 0.0)) { sums, moment in
            let weight = moment.0.weight * moment.1.power.squareRoot()
            return (sums.0 + moment.0.y * weight, sums.1 + weight)
        }
        return sum / weights
    }

    /// By how many octaves the pitch rises in a second, by least squares.
    private static func slope(_ moments: [Moment]) -> Double {
        let weighted = weighted(moments)
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
