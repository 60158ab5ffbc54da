internal import Languages
internal import Scores

/// Makes a score from the bars that a SO(a)P score lists; bars that are not listed go on as before.
///
/// A bar with a signature becomes a bar with a meter and with the tempi inside of it. One that has a fermata of a given
/// length becomes a bar of seconds whose beats keep their lengths. A label at the beginning of a bar begins a line.
struct SoapPage {
    private let bars: [SoapBar]
    private var clock = SoapClock()
    private var signature: SoapSignature?
    /// The length of bars of seconds; nil where bars have a meter.
    private var length: Duration?
    /// The tempo that bars with a meter have at this point of the score that is made.
    private var written: Tempo?
    private var lines: [Score.Line] = []
    private var made: [Score.Bar] = []
    private var label = ""
    private var size = PieceSize()
    private var described = DescribedBars()
    /// A plain bar with the signature, so that equal bars share their memory.
    private var plain: (signature: SoapSignature, bar: Score.Bar)?

    /// Labels inside bars: how many there are, and the first.
    private(set) var innerLabels: (count: Int, first: Range<Int>)?
    /// Where curves end at tempi that count other notes than the curve does; at most 20.
    private(set) var mixedCurves: [Range<Int>] = []

    /// `bars` must be in order of their numbers, with the items of each in order of their beats.
    init(_ bars: [SoapBar]) { self.bars = bars }

    mutating func score() throws(Problem) -> Score {
        for index in bars.indices {
            try take(index)
            let next = index + 1 < bars.count ? bars[index + 1].number : bars[index].number + 1
            try goOn(next - bars[index].number - 1, bars[index].range)
        }
        try closeLine(bars.last?.range ?? 0..<0)
        var score = Score(lines: lines)
        score.beats = true
        score.firstBar = bars.first?.number ?? 1
        return score
    }

    // MARK: - Bars

    /// Makes the bar that is listed at an index.
    private mutating func take(_ index: Int) throws(Problem) {
        let bar = bars[index]
        try setMeter(bar)
        let cues = try takeLabels(bar)
        var tempi = bar.items.indices.filter { bar.items[$0].item.isTempo }[...]
        try takeTempi(&tempi, upTo: SoapBeat(), index)
        if let length {
            try checkBeats(bar, 1)
            try takeTempi(&tempi, upTo: SoapBeat(number: 2), index)
            var made = Score.Bar(length)
            made.cue = cues
            clock.pass(signature?.length ?? .one)
            return try append(made, 1, length, bar.range)
        }
        guard let signature, clock.tempo != nil else {
            guard signature == nil else {
                throw Problem(
                    bar.range, localized("the first bar with a signature needs a tempo"),
                    hint: localized("for example TEMPO [1/4]=60"))
            }
            throw Problem(
                bar.range, localized("the first bar needs a signature or a length of time"),
                hint: localized("for example BAR 1 [4/4] or BAR 1 10s"))
        }
        try checkBeats(bar, signature.beats.count)
        var beats = SoapBeats()
        var fermatas = bar.items.compactMap { item -> (number: Int, fermata: SoapBeats.Fermata)? in
            guard case .fermata(let note, let kind) = item.item else { return nil }
            return (item.beat.number, (item.beat.part, note, kind, item.range))
        }[...]
        let before = clock
        for (beat, notes) in signature.beats.enumerated() {
            try takeTempi(&tempi, upTo: SoapBeat(number: beat + 1), index)
            let here = fermatas.prefix { $0.number == beat + 1 }
            fermatas = fermatas.dropFirst(here.count)
            var rest = SoapBeatRest(signature.length(notes), here.map(\.fermata))
            // A tempo inside the beat is not heard itself.
            while let place = tempi.first.map({ bar.items[$0].beat }), place.number == beat + 1, let part = place.part {
                if let before = rest.split(at: part) { try add(before, endsBeat: false, to: &beats) }
                try takeTempi(&tempi, upTo: place, index)
            }
            try add(rest, endsBeat: true, to: &beats)
        }
        let (plain, duration) = beats.bar(like: plainBar(signature))
        var made = plain
        guard made.details.beats?.count ?? 0 <= Meter.beatLimit else {
            throw Problem(
                bar.range, localized("with the beats after its fermatas, this bar has more than 1000 beats"))
        }
        made.cue = cues
        mark(&made, beats, before)
        try append(made, 1, duration, bar.range)
    }

    /// Makes bars that are not listed.
    private mutating func goOn(_ count: Int, _ range: Range<Int>) throws(Problem) {
        guard count > 0 else { return }
        if let length {
            clock.pass((signature?.length ?? .one) * Fraction(Int64(count)))
            return try append(Score.Bar(length), count, length, range)
        }
        guard let signature else { return }
        var left = count
        while left > 0 {
            let before = clock
            var beats = SoapBeats()
            for notes in signature.beats {
                try add(SoapBeatRest(signature.length(notes), []), endsBeat: true, to: &beats)
            }
            let made = beats.bar(like: plainBar(signature))
            var bar = made.bar
            mark(&bar, beats, before)
            // Bars at one tempo are equal, once that tempo is written.
            let times = before.curve == nil && bar == plainBar(signature) ? left : 1
            try append(bar, times, made.duration, range)
            left -= times
        }
    }

    private mutating func add(
        _ part: SoapBeatRest, endsBeat: Bool, to beats: inout SoapBeats
    ) throws(Problem) {
        try beats.add(part, clock.sounding ?? .standard)
        clock.pass(part.length, endsBeat: endsBeat)
    }

