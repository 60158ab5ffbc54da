internal import Glibc
internal import Languages
internal import Scores

/// An entry of a klick tempo map.
struct KlickEntry {
    enum Tempi {
        case steady(Fraction)
        case gradual(Fraction, Fraction)
        case beats([Fraction])
    }

    var label = ""
    var bars: Int
    var beats = 4
    var denominator = 4
    var tempo: Tempi
    /// One stress per beat; nil for the default pattern.
    var pattern: [Beat.Stress]?
    /// The volume as a factor.
    var volume = 1.0

    init(_ source: SourceText, _ range: Range<Int>) throws(Problem) {
        let bytes = source.bytes.span
        var words = TextLines.words(bytes, range)
        if let colon = words[0].first(where: { bytes[$0] == UInt8(ascii: ":") }) {
            let name = words[0].lowerBound..<colon
            guard name.count <= Score.textLimit else {
                throw Problem(words[0], localized("\(localized("a label")) has at most 200 characters"))
            }
            guard !name.isEmpty, name.allSatisfy({ KlickEntry.isLabel(Unicode.Scalar(bytes[$0])) }) else {
                throw Problem(
                    words[0], localized("a label can have only letters, digits, _ and -"),
                    hint: localized("for example intro: 8 4/4 120"))
            }
            label = source.text(name)
            words[0] = colon + 1..<words[0].upperBound
            if words[0].isEmpty { words.removeFirst() }
        }
        var next = 0
        func take() -> Range<Int>? {
            defer { next += 1 }
            return next < words.count ? words[next] : nil
        }
        var example: String { localized("for example 8 4/4 120") }
        guard let count = take(), let bars = KlickEntry.whole(source, count), bars > 0 else {
            throw Problem(
                words.first ?? range, localized("an entry must begin with a number of bars, 1 to 1 000 000"),
                hint: example)
        }
        self.bars = bars
        var word = take()
        if let meter = word, let slash = meter.first(where: { bytes[$0] == UInt8(ascii: "/") }) {
            guard let above = KlickEntry.whole(source, meter.lowerBound..<slash), above > 0, above <= Meter.beatLimit,
                let below = KlickEntry.whole(source, slash + 1..<meter.upperBound), below > 0, below <= 10_000
            else {
                throw Problem(
                    meter, localized("a meter must be two whole numbers, 1/1 to 1000/10000"),
                    hint: localized("for example 5/8"))
            }
            (beats, denominator) = (above, below)
            word = take()
        }
        guard let word else {
            throw Problem(range.upperBound..<range.upperBound, localized("this entry has no tempo"), hint: example)
        }
        tempo = try KlickEntry.tempi(source, word, count: beats * bars)
        while let word = take() {
            if word.allSatisfy({ [UInt8(ascii: "X"), UInt8(ascii: "x"), UInt8(ascii: ".")].contains(bytes[$0]) }),
                word.count > 1 || bytes[word.lowerBound] != UInt8(ascii: ".") || beats == 1, pattern == nil
            {
                guard word.count == beats else {
                    throw Problem(word, localized("the pattern has \(word.count) beats, but the bar has \(beats)"))
                }
                pattern = word.map { Beat.Stress(rawValue: source.text($0..<$0 + 1)) ?? .beat }
            } else if next == words.count, let factor = KlickEntry.number(source, word) {
                volume = Fraction(factor)?.value ?? 0
            } else {
                throw Problem(
                    word,
                    localized("\(TextError.quoted(source.text(word))) is neither a pattern such as Xxx. nor a volume"))
            }
        }
    }

    private static func tempi(_ source: SourceText, _ word: Range<Int>, count: Int) throws(Problem) -> Tempi {
        let bytes = source.bytes.span
        func rate(_ range: Range<Int>) throws(Problem) -> Fraction {
            guard let number = number(source, range).flatMap(Fraction.init) else {
                throw Problem(
                    range.isEmpty ? word : range, localized("\(TextError.quoted(source.text(range))) is not a tempo"),
                    hint: localized("quarters per minute, for example 120, 100-140 or 120,118,116,114"))
            }
            return number
        }
        if let dash = word.first(where: { bytes[$0] == UInt8(ascii: "-") }) {
            let (from, to) = (try rate(word.lowerBound..<dash), try rate(dash + 1..<word.upperBound))
            guard Fraction.rateRange.contains(from), Fraction.rateRange.contains(to) else {
                throw Problem(word, localized("tempi that change gradually must be 0.001 to 100 000"))
            }
            return .gradual(from, to)
        }
        var rates: [Fraction] = []
        for part in word.split(
            maxSplits: count, omittingEmptySubsequences: false, whereSeparator: { bytes[$0] == UInt8(ascii: ",") })
        {
            rates.append(try rate(part))
        }
        guard rates.count > 1 else { return .steady(rates[0]) }
        guard rates.count == count else {
            throw Problem(
                word,
                rates.count > count
                    ? localized("there are more tempi than beats")
                    : localized("there are \(rates.count) tempi for \(count) beats"),
                hint: localized("give a tempo for every beat of every bar, or only one"))
        }
        return .beats(rates)
    }

    /// Reads digits with a point before, between or after them.
    private static func number(_ source: SourceText, _ range: Range<Int>) -> DecimalText? {
        var text = source.text(range)
        guard text.utf8.contains(where: { DecimalText.digit($0) != nil }) else { return nil }
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasSuffix(".") { text += "0" }
        return DecimalText(text)
    }

    private static func whole(_ source: SourceText, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 7 else { return nil }
        return Int(wholeText: source.text(range)).flatMap { $0 <= 1_000_000 ? $0 : nil }
    }

    /// Whether labels can contain a character.
    static func isLabel(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar)
    }
}

extension KlickEntry {
    /// An accent, followed by beats.
    static func standardPattern(_ beats: Int) -> [Beat.Stress] { [.accent] + Array(repeating: .beat, count: beats - 1) }

    var meter: Meter { Meter(Int64(beats), over: Int64(denominator)) }

    /// A bar with the meter.
    var bar: Score.Bar {
        var bar = Score.Bar(meter)
        if let pattern, pattern != KlickEntry.standardPattern(beats) { bar.details.beats = pattern.map { Beat($0) } }
        click(&bar)
        return bar
    }

    /// The tempi of the beats of each bar.
    func bars(of rates: [Fraction]) -> [ArraySlice<Fraction>] {
        (0..<bars).map { rates[$0 * beats..<($0 + 1) * beats] }
    }

    /// How long a beat lasts at a tempo.
    func seconds(_ rate: Fraction) -> Fraction { Fraction(240) / (rate * Fraction(Int64(denominator))) }

    /// Sets the level of a bar's click from the volume.
    func click(_ bar: inout Score.Bar) {
        guard volume != 1 else { return }
        let decibels = min(max(20 * log10(volume), BarClick.range.lowerBound), BarClick.range.upperBound)
        bar.details.click = volume == 0 ? BarClick(isSilent: true) : BarClick(decibels: decibels)
    }
}
