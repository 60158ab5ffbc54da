/// The clicks of a metronome whose sounds and distances are known exactly, as a take has them.
package struct KnownClicks: Sendable {
    /// The sound of a click, at `Bands.rate`.
    package typealias Shape = [Float]

    /// When each click sounds in seconds, and which shape it has. Those of a count-in come before zero.
    package let clicks: [(seconds: Double, shape: Int)]
    package let shapes: [Shape]

    /// Fewer clicks do not make a pattern that music cannot have.
    package static let fewest = 5

    /// Makes clicks in the order of time.
    package init(_ clicks: [(seconds: Double, shape: Int)], shapes: [Shape]) {
        (self.clicks, self.shapes) = (clicks, shapes)
    }

    /// Clicks that were found in a take: their times in it, in order.
    struct Found {
        var clicks: [(seconds: Double, shape: Int)]
        /// When each of them sounds by the score, in seconds.
        var nominal: [Double]
        /// How many shapes there are.
        var shapes: Int
        /// In how many places of the score the take fits as well as here, with this one, which is the first.
        var places = 1

        /// When the clicks of the count-in sound.
        var countIn: [Double] { zip(clicks, nominal).compactMap { $1 < KnownClicks.latestCountIn ? $0.seconds : nil } }

        /// How much later than the nearest click a moment is, in seconds; infinite without clicks.
        func distance(_ seconds: Double) -> Double {
            clicks.reduce(.infinity) { abs(seconds - $1.seconds) < abs($0) ? seconds - $1.seconds : $0 }
        }
    }

    /// By how many standard deviations the place of the clicks must stand out.
    private static let least = 7.0
    /// How much of the take must be the click, at a quarter of the clicks. Of notes that are much lower than all clicks, some
    /// moments are surprisingly like clicks, but only as long as there are none.
    private static let leastShare: Float = 0.005
    /// How much of the likeness must have gone soon after a click, at a quarter of the clicks. Notes that begin there are a
    /// little like them, too, but for as long as they sound.
    private static let leastFall: Float = 3
    /// How much of the take must be the click where nobody plays.
    private static let leastShareAlone: Float = 0.08
    /// Clicks before this time in seconds belong to a count-in.
    private static let latestCountIn = -1e-3

    /// The clicks as a take has them; nil if they are not heard in it. If they are `alone`, nothing else is in the take: of
    /// several places in the score, the one is meant that has a click for each of the take, and none where the take has none.
    func found(in samples: [Float], alone: Bool = false) -> Found? {
        guard clicks.count >= KnownClicks.fewest else { return nil }
        let match = ClickMatch(samples, shapes)
        let length = Double(samples.count) / Double(Bands.rate)
        let enough = max(KnownClicks.fewest, (min(80, most(within: length)) + 2) / 3)
        var tracks: [(track: ClickTrack, total: Double)] = []
        var seen: Set<Int> = []
        let seeds = ClickSeeds(clicks, match)
        for seed in seeds.best {
            let key = { (shift: Double) in seed.click << 32 + Int((shift * 100).rounded()) }
            guard [-0.005, 0, 0.005].allSatisfy({ !seen.contains(key(seed.shift + $0)) }) else { continue }
            let track = ClickTrack(clicks, match, from: seed, reach: 3)
            for index in seeds.clicks where track.range.contains(index) {
                seen.insert(index << 32 + Int((track.shifts[index - track.range.lowerBound] * 100).rounded()))
            }
            let surprises = surprises(of: track, match)
            let total = surprises.reduce(-Double(surprises.count), +)
            guard surprises.count >= enough, total > KnownClicks.least * Double(surprises.count).squareRoot() else {
                continue
            }
            tracks.append((track, total))
        }
        guard var best = tracks.max(by: { $0.total < $1.total }),
            usualShare(of: best.track, match) > KnownClicks.leastShare,
            alone || usualFall(of: best.track, match) > KnownClicks.leastFall
        else { return alone ? nil : countIn(in: match) }
        var places = 1
        if alone {
            let least = usualShare(of: best.track, match) / 2
            let scores = tracks.map { score(of: $0.track, match, least: least) }
            let highest = scores.max() ?? 0
            // The later a take is beside the score, the earlier is its place in the score.
            let equal = tracks.indices.filter { scores[$0] == highest }.map { tracks[$0] }
                .sorted { $0.track.shifts[0] > $1.track.shifts[0] }
            func isNear(_ one: ClickTrack, _ other: ClickTrack) -> Bool { abs(one.shifts[0] - other.shifts[0]) < 0.05 }
            let first = equal.filter { isNear($0.track, equal[0].track) }
            best = first.max { $0.total < $1.total } ?? best
            places = zip(equal, equal.dropFirst()).count { !isNear($0.track, $1.track) } + 1
        }
        let track = direct(best.track, match)
        let range = track.range
        return Found(
            clicks: zip(range, track.shifts).map { (clicks[$0].seconds + $1, clicks[$0].shape) },
            nominal: range.map { clicks[$0].seconds }, shapes: shapes.count, places: places)
    }

    /// The clicks of the count-in alone: before the player begins they are heard, even if those of the bars are too soft beside notes.
    private func countIn(in match: ClickMatch) -> Found? {
        let countIn = clicks.prefix { $0.seconds < KnownClicks.latestCountIn }
        guard countIn.count > 2 else { return nil }
        let begin = (0..<match.count).first { begin in
            countIn.allSatisfy { click in
                let at = begin + ClickMatch.value(at: click.seconds - countIn[0].seconds)
                return ClickMatch.highest(match.shares[click.shape], at) > KnownClicks.leastShareAlone
            }
        }
        guard let begin else { return nil }
        let shift = (Double(begin) + 0.5) / ClickMatch.perSecond - countIn[0].seconds
        return Found(
            clicks: countIn.map { ($0.seconds + shift, $0.shape) }, nominal: countIn.map(\.seconds),
            shapes: shapes.count)
    }

    /// The most clicks that a take of this length in seconds can have.
    private func most(within length: Double) -> Int {
        var (first, most) = (0, 0)
        for (index, click) in clicks.enumerated() {
            while click.seconds - clicks[first].seconds > length { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    /// For each click of a track that is wholly in the take, a value at its place.
    private func values<Value>(
        of track: ClickTrack, _ match: ClickMatch, _ value: (_ shape: Int, _ at: Int) -> Value
    ) -> [Value] {
        zip(track.range, track.shifts).compactMap { index, shift in
            let at = ClickMatch.value(at: clicks[index].seconds + shift)
            return (0..<match.count).contains(at) ? value(clicks[index].shape, at) : nil
        }
    }

    private func surprises(of track: ClickTrack, _ match: ClickMatch) -> [Double] {
        values(of: track, match) { Double(match.surprises[$0][$1]) }
    }

    /// The share that a quarter of the clicks exceed.
    private func usualShare(of track: ClickTrack, _ match: ClickMatch) -> Float {
        let shares = values(of: track, match) { ClickMatch.highest(match.shares[$0], $1) }.sorted()
        return shares.isEmpty ? 0 : shares[shares.count * 3 / 4]
    }

    /// The factor by which the take is more like the click than it usually is 40 to 140 ms later, which a quarter of the clicks
    /// exceed.
    private func usualFall(of track: ClickTrack, _ match: ClickMatch) -> Float {
        let falls = values(of: track, match) { shape, at -> Float in
            let after = (at + 20..<at + 70).compactMap {
                match.levels[shape].indices.contains($0) ? match.levels[shape][$0] : nil
            }
            guard !after.isEmpty else { return 0 }
            return ClickMatch.highest(match.levels[shape], at)
                / max(after.sorted()[after.count / 2], .leastNormalMagnitude)
        }.sorted()
        return falls.isEmpty ? 0 : falls[falls.count * 3 / 4]
    }

    /// How many more clicks of a track are in the take than are not in it. At the ends of the take they may be cut.
    private func score(of track: ClickTrack, _ match: ClickMatch, least: Float) -> Int {
        values(of: track, match) { shape, at in
            if ClickMatch.highest(match.shares[shape], at) > least { return 1 }
            return (2..<match.count - 2).contains(at) ? -1 : 0
        }.reduce(0, +)
    }

    /// The track of the direct sound. The room says the clicks again, later: if an earlier place is like the clicks in itself,
    /// and not only as a click is like itself a moment before, that one is meant.
    private func direct(_ track: ClickTrack, _ match: ClickMatch) -> ClickTrack {
        let reach = 20
        let heights = (-reach..<4).map { late in
            values(of: track, match) { ClickMatch.highest(match.levels[$0], $1 + late) }.reduce(0, +)
        }
        guard let summit = heights.indices.max(by: { heights[$0] < heights[$1] }) else { return track }
        let silence = [Float](repeating: 0, count: (reach + 4) * ClickMatch.step * ClickMatch.width)
        let alike = ClickMatch(silence + shapes[0] + silence, [shapes[0]]).levels[0]
        let top = max(ClickMatch.highest(alike, reach + 4), .leastNormalMagnitude)
        let direct = heights.indices.prefix(summit).first { index in
            let expected = heights[summit] * ClickMatch.highest(alike, reach + 4 - (summit - index)) / top
            return heights[index] >= heights[summit] * 0.6 && heights[index] - expected >= heights[summit] * 0.3
                && heights[index + 1] <= heights[index]
        }
        var seed = track.last
        seed.shift += Double((direct ?? summit) - reach) / ClickMatch.perSecond
        return ClickTrack(clicks, match, from: seed, reach: 2)
    }

    /// Sets the clicks of a take in which it is known when bars begin; clicks of other bars are left out. The clicks count
    /// from bar `first`; bars last as long as `written`.
    func place(_ found: inout Found, at expected: [Double?], _ written: [Double], first: Int) {
        var (bar, begin) = (first, 0.0)
        (found.clicks, found.nominal) = ([], [])
        for click in clicks {
            // A click at the very beginning of a bar may be rounded into the one before.
            while bar + 1 < written.count, click.seconds > begin + written[bar] - 1e-4 {
                begin += written[bar]
                bar += 1
            }
            guard expected.indices.contains(bar), written.indices.contains(bar), let place = expected[bar] else {
                continue
            }
            let next = bar + 1 < expected.count ? expected[bar + 1] : nil
            let pace = next.map { ($0 - place) / written[bar] } ?? 1
            found.clicks.append((place + (click.seconds - begin) * pace, click.shape))
            found.nominal.append(click.seconds)
        }
    }

    /// Without what low notes have most of.
    static func whitened(_ samples: [Float]) -> [Float] {
        var last: Float = 0
        return samples.map { sample in
            defer { last = sample }
            return sample - 0.95 * last
        }
    }
}
