/// What counts as one moment of a score.
///
/// The lengths of bars are rounded to an attosecond, and times are printed to the nanosecond. So times that are equal in
/// the score can differ by that much: the barlines of two voices that meet, or a barline and the time that a player types.
package enum SameMoment {
    /// Moments that are nearer than this are the same.
    package static let tolerance = Duration.nanoseconds(1)
}

extension Duration {
    /// The duration without its sign.
    package var magnitude: Duration { self < .zero ? .zero - self : self }

    /// Whether this is the same moment as another one.
    func isSame(as other: Duration) -> Bool { max(self, other) - min(self, other) < SameMoment.tolerance }
}

extension Range<Duration> {
    /// The moments of other voices during a span of the leading one: those at its beginning belong to it, those at its end
    /// to the next span.
    package var moments: Range<Duration> {
        lowerBound - SameMoment.tolerance..<upperBound - SameMoment.tolerance
    }
}

extension Timeline {
    /// The bar at a time of the piece: the next one if that begins at the same moment.
    package func bar(meantBy time: Duration) -> Int { bar(at: time + SameMoment.tolerance) }

    /// The bars that sound at some time within a span that is not empty.
    package func bars(during span: Range<Duration>) -> Range<Int> {
        guard span.lowerBound + SameMoment.tolerance < total else { return barCount..<barCount }
        // A bar that begins where the span ends is not part of it.
        let last = bar(at: span.moments.upperBound)
        let end = start(ofBar: last) < span.moments.upperBound ? last + 1 : last
        return min(bar(meantBy: span.lowerBound), end)..<end
    }
}
