internal import Glibc

/// A turn of a clock, seen from later: the clock went by one line before it and by another one after it, and between two
/// looks it turned where these lines meet. Nobody knows this moment exactly. So each moment at which it may have been
/// counts for as much as the observations around it speak for it, with the state before them as a prior (least squares).
struct ClockKink {
    /// From how long before a turn, and until how long after it, observations are taken for the lines, in ns.
    static let (before, after): (Int64, Int64) = (1_500_000_000, 2_500_000_000)
    /// How long before and after its first suspicious observation a clock may have turned, and the distance of the moments
    /// that are tried, in s.
    private static let (early, late, step) = (0.5, 1.6, 0.01)
    /// How much likelier it is that a clock of which it is only suspected has not turned, as the logarithm of the square.
    private static let innocence = 20.0
    /// The standard deviation of the change of rate at a turn.
    private static let change = 300e-6
    /// Observations whose mean squared error is above so many times their variance were not of two lines.
    private static let tolerated = 2.0

    private let state: ClockFilter
    /// The first suspicious observation, in s after the state.
    private let turn: Double
    private let isProven: Bool
    /// The times of observations in s after the state, how far they are ahead of its line in s, and 1 / variance.
    private let points: [(time: Double, ahead: Double, weight: Double)]

    init(turn: Int64, isProven: Bool, state: ClockFilter, _ observations: [ClockObservation]) {
        (self.state, self.isProven) = (state, isProven)
        self.turn = Double(turn - state.time) * 1e-9
        var points: [(time: Double, ahead: Double, weight: Double)] = []
        var last = Int64.min
        // The observation after a turn is there twice.
        for observation in observations where observation.time > last {
            last = observation.time
            let weight = 1 / state.scatter.variance(of: observation)
            points.append((Double(last - state.time) * 1e-9, state.error(of: observation), weight))
        }
        self.points = points
    }

    /// The time at which a position was at the converter, in ns, if it was near `time`; nil if the observations were not of
    /// two lines.
    func time(of position: FramePosition, near time: Double) -> Double? {
        let t = (time - Double(state.time)) * 1e-9
        var fits: [(ahead: Double, cost: Double)] = []
        for moment in stride(from: max(turn - Self.early, Self.step), to: turn + Self.late, by: Self.step) {
            guard let fit = fit(moment) else { return nil }
            fits.append((fit.lines.ahead(at: t, moment), fit.cost))
        }
        if !isProven, let fit = fit(.infinity) {
            fits.append((fit.lines.ahead(at: t, .infinity), fit.cost - Self.innocence))
        }
        guard let least = fits.map(\.cost).min(), least < Self.tolerated * Double(points.count) else { return nil }
        var (ahead, sum) = (0.0, 0.0)
        for fit in fits {
            let likelihood = exp((least - fit.cost) / 2)
            ahead += likelihood * fit.ahead
            sum += likelihood
        }
        let seconds = state.seconds(position.frame - state.frame) - state.offset - ahead / sum
        let fraction = position.fraction / Double(state.nominalRate)
        return Double(state.time) + (seconds + fraction) / (1 + state.deviation) * 1e9
    }

    /// How far a clock is ahead of the state's line, in s, and its rate, before it turns by `change`.
    private struct Lines {
        var (offset, rate, change): (Double, Double, Double)

        func ahead(at t: Double, _ moment: Double) -> Double {
            offset + rate * t + (t > moment ? change * (t - moment) : 0)
        }
    }

    /// The lines of least squares that meet at a moment, and the squared errors that are left, in variances.
    private func fit(_ moment: Double) -> (lines: Lines, cost: Double)? {
        let determinant = state.p00 * state.p11 - state.p01 * state.p01
        guard determinant > 0 else { return nil }
        // The normal equations: A (offset, rate, change) = b.
        var (a00, a01, a11) = (state.p11 / determinant, -state.p01 / determinant, state.p00 / determinant)
        var (a02, a12, a22) = (0.0, 0.0, 1 / (Self.change * Self.change))
        var (b0, b1, b2, squares) = (0.0, 0.0, 0.0, 0.0)
        for (t, ahead, weight) in points {
            let after = t > moment ? t - moment : 0
            a00 += weight
            a01 += weight * t
            a11 += weight * t * t
            a02 += weight * after
            a12 += weight * t * after
            a22 += weight * after * after
            b0 += weight * ahead
            b1 += weight * t * ahead
            b2 += weight * after * ahead
            squares += weight * ahead * ahead
        }
        // A = L D L', with ones on the diagonal of L.
        let (l10, l20) = (a01 / a00, a02 / a00)
        let d1 = a11 - l10 * a01
        let rest = a12 - l20 * a01
        let l21 = rest / d1
        let d2 = a22 - l20 * a02 - l21 * rest
        guard d1 > 0, d2 > 0 else { return nil }
        let y1 = b1 - l10 * b0
        let change = (b2 - l20 * b0 - l21 * y1) / d2
        let rate = y1 / d1 - l21 * change
        let offset = b0 / a00 - l10 * rate - l20 * change
        return (
            Lines(offset: offset, rate: rate, change: change), squares - b0 * offset - b1 * rate - b2 * change
        )
    }
}