    /// Gives a bar with a meter the tempo of its beginning, where it is another than at the end of the bar before.
    private mutating func mark(_ bar: inout Score.Bar, _ beats: SoapBeats, _ clock: SoapClock) {
        guard bar.meter != nil, let (first, last) = beats.ends else { return }
        if first != written { bar.details.tempo = clock.mark(after: written, to: first) }
        written = last
    }

    private mutating func plainBar(_ signature: SoapSignature) -> Score.Bar {
        if let plain, plain.signature == signature { return plain.bar }
        let bar = signature.bar
        plain = (signature, bar)
        return bar
    }

    private mutating func append(
        _ bar: Score.Bar, _ count: Int, _ duration: Duration, _ range: Range<Int>
    ) throws(Problem) {
        let whole = bar.details.holds.reduce(duration) { $0 + $1.length }
        guard DurationUse.bar.range.contains(duration), DurationUse.bar.range.contains(whole) else {
            throw Problem(range, localized("bar \(firstNumber + barCount) lasts less than 1 ms or more than 24 h"))
        }
        size.add(whole, passes: count)
        barCount += count
        if let excess = size.excess ?? (bar == plain?.bar ? nil : described.add(bar)) {
            throw Problem(range, excess)
        }
        made.append(contentsOf: repeatElement(bar, count: count))
    }

    private var barCount = 0
    private var firstNumber: Int { bars.first?.number ?? 1 }
}

// MARK: - What a bar says

extension SoapPage {
    private mutating func setMeter(_ bar: SoapBar) throws(Problem) {
        var isSet = false
        for (item, beat, range) in bar.items {
            switch item {
            case .signature(let signature): (self.signature, length) = (signature, nil)
            case .length(let length): self.length = length
            default: continue
            }
            guard beat == SoapBeat() else {
                throw Problem(range, localized("a signature or a length stands at the beginning of its bar"))
            }
            guard !isSet else { throw Problem(range, localized("a bar has one signature or one length")) }
            isSet = true
        }
    }

    /// Begins a line at a label at the beginning of a bar; returns all other labels.
    private mutating func takeLabels(_ bar: SoapBar) throws(Problem) -> String {
        var (cues, isFirst) = ([String](), true)
        for (item, beat, range) in bar.items {
            guard case .label(let text) = item, !text.isEmpty else { continue }
            if beat != SoapBeat() {
                innerLabels = ((innerLabels?.count ?? 0) + 1, innerLabels?.first ?? range)
            } else if isFirst {
                try closeLine(range)
                (label, isFirst) = (text, false)
                continue
            }
            cues.append(text)
            if cues.count > 1 {
                do throws(TextError) {
                    cues = [try TextRule.check(cues.joined(separator: ", "), what: localized("the text of a bar"))]
                } catch {
                    throw Problem(range, error)
                }
            }
        }
        return cues.first ?? ""
    }

    private mutating func closeLine(_ range: Range<Int>) throws(Problem) {
        guard !made.isEmpty else { return }
        guard lines.count < Score.writtenLineLimit else {
            throw Problem(range, localized("the score has more than 200 000 labels"))
        }
        lines.append(Score.Line(label: label, bars: made))
        (made, label) = ([], "")
    }

    private func checkBeats(_ bar: SoapBar, _ count: Int) throws(Problem) {
        for (item, beat, range) in bar.items {
            // A tempo after the last bar can only end a curve.
            if beat.number > count, !item.isTempo {
                throw Problem(
                    range,
                    count == 1
                        ? localized("bar \(bar.number) has one beat")
                        : localized("bar \(bar.number) has \(count) beats"),
                    hint: localized("each term of a signature is a beat, and so are three eighths"))
            }
            if case .fermata = item, length != nil {
                throw Problem(
                    range, localized("a bar of seconds has no notes for a fermata"),
                    hint: localized("give the bar its whole length"))
            }
        }
    }
}

// MARK: - Tempi

extension SoapPage {
    /// Takes the tempi of a bar up to a place; `tempi` are the indices of those items that are not taken yet.
    private mutating func takeTempi(_ tempi: inout ArraySlice<Int>, upTo end: SoapBeat, _ index: Int)
        throws(Problem)
    {
        while let place = tempi.first, bars[index].items[place].beat <= end {
            tempi = tempi.dropFirst()
            let (item, _, range) = bars[index].items[place]
            switch item {
            case .tempo(let tempo, let exponent):
                if clock.curve != nil, let value = clock.tempo?.value, value != tempo.value, mixedCurves.count < 20 {
                    mixedCurves.append(range)
                }
                clock.set(tempo)
                try beginCurve(exponent, index, place)
            case .equivalence(let new, let old, let exponent):
                if exponent != nil, clock.curve != nil {
                    throw Problem(
                        range, localized("a curve that begins inside another needs a tempo with a number"),
                        hint: localized("for example TEMPO [1/4]=60 curve 1"))
                }
                do throws(TextError) { try clock.equate(new, old) } catch { throw Problem(range, error) }
                try beginCurve(exponent, index, place)
            default: break
            }
        }
    }

    private mutating func beginCurve(_ exponent: Double?, _ index: Int, _ place: Int) throws(Problem) {
        guard let exponent, let tempo = clock.tempo else { return }
        let (_, beat, range) = bars[index].items[place]
        guard length == nil, let signature else {
            throw Problem(range, localized("a curve begins in a bar with a signature"))
        }
        guard beat.number <= signature.beats.count else { return }
        guard let curve = SoapCurve(bars, from: (index, place), signature, tempo, exponent) else {
            throw Problem(
                range, localized("this curve has no end"),
                hint: localized("write the tempo to which it leads, for example TEMPO [1/4]=120"))
        }
        clock.set(tempo, curve)
    }
}
