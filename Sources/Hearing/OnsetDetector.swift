internal import Glibc

/// Finds where notes begin: where the levels of many bands rise.
///
/// Two rises are added. The slow one compares the 60 ms after a frame with the loudest of 0.12 s before it, in bands of a
/// long window: a new pitch shows even in a room where the old one still sounds. The fast one compares a frame with 20 ms
/// before it, in bands of a short window: it shows a note that is struck, and one that is repeated.
struct OnsetDetector {
    /// Frames after, in the gap, and before, which the slow rise compares.
    private static let (after, gap, before) = (15, 7, 30)
    /// With what was so many frames before, the fast rise compares a frame.
    private static let lag = 5
    /// Rises of a band that are smaller do not count, as decades of power; nor fast rises of all bands.
    private static let (leastSlow, leastFast): (Float, Float) = (0.3, 0.08)

    /// The rise in each frame.
    private(set) var rises: [Float]
    /// The fast rise in each frame.
    private(set) var fast: [Float]

    /// How the levels of a sound are looked at: in which bands, what is taken away, and what counts as silence.
    struct Look: Sendable {
        var bands: Bands
        var mask: ClickMask?
        var floor: Float
    }

    /// The windows in which the fast and the slow rises are looked for.
    static let windows = (fast: 1024, slow: 2048)

    /// Listens to a sound of `Bands.rate` samples per second, in which these clicks are known and do not count.
    init(_ samples: [Float], known: KnownClicks.Found? = nil) {
        func look(_ window: Int) -> Look {
            var bands = Bands(window: window)
            let mask = known.map { ClickMask($0.clicks, shapes: $0.shapes, samples, &bands) }
            return Look(bands: bands, mask: mask, floor: max(bands.floor(of: samples), mask?.floor ?? 0))
        }
        self.init(samples, fast: look(OnsetDetector.windows.fast), slow: look(OnsetDetector.windows.slow))
    }

    /// Listens to a sound of `Bands.rate` samples per second.
    init(_ samples: [Float], fast fastLook: Look, slow slowLook: Look) {
        let frames = Bands.frames(of: samples.count)
        fast = OnsetDetector.fastRises(samples, frames, fastLook)
        rises = OnsetDetector.slowRises(samples, frames, slowLook)
        for frame in 0..<frames { rises[frame] += max(0, fast[frame] - OnsetDetector.leastFast) / 2 }
    }

    private static func fastRises(_ samples: [Float], _ frames: Int, _ look: Look) -> [Float] {
        var bands = look.bands
        let (mask, floor) = (look.mask, look.floor)
        let count = bands.count
        var past = [[Float]](repeating: [Float](repeating: 0, count: count), count: lag)
        var rises = [Float](repeating: 0, count: frames)
        for frame in 0..<frames {
            var powers = bands.powers(of: samples, at: frame)
            mask?.apply(to: &powers, at: frame)
            let levels = powers.map { log10f(1 + $0 / floor) }
            if frame >= lag {
                let before = past[frame % lag]
                var sum: Float = 0
                for band in 0..<count { sum += max(0, levels[band] - before[band]) }
                rises[frame] = sum / Float(count)
            }
            past[frame % lag] = widened(levels)
        }
        return rises
    }

    /// In each band the highest level of itself and its neighbors, so that a vibrato is no rise.
    private static func widened(_ levels: [Float]) -> [Float] {
        var wide = levels
        for band in 1..<levels.count {
            wide[band] = max(wide[band], levels[band - 1])
            wide[band - 1] = max(wide[band - 1], levels[band])
        }
        return wide
    }

    private static func slowRises(_ samples: [Float], _ frames: Int, _ look: Look) -> [Float] {
        var bands = look.bands
        let (mask, floor) = (look.mask, look.floor)
        let count = bands.count
        // The last levels, as a ring; their means over five frames, widened, as another.
        let length = 64
        var levels = [Float](repeating: 0, count: length * count)
        var smooth = levels
        var (sum, few) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        var rises = [Float](repeating: 0, count: frames)
        for frame in 0..<(frames + after - 1) {
            var now = frame < frames ? bands.powers(of: samples, at: frame) : [Float](repeating: 0, count: count)
            mask?.apply(to: &now, at: frame)
            let (row, old, recent) = (frame % length, (frame + length - after) % length, (frame + length - 5) % length)
            for band in 0..<count {
                let level = log10f(1 + now[band] / floor)
                sum[band] += level - levels[old * count + band]
                few[band] += level - levels[recent * count + band]
                levels[row * count + band] = level
            }
            let wide = widened(few)
            let middle = (frame + length - 2) % length
            for band in 0..<count { smooth[middle * count + band] = wide[band] / 5 }
            // The frame whose `after` frames have all been heard now.
            let at = frame - after + 1
            guard at >= gap + before else { continue }
            var highest = [Float](repeating: 0, count: count)
            for past in (at - gap - before)...(at - gap) {
                let start = past % length * count
                for band in 0..<count { highest[band] = max(highest[band], smooth[start + band]) }
            }
            var rise: Float = 0
            for band in 0..<count { rise += max(0, sum[band] / Float(after) - highest[band] - leastSlow) }
            rises[at] = rise / Float(count)
        }
        return rises
    }

    /// Frames that rise more than those about them.
    func peaks() -> [(frame: Int, rise: Float)] {
        let reach = 8
        var peaks: [(frame: Int, rise: Float)] = []
        for frame in rises.indices {
            let rise = rises[frame]
            guard rise > 1e-3 else { continue }
            let about = max(0, frame - reach)...min(rises.count - 1, frame + reach)
            guard rises[about].allSatisfy({ $0 <= rise }), peaks.last.map({ frame - $0.frame > reach }) ?? true
            else { continue }
            peaks.append((frame, rise))
        }
        return peaks
    }
}

extension OnsetDetector {
    /// The onsets of a sound of `Bands.rate` samples per second.
    static func onsets(_ samples: [Float], known: KnownClicks.Found? = nil) -> [Onset] {
        OnsetDetector(samples, known: known).onsets(in: samples, clicks: known?.clicks.map(\.seconds) ?? [])
    }

    /// The same of the sound that was listened to, with known clicks at these seconds.
    func onsets(in samples: [Float], clicks: [Double]) -> [Onset] {
        let place = OnsetPlace(samples, rises: rises, clicks: clicks)
        return peaks().compactMap { frame, rise in
            guard rise > 0.004 else { return nil }
            let probability = 1 / (1 + pow(0.022 / Double(rise), 2.2))
            return Onset(seconds: place.seconds(ofFrame: frame), probability: probability)
        }.sorted { $0.seconds < $1.seconds }
    }
}
