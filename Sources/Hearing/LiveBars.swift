internal import Glibc

/// Hears a player while the music plays: how late each bar begins. It uses the detector and the model of `HeardTake`, one bar
/// at a time, and knows where each bar should begin.
///
/// All places are in samples of the sound, counted from its first one, which has about `Bands.rate` in a second.
package struct LiveBars: Sendable {
    /// A click of the music, or a place without one at which a bar begins.
    package struct Click: Sendable {
        package var place: Double
        /// Its sound, one of the shapes; nil if it is silent.
        package var shape: Int?
        /// The number of the bar that it begins; nil for a click within a bar or in a count-in.
        package var bar: Int?
        /// Whether the music did not go on to this bar from the one before: it jumped, or was paused.
        package var isRestart: Bool

        package init(place: Double, shape: Int?, bar: Int?, isRestart: Bool = false) {
            (self.place, self.shape, self.bar, self.isRestart) = (place, shape, bar, isRestart)
        }
    }

    /// What was heard of a bar.
    package struct Heard: Sendable, Equatable {
        package var bar: Int
        /// How much later than it should it began, in seconds, negative if earlier; nil if that is unsure.
        package var late: Double?
    }

    /// Samples per second.
    private let rate: Double
    /// Whether the sound is known to arrive at its place; otherwise clicks that are heard tell.
    private let isPlaced: Bool
    private let shapes: Int
    private var path: ClickPath
    private var (fast, slow) = (LiveBars.look(OnsetDetector.windows.fast), LiveBars.look(OnsetDetector.windows.slow))
    private var masks: (fast: [[ClickMask.Piece]], slow: [[ClickMask.Piece]])

    /// The newest sound, and the place of its first sample.
    private var sound: [Float] = []
    private var first = 0
    /// Onsets before this place are known; and all clicks before that one.
    private var frontier = 0
    package private(set) var known = 0.0
    private var isFinishing = false
    /// How many samples have been looked at, those twice that were looked at twice. What listening costs is in proportion.
    package private(set) var looked = 0
    private var clicks: [(click: Click, isLooked: Bool, isLearned: Bool)] = []
    private var onsets: [Onset] = []
    private var pending: [(bar: Int, place: Double, shape: Int?, isRestart: Bool)] = []
    /// The last bar before them: where it should begin, where it began, and how far from a click; nil if that is unsure.
    private var last: (place: Double, heard: Double?, fromClick: Double?)?

    /// How much sound is kept and judged by, and how much is listened to at a time, in samples: 10 s and 0.6 s.
    private static let (kept, step) = (240_000, 14_400)
    /// What the detector needs before an onset and after it, in samples: 0.3 and 0.18 s.
    private static let (lead, tail) = (76 * Bands.hop, 45 * Bands.hop)
    /// A player is at most so many seconds off, and as a share of the bar.
    private static let (reach, share) = (0.35, 0.45)
    /// For so many seconds onsets tell how many notes there are.
    private static let past = 12.0
    /// Onsets nearer than this in seconds are the same.
    private static let same = 0.005
    /// The least probability of an onset that begins a bar for certain.
    private static let leastProbability = 0.5
    /// How many frames tell how loud silence is, and how many of the newest clicks tell what clicks add.
    private static let (quietFrames, pieces) = (150, 12)

    /// Begins to listen. The shapes are the sounds of clicks; `isPlaced` says whether the delay of the sound is known.
    package init(rate: Double, shapes: [KnownClicks.Shape], isPlaced: Bool) {
        (self.rate, self.isPlaced, self.shapes) = (rate, isPlaced, shapes.count)
        path = ClickPath(shapes)
        let none = [[ClickMask.Piece]](repeating: [], count: shapes.count)
        masks = (none, none)
    }

    private static func look(_ window: Int) -> OnsetDetector.Look {
        OnsetDetector.Look(bands: Bands(window: window), mask: nil, floor: 0)
    }

    /// Takes clicks, in order; after that, all clicks before `place` are known.
    package mutating func expect(_ clicks: [Click], before place: Double) {
        known = max(known, place)
        for click in clicks {
            self.clicks.append((click, false, false))
            if let bar = click.bar { pending.append((bar, click.place, click.shape, click.isRestart)) }
        }
    }

    /// Takes more sound, and returns what is known now of further bars.
    package mutating func hear(_ more: [Float]) -> [Heard] {
        sound += more
        return listen(upTo: end - LiveBars.tail)
    }

    /// Tells of the bars whose sound is there, at the end.
    package mutating func finish() -> [Heard] {
        (known, isFinishing) = (.infinity, true)
        sound += [Float](repeating: 0, count: LiveBars.tail)
        return listen(upTo: end - LiveBars.tail)
    }

    private var end: Int { first + sound.count }

    // MARK: - Onsets

    private mutating func listen(upTo place: Int) -> [Heard] {
        let next = Int(min(Double(place), known))
        // Steps of a size: each looks at some sound once more, and many small ones would take longer than the sound lasts.
        guard next - frontier >= (isFinishing ? 1 : LiveBars.step) else { return [] }
        learnClicks()
        // Frames begin at multiples of the hop.
        let start = max(frontier - LiveBars.lead, first) / Bands.hop * Bands.hop
        let from = max(start, (first + Bands.hop - 1) / Bands.hop * Bands.hop)
        // Sound whose clicks are not known yet waits.
        let window = Array(sound[(from - first)..<(next + LiveBars.tail - first)])
        looked += window.count
        let about = clicks.filter { $0.click.shape != nil && $0.click.place > Double(from - Bands.rate) }
        let mask = path.late.map { late in
            about.compactMap { entry in
                entry.click.shape.map { shape in
                    ((entry.click.place + Double(late - from)) / Double(Bands.rate), shape)
                }
            }
        }
        settle(&fast, masks.fast, mask)
        settle(&slow, masks.slow, mask)
        let detector = OnsetDetector(window, fast: fast, slow: slow)
        let begin = Double(from) / Double(Bands.rate)
        for var onset in detector.onsets(in: window, clicks: mask?.map(\.0) ?? []) {
            onset.seconds += begin
            let place = onset.seconds * Double(Bands.rate)
            let isNew = onsets.last.map { onset.seconds > $0.seconds + LiveBars.same } ?? true
            guard isNew, place >= Double(frontier), place < Double(next) else { continue }
            onsets.append(onset)
        }
        frontier = next
        let heard = heardBars()
        forget()
        return heard
    }

    /// What counts as silence now, and what known clicks add.
    private func settle(
        _ look: inout OnsetDetector.Look, _ pieces: [[ClickMask.Piece]], _ clicks: [(seconds: Double, shape: Int)]?
    ) {
        look.mask = nil
        look.floor = look.bands.floor(of: sound, most: LiveBars.quietFrames)
        guard let clicks else { return }
        let count = look.bands.count
        let mask = ClickMask(clicks, powers: pieces.map { ClickMask.powers(of: $0, bands: count) })
        (look.mask, look.floor) = (mask, max(look.floor, mask.floor))
    }

    /// Looks for clicks where they are expected; once they are heard, learns what they add.
    private mutating func learnClicks() {
        for index in clicks.indices {
            guard let shape = clicks[index].click.shape, !clicks[index].isLearned else { continue }
            let place = Int(clicks[index].click.place.rounded()) - first
            if !clicks[index].isLooked, place + ClickPath.reach.lowerBound >= 0,
                place + ClickPath.needed < sound.count
            {
                path.look(sound[(place + ClickPath.reach.lowerBound)...(place + ClickPath.needed)], shape: shape)
                clicks[index].isLooked = true
            }
            guard let late = path.late, clicks[index].isLooked else { continue }
            let seconds = Double(place + late) / Double(Bands.rate)
            guard let quick = ClickMask.piece(at: seconds, sound, &fast.bands),
                let long = ClickMask.piece(at: seconds, sound, &slow.bands)
            else { continue }
            masks.fast[shape] = (masks.fast[shape] + [quick]).suffix(LiveBars.pieces)
            masks.slow[shape] = (masks.slow[shape] + [long]).suffix(LiveBars.pieces)
            clicks[index].isLearned = true
        }
    }

    private mutating func forget() {
        // The sound that has not been looked at yet is kept, too.
        let drop = max(min(sound.count - LiveBars.kept, frontier - LiveBars.lead - first), 0)
        sound.removeFirst(drop)
        first += drop
        let oldest = Double(first) - 2 * Double(Bands.rate)
        clicks.removeAll { $0.click.place < oldest }
        let since = Double(frontier) / Double(Bands.rate) - LiveBars.past
        onsets.removeAll { $0.seconds < since }
    }

    // MARK: - Bars

    private mutating func heardBars() -> [Heard] {
        var heard: [Heard] = []
        let shift = isPlaced ? 0 : Double(path.late ?? 0)
        while let bar = pending.first {
            let place = bar.place + shift
            guard place + LiveBars.reach * Double(Bands.rate) <= Double(frontier) || isFinishing else { break }
            pending.removeFirst()
            if bar.isRestart { last = nil }
            let next = pending.first.flatMap { $0.isRestart ? nil : $0.place + shift }
            let found = begin(of: place, next: next, shape: bar.shape)
            let nearest = found.flatMap { path.late == nil ? nil : fromClick($0) }
            // What is left of the clicks is always at the same distance from them; no player is as exact.
            let isExact = nearest.flatMap { a in last?.fromClick.map { abs(a - $0) < HeardTake.mostExact } } ?? false
            let isSure = found != nil && !isExact
            heard.append(Heard(bar: bar.bar, late: isSure ? found.map { ($0 - place) / rate } : nil))
            last = (place, isSure ? found : nil, nearest)
        }
        return heard
    }

    /// How far a place is from the nearest click that is heard, in seconds.
    private func fromClick(_ place: Double) -> Double? {
        let distances = clicks.compactMap { entry in
            entry.click.shape.map { _ in (place - entry.click.place - Double(path.late ?? 0)) / rate }
        }
        return distances.min { abs($0) < abs($1) }
    }

    /// Where the bar begins that should begin at `place`, by the notes about it; nil if that is unsure.
    private func begin(of place: Double, next: Double?, shape: Int?) -> Double? {
        // As long as nobody knows whether clicks are heard, or what they add, they cannot be told from notes.
        if let shape {
            guard path.isKnown else { return nil }
            if path.late != nil, masks.fast[shape].count < ClickMask.fewest { return nil }
        }
        let model = Alignment.Model()
        let perSecond = Double(Bands.rate)
        let (due, before) = (place / perSecond, last?.place)
        let gaps = [before.map { place - $0 }, next.map { $0 - place }].compactMap(\.self).map { $0 / perSecond }
        let reach = gaps.reduce(LiveBars.reach) { min($0, $1 * LiveBars.share) }
        let written = gaps.first ?? 1
        let gains = model.gains(onsets, [written])
        let from = last?.heard.flatMap { heard in before.map { ((heard - $0) / perSecond) } } ?? 0
        let weights = onsets.indices.compactMap { index -> (index: Int, weight: Double)? in
            let late = onsets[index].seconds - due
            guard abs(late) <= reach else { return nil }
            let density = model.logDensity(of: written + late - from, written)
            return (index, exp(gains[index] + model.nearness(late) + density))
        }
        guard let best = weights.max(by: { $0.weight < $1.weight }) else { return nil }
        let found = onsets[best.index]
        let sum = weights.reduce(exp(model.missing)) { $0 + $1.weight }
        let near = weights.filter { abs(onsets[$0.index].seconds - found.seconds) <= Alignment.reach }
        let confidence = near.reduce(0) { $0 + $1.weight } / sum
        guard confidence >= HeardBar.sure, found.probability >= LiveBars.leastProbability else { return nil }
        return found.seconds * perSecond
    }
}
