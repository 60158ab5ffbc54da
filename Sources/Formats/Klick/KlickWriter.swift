internal import Glibc
internal import Languages
internal import Scores
internal import Timing

/// Writes tempo maps for klick. Adjacent equal bars of a line become one entry. An empty line separates the lines of
/// the score; title and cues become comments.
struct KlickWriter {
    private var out = ""
    /// The entry that is being collected.
    private var open: (label: String, count: Int, text: String, cue: String)?
    private var line = 0

    static func write(_ played: PlayedScore, _: WritingOptions, _ losses: inout Losses) -> [UInt8] {
        var writer = KlickWriter()
        if let title = played.score.title { writer.out += "# \(title)\n" }
        if let composer = played.score.composer { writer.out += "# \(composer)\n" }
        var index = 0
        while index < played.barCount {
            let bar = played.bar(index)
            let ramp = KlickRamp(played, at: index) { first, later in
                later.line == first.line && later.title.isEmpty && later.written.cue.isEmpty
                    && KlickWriter.isSameEntry(first, later)
            }
            writer.add(bar, ramp, &losses)
            index += ramp?.bars ?? 1
        }
        writer.close()
        return Array(writer.out.utf8)
    }

    /// Whether two bars have the same pattern and volume.
    private static func isSameEntry(_ first: PlayedBar, _ later: PlayedBar) -> Bool {
        var losses = Losses()
        return first.beats.count == later.beats.count
            && pattern(first, first.beats, &losses) == pattern(later, later.beats, &losses)
            && first.written.details.click?.decibels == later.written.details.click?.decibels
    }

    /// Adds a bar, or all bars of a ramp.
    private mutating func add(_ bar: PlayedBar, _ ramp: KlickRamp?, _ losses: inout Losses) {
        if bar.line == line {
            if !bar.title.isEmpty { losses.note(localized("labels inside lines begin new lines"), at: bar.place) }
        } else {
            close()
            if line != 0 || !out.isEmpty { out += "\n" }
            line = bar.line
        }
        if ramp == nil, !bar.written.isPlain, Feature.ramps.isIn(bar, bar.written.details) {
            losses.note(Feature.ramps.loss, at: bar.place)
        }
        let text = KlickWriter.text(bar, ramp, &losses)
        let label = KlickWriter.label(bar, &losses)
        if ramp == nil, label.isEmpty, bar.written.cue.isEmpty, let last = open, last.text == text, !text.contains(","),
            !text.contains("-")
        {
            open?.count += 1
        } else {
            close()
            open = (label, ramp?.bars ?? 1, text, bar.written.cue)
        }
    }

    private mutating func close() {
        guard let (label, count, text, cue) = open else { return }
        out += (label.isEmpty ? "" : "\(label): ") + "\(count) \(text)" + (cue.isEmpty ? "" : "  # \(cue)") + "\n"
        open = nil
    }

    /// The meter, tempo, pattern and volume of a bar.
    private static func text(_ bar: PlayedBar, _ ramp: KlickRamp?, _ losses: inout Losses) -> String {
        var beats = bar.beats
        if beats.first?.offset != .zero {
            beats.insert(PlayedBeat(offset: .zero, position: nil, stress: .accent, isHeard: true), at: 0)
        }
        if beats.count > Meter.beatLimit {
            losses.note(localized("bars with more than 1000 clicks are written with one"), at: bar.place)
            beats = [beats[0]]
        }
        let ends = beats.dropFirst().map(\.offset) + [bar.duration]
        let lengths = zip(ends, beats).map { $0 - $1.offset }
        let denominator = denominator(of: bar, beats: beats.count)
        // Compare to the picosecond: the remainder of a division must not make another tempo.
        let isEven = lengths.allSatisfy { ($0 - lengths[0]).magnitude < .nanoseconds(1) / 1000 }
        let tempi =
            if let ramp {
                ramp.tempi
            } else if isEven {
                rate(beats: beats.count, over: denominator, in: bar.duration, of: bar)
            } else {
                lengths.map { rate(beats: 1, over: denominator, in: $0, of: bar) }.joined(separator: ",")
            }
        let pattern = pattern(bar, beats, &losses)
        let isStandard = pattern == "X" + String(repeating: "x", count: beats.count - 1) && beats.count > 1
        // As a factor, to six decimals.
        let decibels = bar.written.details.click?.decibels ?? 0
        let factor = (pow(10, decibels / 20) * 1_000_000).rounded() / 1_000_000
        let volume = decibels == 0 ? "" : " \(factor.plainText)"
        return "\(beats.count)/\(denominator) \(tempi)" + (isStandard && volume.isEmpty ? "" : " \(pattern)") + volume
    }

