internal import Languages
public import Scores

/// A score made from taps on the beats of a recording, a tempo or a duration for each bar.
public struct TappedScore: Sendable {
    /// The score.
    public let score: Score
    /// What was left out or assumed, one sentence each.
    public let notes: [String]

    /// How the bars are written.
    public enum Style: Sendable, Equatable {
        /// As bars with a meter and a tempo; nil for as many quarters as there are taps in a bar.
        case meter(Meter?)
        /// As bars of seconds.
        case seconds
    }

    /// The valid numbers of taps in a bar.
    public static let beatRange = 1...64
    /// The maximum number of taps.
    public static let tapLimit = 1_000_000

    /// Groups taps into bars and smooths them: within a bar, the beats are equally long, and taps far off the others do
    /// not count. The first tap begins the first bar; a tap that would begin another bar ends the last one.
    ///
    /// `times` must rise. `beats` is the number of taps in a bar, in `beatRange`.
    ///
    /// Errors: fewer than two taps, more than `tapLimit`, times that do not rise, or taps too irregular for a score.
    public init(_ times: [Duration], beats: Int, _ style: Style = .meter(nil)) throws(TextError) {
        guard times.count <= TappedScore.tapLimit else {
            throw TextError(localized("there are more than 1 000 000 taps"))
        }
        let (first, last) = (times.first?.attoseconds ?? 0, times.last?.attoseconds ?? 0)
        let (length, isFar) = last.subtractingReportingOverflow(first)
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }), !isFar,
            Duration(attoseconds: length) <= .seconds(360_000)
        else {
            throw TextError(localized("the times of taps must rise, over at most 100 h"))
        }
        let beats = min(max(beats, TappedScore.beatRange.lowerBound), TappedScore.beatRange.upperBound)
        let series = TapSeries(times)
        var notes = series.notes
        guard let last = series.taps.last?.beat, last >= 1 else {
            throw TextError(
                localized("there are fewer than two taps"),
                hint: localized("tap on every beat, and once more where the last bar ends"))
        }
        guard last <= TappedScore.tapLimit else {
            throw TextError(localized("the taps have more than 1 000 000 beats"))
        }
        let bars = (last + beats - 1) / beats
        let rest = last % beats
        if rest != 0, rest != beats - 1 {
            notes.append(localized("the last bar has \(rest + 1) of \(beats) taps and is written as a whole bar"))
        }
        if rest == beats - 1, beats > 1 {
            notes.append(localized("there is no tap where the last bar ends: its end is estimated"))
        }
        let fit = TapFit(series.taps, beats: beats, bars: bars)
        for (tap, weight) in zip(series.taps, fit.weights) where weight < 0.5 {
            notes.append(localized("the tap at \(series.shown(tap.time)) is far from its beat and hardly counts"))
        }
        let barlines = fit.barlines
        guard zip(barlines, barlines.dropFirst()).allSatisfy({ $1 - $0 >= 0.001 * Double(beats) && $1 - $0 < 86_000 })
        else {
            throw TextError(
                localized("the taps are too irregular for bars of \(beats)"),
                hint: localized("tap evenly, or give another number of taps in a bar"))
        }
        switch style {
        case .seconds: score = Score(lines: [Score.Line(bars: TappedScore.bars(ofSeconds: barlines))])
        case .meter(let meter):
            let meter = meter ?? Meter(Int64(beats), over: 4)
            score = try TappedScore.score(barlines, meter, beat: meter.length / Fraction(Int64(beats)), beats)
        }
        self.notes = notes
    }

    /// Bars of whole milliseconds. Each ends at the millisecond nearest to its barline, so that no error adds up.
    private static func bars(ofSeconds barlines: [Double]) -> [Score.Bar] {
        let ends = barlines.map { Int64((($0 - barlines[0]) * 1000).rounded()) }
        return zip(ends, ends.dropFirst()).map { Score.Bar(.milliseconds($1 - $0)) }
    }

    /// Bars with a meter, each with the tempo that ends it nearest to its barline, so that no error adds up.
    private static func score(
        _ barlines: [Double], _ meter: Meter, beat: Fraction, _ beats: Int
    ) throws(TextError) -> Score {
        var bars: [Score.Bar] = []
        var (position, current) = (barlines[0], Tempo?.none)
        var score = Score(sections: [])
        for end in barlines.dropFirst() {
            let length = max(end - position, 0.001)
            let exact = 60 * Double(beats) / length
            // As few decimals as end the bar within a millisecond: one for bars of a few seconds.
            let scale = [10, 100, 1000, 10_000, 100_000].first { $0 >= 500 * length / exact } ?? 1_000_000.0
            let rate = Fraction(Int64(max((min(exact, 1e6) * scale).rounded(), 1)), Int64(scale))
            let tempo = Tempo(beat, rate)
            guard (Fraction(1, 1000)...Fraction(100_000)).contains(rate), Fraction.noteRange.contains(beat) else {
                throw TextError(localized("the taps give a tempo outside of 0.001 to 100 000 per minute"))
            }
            position += 60 * Double(beats) / rate.value
            var bar = Score.Bar(meter)
            if current == nil { score.tempo = tempo } else if tempo != current { bar.details.tempo = .tempo(tempo) }
            current = tempo
            bars.append(bar)
        }
        score.beats = true
        score.sections = [Score.Section(parts: [.line(Score.Line(bars: bars))])]
        return score
    }
}

extension TappedScore {
    /// Reads the times of taps from a text: one per line, in seconds or as on a clock; in a label track, the first column.
    /// A comma may be the decimal sign. Empty lines and lines that begin with `#` are ignored.
    ///
    /// Errors: a line that is not a time, or not after the time before; with the number of its line.
    public static func times(text: String) throws(TextError) -> [Duration] {
        var times: [Duration] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = String(line).trimmingBlanks
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            let time: Duration
            do { time = try TappedScore.time(ofLine: content) } catch {
                throw TextError(localized("line \(index + 1): \(error.message)"), hint: error.hint)
            }
            if let last = times.last, time <= last {
                throw TextError(
                    localized("line \(index + 1): this tap is not after the one before"),
                    hint: localized("the times must rise"))
            }
            times.append(time)
        }
        return times
    }

    /// The time of a tap. In a label track, the end of the label and its text come after it.
    private static func time(ofLine line: String) throws(TextError) -> Duration {
        let fields = line.split { $0 == "\t" || $0 == " " }
        let isLabel = fields.count > 1 && (try? time(text: String(fields[1]))) != nil
        return try time(text: isLabel ? String(fields[0]) : line)
    }

    /// A time, perhaps with a decimal comma.
    private static func time(text: String) throws(TextError) -> Duration {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 2, !text.contains("."), parts[0].last?.isNumber ?? false, parts[1].first?.isNumber ?? false,
            let time = try? Duration(scoreText: parts.joined(separator: "."), as: .time)
        {
            return time
        }
        return try Duration(scoreText: text, as: .time)
    }
}
