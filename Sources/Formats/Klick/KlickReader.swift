internal import Languages
internal import Scores
internal import Timing

/// Reads klick's tempo maps: `[label:] bars [meter] tempo [pattern] [volume]`, one entry per line.
///
/// A tempo counts quarters, whatever the meter. `T1-T2` is a ramp that is linear from beat to beat; `t1,t2,...` has a
/// tempo for every beat. A line of the score begins at every label and after every empty line.
///
/// Source: the manual of klick.
struct KlickReader {
    private var lines: [Score.Line] = []
    private var bars: [Score.Bar] = []
    private var label = ""
    private var size = PieceSize()
    private var described = DescribedBars()
    private var barCount = 0
    /// Bars by what entries say about them, so that equal bars share their memory.
    private var known: [KnownBar: Score.Bar] = [:]

    private struct KnownBar: Hashable {
        var beats: Int
        var denominator: Int
        var pattern: [Beat.Stress]?
        var volume: Double
        /// The tempo that begins with the bar; nil if it goes on.
        var tempo: Fraction?
    }
    /// The tempo at this point of the map; nil after a ramp.
    private var tempo: Tempo? = .standard

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = KlickReader()
        let bytes = source.bytes.span
        for line in TextLines(source.bytes) {
            let content = bytes.beforeComment(line)
            guard !content.isEmpty else {
                if bytes.trimmed(line).isEmpty { reader.closeLine() }
                continue
            }
            do {
                try reader.add(KlickEntry(source, content), at: content)
            } catch {
                log.error(at: error.range, error.error)
                if error.effect == .ends { return nil }
            }
        }
        reader.closeLine()
        if reader.lines.isEmpty, !log.hasErrors {
            log.error(at: 0..<0, localized("the tempo map has no entries"), hint: localized("for example 8 4/4 120"))
        }
        guard !log.hasErrors else { return nil }
        var score = Score(lines: reader.lines)
        score.beats = true
        return score
    }

    /// The share of the first lines that are entries.
    static func fit(_ source: SourceText) -> Double {
        source.fit(content: { $0.beforeComment($1) }) { range in (try? KlickEntry(source, range)) != nil }
    }

    private mutating func closeLine() {
        if !bars.isEmpty { lines.append(Score.Line(label: label, bars: bars)) }
        (bars, label) = ([], "")
    }

    private mutating func add(_ entry: KlickEntry, at range: Range<Int>) throws(Problem) {
        if !entry.label.isEmpty {
            closeLine()
            label = entry.label
        }
        // A million labels would take much memory only to be refused.
        guard lines.count < Score.writtenLineLimit else {
            throw Problem(range, localized("a tempo map has at most 200 000 lines"), .ends)
        }
        barCount += entry.bars
        guard barCount <= PlayedScore.barLimit else {
            throw Problem(range, localized("a tempo map has at most 1 000 000 bars"), .ends)
        }
        switch entry.tempo {
        case .steady(let rate) where !Fraction.rateRange.contains(rate):
            // A score cannot have this tempo: write the bars as bars of seconds.
            try addBeats(entry, Array(repeating: rate, count: entry.beats * entry.bars), range)
        case .steady(let rate): try addSteady(entry, rate, range)
        case .gradual(let from, let to): try addGradual(entry, from: from, to: to, range)
        case .beats(let rates): try addBeats(entry, rates, range)
        }
        try check(entry, range)
    }

    /// A bar with the meter of an entry, and the tempo that begins with it.
    private mutating func bar(
        _ entry: KlickEntry, _ tempo: Fraction?, _ range: Range<Int>
    ) throws(Problem) -> Score.Bar {
        let key = KnownBar(
            beats: entry.beats, denominator: entry.denominator, pattern: entry.pattern, volume: entry.volume,
            tempo: tempo)
        if let bar = known[key] { return bar }
        var bar = entry.bar
        if let tempo { bar.details.tempo = .tempo(Tempo(Fraction(1, 4), tempo)) }
        if let excess = described.add(bar) { throw Problem(range, excess, .ends) }
        known[key] = bar
        return bar
    }

    private mutating func addSteady(_ entry: KlickEntry, _ rate: Fraction, _ range: Range<Int>) throws(Problem) {
        let tempo = Tempo(Fraction(1, 4), rate)
        // This is how klick writes seconds: a bar of one beat.
        if entry.beats == 1, entry.denominator == 4 {
            var bar = Score.Bar((Fraction(60) / rate).seconds.rounded)
            entry.click(&bar)
            if entry.pattern == [.silent] { bar.details.beats = [Beat(.silent)] }
            bars.append(contentsOf: repeatElement(bar, count: entry.bars))
            return
        }
        bars.append(try bar(entry, tempo == self.tempo ? nil : rate, range))
        self.tempo = tempo
        if entry.bars > 1 { bars.append(contentsOf: repeatElement(try bar(entry, nil, range), count: entry.bars - 1)) }
    }

    private mutating func addGradual(
        _ entry: KlickEntry, from: Fraction, to: Fraction, _ range: Range<Int>
    ) throws(Problem) {
        let bar = try bar(entry, nil, range)
        var first = bar
        first.details.tempo = .tempo(Tempo(Fraction(1, 4), from))
        first.details.ramp = Ramp(to: Tempo(Fraction(1, 4), to), over: .bars(entry.bars))
        if let excess = described.add(first) { throw Problem(range, excess, .ends) }
        bars.append(first)
        bars.append(contentsOf: repeatElement(bar, count: entry.bars - 1))
        tempo = nil
    }

    private mutating func addBeats(_ entry: KlickEntry, _ rates: [Fraction], _ range: Range<Int>) throws(Problem) {
        let stresses = entry.pattern ?? KlickEntry.standardPattern(entry.beats)
        for own in entry.bars(of: rates) {
            var bar = metered(entry, own) ?? Score.Bar(beats: Array(zip(own.map(entry.seconds), stresses)))
            if bar.meter == nil { entry.click(&bar) }
            if let excess = described.add(bar) { throw Problem(range, excess, .ends) }
            bars.append(bar)
        }
    }

    /// A bar with the meter of an entry, and a tempo for each beat; nil if a score cannot have these.
    private mutating func metered(_ entry: KlickEntry, _ rates: ArraySlice<Fraction>) -> Score.Bar? {
        let tempi = rates.map { Tempo(Fraction(1, 4), $0) }
        guard entry.beats > 1 || entry.denominator != 4, var last = tempi.first,
            tempi.allSatisfy({ Fraction.rateRange.contains($0.rate) && $0.isWritable })
        else { return nil }
        var bar = entry.bar
        if tempo != last { bar.details.tempo = .tempo(last) }
        for (beat, tempo) in tempi.enumerated() where tempo != last {
            bar.details.tempoChanges.append(TempoChange(at: Fraction(Int64(beat) + 1), to: tempo))
            last = tempo
        }
        tempo = last
        return bar
    }

    private mutating func check(_ entry: KlickEntry, _ range: Range<Int>) throws(Problem) {
        var duration = Duration.zero
        switch entry.tempo {
        case .beats(let rates):
            for own in entry.bars(of: rates) {
                let bar = own.reduce(Duration.zero) { $0 + entry.seconds($1).seconds }
                guard DurationUse.bar.range.contains(bar) else { throw Problem(range, .barLength) }
                duration += bar
            }
        case .steady(let slowest), .gradual(let slowest, _):
            var rates = [slowest]
            if case .gradual(_, let to) = entry.tempo { rates.append(to) }
            let lengths = rates.map { TempoCurve.steady(Fraction(1, 4) * $0).duration(of: entry.meter.length) }
            guard lengths.allSatisfy(DurationUse.bar.range.contains) else { throw Problem(range, .barLength) }
            duration = (lengths.max() ?? .zero) * entry.bars
        }
        size.add(duration, bars: entry.bars)
        if let excess = size.excess { throw Problem(range, excess, .ends) }
    }
}

extension TextError {
    /// The error for another program's bar that is shorter or longer than bars can be.
    static let barLength = TextError(localized("with this tempo, a bar lasts less than 1 ms or more than 24 h"))
}
