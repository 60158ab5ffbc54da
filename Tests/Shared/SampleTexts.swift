/// Scores that many tests use.
package enum SampleTexts {
    /// 2 lines, 4 bars, 1.5 s, with awkward labels, a drone and a count-in of 0.5 s.
    package static let small = """
        title: Small
        composer: Nobody
        drone: B4
        count-in: 0.5
        lines:
          - {label: A, bars: [0.5, {duration: 0.3, label: 'say "x", y'}]}
          - bars: [0.4, {duration: 0.3, label: 日本, cue: Go}]

        """

    /// A plan of two weeks: intervals and a long run, then a workout with a name.
    package static let weeks = """
        title: Spring
        start: 2026-11-23
        run: 5:00/km
        week 1: {tue: 3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km), sun at 08:00: long 10km}
        week 2: {wed "Hills": run 10:00}

        """
}

/// The first index at which two files differ; nil if they are equal.
package func firstDifference(_ a: [UInt8], _ b: [UInt8]) -> Int? { difference(a, b) }

/// The first index at which two sounds differ; nil if they are equal.
package func firstDifference(_ a: [Float], _ b: [Float]) -> Int? { difference(a, b) }

/// Not for tests themselves: they are not optimized, and what is generic would be slow in them.
private func difference<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int? {
    zip(a, b).enumerated().first { $1.0 != $1.1 }?.offset ?? (a.count == b.count ? nil : min(a.count, b.count))
}