    /// The note value of a beat: that of the meter if the meter has beats of one kind, otherwise a quarter.
    static func denominator(of bar: PlayedBar, beats: Int) -> Int64 {
        guard let meter = bar.written.meter, meter.terms.count == 1, meter.terms[0].denominator.denominator == 1,
            meter.terms[0].denominator.numerator <= 10_000, bar.written.details.beats?.first?.value == nil,
            meter.terms[0].groups.allSatisfy({ $0.denominator == 1 }), meter.beatCount == beats
        else { return 4 }
        return meter.terms[0].denominator.numerator
    }

    private static func pattern(_ bar: PlayedBar, _ beats: [PlayedBeat], _ losses: inout Losses) -> String {
        let isSilent = bar.written.details.click?.isSilent ?? false
        if !isSilent, beats.contains(where: { $0.stress == .subdivision && $0.isHeard }) {
            losses.note(localized("subdivisions are written as beats"), at: bar.place)
        }
        return beats.enumerated().map { index, beat in
            // The bar's own click always sounds, even if its beats are not heard.
            guard !isSilent, index == 0 || beat.isHeard else { return "." }
            switch beat.stress {
            case .accent: return "X"
            case .beat: return index == 0 ? "X" : "x"
            case .subdivision: return "x"
            case .silent: return "."
            }
        }.joined()
    }

    /// The tempo of `beats` equal beats in a time of a bar, in quarters per minute, to 17 digits. In the longest and the
    /// shortest bars it is not rounded to where a bar would be too long or too short.
    private static func rate(beats: Int, over denominator: Int64, in time: Duration, of bar: PlayedBar) -> String {
        let above = Int128(240_000_000_000_000_000_000) * Int128(beats)
        let below = time.attoseconds * Int128(denominator)
        guard below > 0 else { return "60000" }
        var (whole, left) = above.quotientAndRemainder(dividingBy: below)
        // A tempo below 1 has as many digits after its leading zeros.
        let decimals = whole == 0 ? min(18, 16 + "\(below / max(left, 1))".count) : max(17 - "\(whole)".count, 1)
        var (fraction, unit) = (Int128(0), Int128(1))
        for _ in 0..<decimals {
            let digit: Int128
            (digit, left) = (left * 10).quotientAndRemainder(dividingBy: below)
            (fraction, unit) = (fraction * 10 + digit, unit * 10)
        }
        let limits = DurationUse.bar.range
        let isLongest = bar.duration > limits.upperBound - .microseconds(1)
        let isShortest = bar.duration < limits.lowerBound + .nanoseconds(1)
        if isLongest ? left > 0 : !isShortest && 2 * left >= below { fraction += 1 }
        if fraction == unit { (whole, fraction) = (whole + 1, 0) }
        guard fraction > 0 else { return "\(whole)" }
        // The unit keeps the zeros after the point.
        var digits = "\(unit + fraction)".dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    private static func label(_ bar: PlayedBar, _ losses: inout Losses) -> String {
        let title = bar.title
        let scalars = title.unicodeScalars.map { KlickEntry.isLabel($0) ? $0 : "_" }
        let label = String(String.UnicodeScalarView(scalars))
        if label != title {
            losses.note(localized("labels are written with letters, digits, _ and - only"), at: bar.place)
        }
        return label
    }
}
