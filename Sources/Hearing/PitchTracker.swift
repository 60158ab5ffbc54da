internal import Glibc

/// The pitch of a player as it sounds, one voice at a time: a frame every hundredth of a second.
///
/// The period is found by the normalized difference function (McLeod and Wyvill, "A smarter way to find pitch", 2005); the
/// fractions of a cent come from how the phases of the harmonics advance between two windows.
package struct PitchTracker: Sendable {
    /// What is heard about a moment.
    package struct Frame: Sendable, Equatable {
        /// The end of the sound from which it was found, in seconds.
        package var seconds: Double
        /// The pitch in Hz; nil where no note is heard.
        package var hertz: Double?
        /// How loud what is heard without the drone is, as a power; 0 where no note is heard.
        package var power = 0.0
        /// What its harmonics tell of it.
        package var partials = HeardPartials()
        /// Whether it is the player's for certain: where the drone has the same pitch, only if its path is known.
        package var isSure: Bool
        /// What is known of the path of the drone from the loudspeaker to the microphone.
        package var path = Path.unknown
        /// Whether it is sure only by that path.
        package var isByPath = false
    }

    /// What is known of the path of a drone.
    package enum Path: Sendable {
        /// It is not known, or not any more.
        case unknown
        /// It was learned before somebody played.
        case learned
        /// The drone is heard alone, as it was learned.
        case confirmed
    }

    /// How far frames are apart, in seconds.
    package static let step = 0.010
    /// The lowest and the highest pitch, in Hz.
    package static let range = 55.0...2500.0
    /// How much sound a frame needs, and how far the second window comes after the first, in seconds.
    private static let (length, advance) = (0.042, step)
    /// How alike a sound must be to itself a period later, and how much of the best likeness the first peak must have.
    private static let (clarity, nearlyBest): (Float, Float) = (0.7, 0.9)
    /// Below this level nothing is heard: -60 dB.
    private static let quiet: Float = 0.001
    /// The weight of a harmonic that is near a partial of the drone, where what is taken out rings for a moment.
    static let near = 0.01
    /// A player must be so much louder than what is left of the drone, as a power, to be heard, and to be sure in unison: 6 and
    /// 20 dB.
    private static let (heard, louder) = (4.0, 100.0)
    /// So much of what the drone hides must be in the other harmonics of a note, as a power, to be sure: a chord that begins or slips
    /// sounds like the low note of which all its partials are harmonics.
    private static let open = 0.1
    /// Harmonics below the first frequency in Hz tell the pitch; above the second one, only the first three are looked at.
    private static let (dominant, highest) = (600.0, 3000.0)
    /// A pitch that moves by less than this from frame to frame is that of the same note, in octaves; it is young for so many frames.
    private static let (same, young) = (0.7 / 12, 24)
    /// From here on, and from an octave higher on, windows are half and a quarter as long, in Hz: nine periods are left.
    private static let high = 450.0
    /// So many harmonics are looked at, at most.
    private static let harmonics = 12

    private let rate: Double
    private let (window, hop): (Int, Int)
    /// Pairs of windows: one for low notes, and shorter ones for those that are an octave and two octaves higher.
    private var tones: [TonePair]
    private let longestLag: Int
    private var drone: KnownDrone
    private var halving: Halving?
    /// How many frames in a row have heard the same note, and its pitch in octaves.
    private var (age, last) = (0, 0.0)
    /// The newest sound as it came, without the drone, and without the drone by its path: `window` and `hop` samples.
    private var whole: [Float] = []
    private var samples: [Float] = []
    private var still: [Float] = []
    private var watch = DroneWatch()
    private var taken = 0
    private var likeness: [Float]
    /// The sound without the drone since it was taken last, at `soundRate`; empty unless it is kept.
    private var rest: [Float] = []
    private var keepsRest = false

    /// Begins to listen to a sound of `rate` samples per second, in which a drone with these partials may be heard. `isSteady`
    /// means that the level of each partial stays the same.
    package init(rate: Int, drone partials: [Double] = [], isSteady: Bool = true) {
        halving = rate >= 40_000 ? Halving() : nil
        self.rate = halving == nil ? Double(rate) : Double(rate) / 2
        hop = Int((PitchTracker.advance * self.rate).rounded())
        let count = Int(PitchTracker.length * self.rate)
        window = count
        tones = [1, 2, 4].map { [hop] part in
            TonePair(count / part, at: (count + hop) * (part - 1) / (2 * part), hop: hop / part)
        }
        longestLag = Int(self.rate / PitchTracker.range.lowerBound) + 2
        likeness = [Float](repeating: 0, count: longestLag + 1)
        drone = KnownDrone(partials: partials, rate: self.rate, isSteady: isSteady)
    }

    /// Samples per second of the sound without the drone.
    package var soundRate: Double { rate }

    /// From now on the sound without the drone is kept; returns what there is of it since the last call.
    package mutating func takeSound() -> [Float] {
        keepsRest = true
        defer { rest.removeAll(keepingCapacity: true) }
        return rest
    }

    /// The place in the sound without the drone of a sample of the sound as it came, counted from the first.
    package func place(of sample: Double) -> Double {
        halving == nil ? sample : (sample + Double(Halving.delay)) / 2
    }

    /// Listens on beside another drone.
    package mutating func use(drone partials: [Double], isSteady: Bool) {
        drone = KnownDrone(partials: partials, rate: rate, isSteady: isSteady)
    }

    /// Takes more sound; returns the frames that it completes.
    package mutating func add(_ sound: some Sequence<Float>) -> [Frame] {
        var frames: [Frame] = []
        for sample in sound {
            guard let sample = lowered(sample) else { continue }
            let without = drone.without(sample)
            if keepsRest { rest.append(without.rest) }
            whole.append(sample)
            samples.append(without.rest)
            still.append(without.still)
            taken += 1
            guard samples.count == window + hop else { continue }
            frames.append(frame())
            whole.removeFirst(hop)
            samples.removeFirst(hop)
            still.removeFirst(hop)
        }
        return frames
    }

    /// Whether the path of a drone with these partials can be learned somewhere in a sound. It ends as soon as it is.
    static func learnsPath(of partials: [Double], in sound: [Float], rate: Int, isSteady: Bool) -> Bool {
        var tracker = PitchTracker(rate: rate, drone: partials, isSteady: isSteady)
        guard tracker.drone.path != nil else { return false }
        for sample in sound {
            guard let sample = tracker.lowered(sample) else { continue }
            _ = tracker.drone.without(sample)
            if tracker.drone.path?.isKnown == true { return true }
        }
        return false
    }

    /// The sample at the rate of the frames; nil if there is none.
    private mutating func lowered(_ sample: Float) -> Float? {
        guard let sample = halving == nil ? sample : halving?.take(sample) ?? nil else { return nil }
        return sample.isFinite ? sample : 0
    }

    private mutating func frame() -> Frame {
        var frame = Frame(seconds: Double(taken) / rate, hertz: nil, isSure: false)
        if let path = drone.path, path.isKnown { frame.path = path.isConfirmed ? .confirmed : .learned }
        let verdict = watch.look(
            whole, still, hop: hop, isLoud: frame.path != .unknown && isLoud(still, by: PitchTracker.louder), &drone)
        // Where the path explains the whole sound, nobody plays.
        if frame.path != .unknown, !isLoud(still, by: PitchTracker.heard) {
            (age, last) = (0, 0)
            return frame
        }
        let found = grown(pitch(samples, byPath: false))
        var isByPath = false
        if let found, found.isSure || frame.path == .unknown {
            (frame.hertz, frame.isSure, frame.partials) = (found.hertz, found.isSure, found.partials)
            // A drone that slips rings for a moment where it is taken out.
            if verdict == .young, frame.path != .unknown, found.far < 0.5 { frame.isSure = false }
        } else if frame.path != .unknown, let found = pitch(still, byPath: true) {
            (frame.hertz, frame.isSure, frame.partials) = (found.hertz, found.isSure, found.partials)
            isByPath = found.isSure
            frame.isSure = found.isSure && verdict == .played && drone.path?.isDoubted == false
            frame.isByPath = frame.isSure
        }
        if verdict == .slipped { frame.isSure = false }
        if let hertz = frame.hertz {
            let sound = isByPath ? still : samples
            frame.power = PitchTracker.power(sound[tones[pair(hertz)].place])
        }
        return frame
    }

    /// A note begins beside a drone whose own level is then found again: until that is done, the harmonics near the drone tell no
    /// more than about where it is.
    private mutating func grown(_ found: Found?) -> Found? {
        let height = found.map { log2($0.hertz) }
        age = height.map { abs($0 - last) < PitchTracker.same } ?? false ? age + 1 : 0
        last = height ?? 0
        guard var found else { return nil }
        found.isSure = found.isSure && !(age < PitchTracker.young && found.partials.isNearDrone)
        return found
    }

    /// The pair of windows for a pitch. The pitch of a vibrato depends on how loud each harmonic is when, which a long window blurs;
    /// and a harmonic that is far from its place turns too far in a long hop. But a short window does not keep the drone apart.
    private func pair(_ hertz: Double) -> Int {
        tones.indices.last { index in
            hertz >= PitchTracker.high * Double(1 << index) / 2
                && (1...3).allSatisfy { !drone.isWithin(tones[index].width * rate, of: hertz * Double($0)) }
        } ?? 0
    }

    /// A pitch, whether it is the player's, what its harmonics tell of it, and the share of their power that is not near the drone.
    private typealias Found = (hertz: Double, isSure: Bool, partials: HeardPartials, far: Double)

    /// The pitch of a sound; nil if there is no note.
    private mutating func pitch(_ samples: [Float], byPath: Bool) -> Found? {
        guard let coarse = period(samples), var found = refined(samples, rate / coarse, byPath) else { return nil }
        let octaves = log2(found.hertz * coarse / rate)
        found.isSure = found.isSure && abs(1200 * octaves) < 60
        found.partials.rebase(by: octaves)
        return found
    }

    /// The period in samples, coarsely; nil if there is no note.
    private mutating func period(_ samples: [Float]) -> Double? {
        let count = samples.count
        var power: Float = 0
        samples.withUnsafeBufferPointer { power = PitchTracker.product($0, 0, count) }
        guard power > PitchTracker.quiet * PitchTracker.quiet * Float(count) else { return nil }
        let shortest = max(Int(rate / PitchTracker.range.upperBound) - 1, 2)
        // The powers of both ends shrink with the lag.
        var energy = 2 * power
        let lags = min(longestLag, count - 2)
        samples.withUnsafeBufferPointer { all in
            for lag in 0...lags {
                if lag > 0 { energy -= all[lag - 1] * all[lag - 1] + all[count - lag] * all[count - lag] }
                likeness[lag] = energy > 0 ? 2 * PitchTracker.product(all, lag, count - lag) / energy : 0
            }
        }
        // The peaks between rising and falling through zero, after the one at lag 0.
        var peaks: [(lag: Int, value: Float)] = []
        var lag = 1
        while lag < lags, likeness[lag] > 0 { lag += 1 }
        while lag < lags {
            while lag < lags, likeness[lag] <= 0 { lag += 1 }
            var best = lag
            while lag < lags, likeness[lag] > 0 {
                if likeness[lag] > likeness[best] { best = lag }
                lag += 1
            }
            if best >= shortest, best < lags, lag < lags || likeness[best] > likeness[best - 1] {
                peaks.append((best, likeness[best]))
            }
        }
        guard let best = peaks.map(\.value).max(), best > PitchTracker.clarity,
            let first = peaks.first(where: { $0.value >= PitchTracker.nearlyBest * best })
        else { return nil }
        return Double(first.lag)
            + Parabola.top(
                Double(likeness[first.lag - 1]), Double(likeness[first.lag]), Double(likeness[first.lag + 1]))
    }

    /// The sum of products of a sound with itself, `lag` later.
    private static func product(_ all: UnsafeBufferPointer<Float>, _ lag: Int, _ count: Int) -> Float {
        all.baseAddress.map { Products.sum($0, $0 + lag, count) } ?? 0
    }

    /// The pitch by the phases of the harmonics, each with its weight: its power times its share. Those that
    /// the drone hides do not count; a note of which most is hidden is not sure. By the path of the drone, those count that are
    /// much louder than what is left of it.
    private mutating func refined(_ samples: [Float], _ coarse: Double, _ byPath: Bool) -> Found? {
        let most = min(PitchTracker.harmonics, Int(rate / 2.2 / coarse), max(3, Int(PitchTracker.highest / coarse)))
        guard most >= 1 else { return nil }
        var (sum, weights, strongest, loudest) = (0.0, 0.0, 0.0, 0.0)
        let pair = pair(coarse)
        tones[pair].take(samples)
        var estimate = coarse
        var partials = HeardPartials()
        var (hidden, near, far) = (0.0, 0.0, 0.0)
        for h in 1...most {
            let hertz = estimate * Double(h)
            let turn = 2 * .pi * hertz / rate
            let (before, after) = tones[pair].tones(turn)
            let power = after.real * after.real + after.imaginary * after.imaginary
            if !byPath, drone.hides(hertz) {
                hidden += power
                partials.hide(h)
                continue
            }
            if byPath, power < PitchTracker.louder * drone.leftover(hertz) {
                partials.hide(h)
                continue
            }
            let isNear = !byPath && drone.isNear(hertz)
            if isNear { near += power } else { far += power }
            loudest = max(loudest, power)
            guard power > loudest * 1e-4 else { continue }
            // How far the phase has advanced beyond what this frequency would have.
            let turned = atan2(
                after.imaginary * before.real - after.real * before.imaginary,
                after.real * before.real + after.imaginary * before.imaginary)
            let change = turned * rate / (2 * .pi * Double(tones[pair].hop))
            // A high harmonic turns too far to be told apart from the next turn until lower ones have told where it is.
            let full = power * PitchTracker.share(hertz)
            let weight = isNear ? full * PitchTracker.near : full
            let first = (hertz + change) / Double(h)
            if first > 0 { partials.add(h, height: log2(first / coarse), weight: full, isNear: isNear) }
            sum += first * weight
            weights += weight
            estimate = sum / weights
            strongest = max(strongest, power)
        }
        guard weights > 0 else { return (coarse, false, partials, 0) }
        if byPath { return (estimate, isLoud(samples, by: PitchTracker.louder), partials, 1) }
        let isSure = !drone.hides(estimate) && near + far > PitchTracker.open * hidden
        return (estimate, isSure, partials, far / max(near + far + hidden, .leastNormalMagnitude))
    }

    /// How much a harmonic counts, by its frequency: as an ear does, by those below `dominant` above all. Those of a stiff string are
    /// the sharper the higher they are.
    private static func share(_ hertz: Double) -> Double {
        let high = hertz / dominant
        return 1 / (1 + high * high)
    }

    /// Whether a sound is louder by this factor than what is left of the drone.
    private func isLoud(_ samples: [Float], by factor: Double) -> Bool {
        PitchTracker.power(samples[...]) > factor * (drone.path?.leftover ?? .infinity)
    }

    private static func power(_ samples: ArraySlice<Float>) -> Double {
        Double(samples.withUnsafeBufferPointer { product($0, 0, $0.count) }) / Double(samples.count)
    }
}
