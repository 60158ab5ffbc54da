internal import Languages
internal import Scores

/// A signature of a SO(a)P score, such as `6/8` or `3+2+2/8`, and the beats that its bars have.
struct SoapSignature: Equatable {
    /// The length of each beat, in notes of the denominator; at least one beat, and at most 1000 notes in all.
    let beats: [Int]
    /// Which part of a whole note a note is, 1 ... 10 000.
    let denominator: Int
    /// Whether the beats are written as terms.
    private let isAdditive: Bool

    /// Reads `6/8` or `3+2+2/8`, without its brackets.
    ///
    /// Each term is a beat. Without terms, eighths and sixteenths are grouped in threes, and in twos at the end; any
    /// other note is a beat.
    init(_ text: Substring) throws(TextError) {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        let terms = sides[0].split(separator: "+", maxSplits: 1000, omittingEmptySubsequences: false)
        let numbers = terms.map { Int(wholeText: String($0)) ?? 0 }
        guard sides.count == 2, let below = Int(wholeText: String(sides[1])), numbers.allSatisfy({ $0 > 0 }) else {
            throw TextError(
                localized("\(TextError.quoted("[\(text)]")) is not a signature"),
                hint: localized("for example [4/4] or [3+2+2/8]"))
        }
        let sum = numbers.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
        guard sum <= Meter.beatLimit, (1...10_000).contains(below) else {
            throw TextError(localized("a signature must be [1/1] to [1000/10000]"))
        }
        denominator = below
        isAdditive = numbers.count > 1
        beats = isAdditive ? numbers : Self.beats(of: sum, below)
    }

    private static func beats(of count: Int, _ denominator: Int) -> [Int] {
        guard denominator == 8 || denominator == 16 else { return Array(repeating: 1, count: count) }
        guard count > 2 else { return [count] }
        // A rest of one takes another three along: they become two twos.
        let twos = (3 - count % 3) % 3
        return Array(repeating: 3, count: (count - 2 * twos) / 3) + Array(repeating: 2, count: twos)
    }

    /// How many notes of the denominator there are before the beat with this index; all of them after the last beat.
    func notes(before index: Int) -> Int { beats.prefix(max(index, 0)).reduce(0, +) }

    /// This many notes of the denominator, at least one, in whole notes.
    func length(_ notes: Int) -> Fraction { Fraction(Int64(notes), Int64(denominator)) }

    /// The length of a bar, in whole notes.
    var length: Fraction { length(notes(before: beats.count)) }

    /// A bar with this meter and these beats.
    var bar: Score.Bar {
        let groups = isAdditive ? beats.map { Fraction(Int64($0)) } : [Fraction(Int64(notes(before: beats.count)))]
        let meter = Meter([Meter.Term(groups, over: Fraction(Int64(denominator)))])
        var bar = Score.Bar(meter)
        let beats = self.beats.enumerated().map { Beat($0 == 0 ? .accent : .beat, length($1)) }
        if beats != meter.beats { bar.details.beats = beats }
        return bar
    }
}
