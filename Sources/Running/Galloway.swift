/// A ratio of Jeff Galloway's run-walk-run: how long to run and how long to walk.
public struct RunWalkRatio: Sendable, Hashable {
    /// The time of a run.
    public var run: Duration
    /// The time of a walk.
    public var walk: Duration

    /// Makes a ratio from seconds.
    public init(run: Int, walk: Int) { (self.run, self.walk) = (.seconds(run), .seconds(walk)) }

    /// The ratio as runners write it, such as "2:00/0:30".
    public var text: String { "\(run.runText())/\(walk.runText())" }

    /// One run and one walk.
    public var parts: [Plan.Part] {
        [.interval(Interval(.run, .time(run))), .interval(Interval(.walk, .time(walk)))]
    }

    /// The pace of running and walking together: v = (tr vr + tw vw) / (tr + tw).
    public func blended(run running: Pace, walk walking: Pace) -> Pace {
        let (tr, tw) = (run.inSeconds, walk.inSeconds)
        return Pace(metersPerSecond: (tr * running.metersPerSecond + tw * walking.metersPerSecond) / (tr + tw))
    }
}

/// The ratios for a range of paces.
public struct GallowayBand: Sendable, Equatable {
    /// The paces, in seconds per mile; the slower end belongs to the band.
    public var secondsPerMile: ClosedRange<Int>
    /// The ratios to choose from, the usual one first.
    public var ratios: [RunWalkRatio]
}

extension RunWalkRatio {
    /// The source of the table.
    public static let source = "Jeff Galloway, The Run Walk Run Method (jeffgalloway.com)"

    /// The table, fastest pace first. A pace between two bands of a single pace belongs to the nearer band, or to the
    /// slower one if it is halfway between them.
    public static let table: [GallowayBand] = [
        band(7 * 60, 7 * 60, (360, 30)),
        band(7 * 60 + 30, 7 * 60 + 30, (300, 30)),
        band(8 * 60, 8 * 60, (240, 30), (120, 15)),
        band(8 * 60 + 30, 8 * 60 + 30, (180, 30), (120, 20)),
        band(9 * 60, 9 * 60, (120, 30), (80, 20)),
        band(9 * 60 + 30, 10 * 60 + 45, (90, 30), (60, 20), (45, 15), (60, 30), (40, 20)),
        band(10 * 60 + 45, 12 * 60 + 15, (60, 30), (40, 20), (30, 15), (30, 30), (20, 20)),
        band(12 * 60 + 15, 14 * 60 + 30, (30, 30), (20, 20), (15, 15)),
        band(14 * 60 + 30, 15 * 60 + 45, (15, 30)),
        band(15 * 60 + 45, 17 * 60, (10, 30)),
        band(17 * 60, 18 * 60 + 30, (8, 30), (5, 25), (10, 30)),
        band(18 * 60 + 30, 20 * 60, (5, 30), (5, 25), (4, 30)),
    ]

    private static func band(_ fast: Int, _ slow: Int, _ ratios: (Int, Int)...) -> GallowayBand {
        GallowayBand(secondsPerMile: fast...slow, ratios: ratios.map { RunWalkRatio(run: $0.0, walk: $0.1) })
    }

    /// The ratios for a pace; nil if it is faster than 6:45 or slower than 20:00 per mile, outside the table.
    ///
    /// A pace at which two bands meet belongs to the faster band.
    public static func ratios(for pace: Pace) -> GallowayBand? {
        let seconds = pace.value(in: .perMile)
        guard seconds >= 405 - 1e-9 else { return nil }
        func gap(_ band: GallowayBand) -> Double {
            max(Double(band.secondsPerMile.lowerBound) - seconds, seconds - Double(band.secondsPerMile.upperBound), 0)
        }
        if let inside = table.first(where: { gap($0) < 1e-9 }) { return inside }
        guard let slowest = table.last, seconds <= Double(slowest.secondsPerMile.upperBound) else { return nil }
        // Slower bands first, so that a pace halfway between two goes there.
        return table.reversed().min { gap($0) < gap($1) - 1e-9 }
    }
}
