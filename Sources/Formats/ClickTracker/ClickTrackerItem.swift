internal import Languages
internal import Scores

/// A line of a Click Tracker score.
enum ClickTrackerItem {
    /// A bar, written `times` times.
    case bar(Meter, times: Int)
    /// A beat, written `times` times.
    case beat(ClickTrackerBeat, times: Int)
    case tempo(Tempo)
    /// A gradual change to a rate in note values per minute, over a number of quarters; `curve` is nil if it is not
    /// written.
    case change(Fraction, over: Fraction, curve: Fraction?)
    /// Plays the next quarters, as many as given, `times` times; nil if the number is not written.
    case `repeat`(Fraction, times: Int?)
    case cue(String)
    case firstBar(Int)
    case pickup(Int)
    /// Whether fermatas, or subdivisions, have an effect from here on.
    case fermatas(Bool)
    case subdivisions(Bool)
    /// A command that does not change any time and does not exist in scores.
    case ignored(String)

    /// Commands for sound, voice and screen.
    private static let ignored: Set<String> = [
        "voice", "vol", "par", "direction", "bar-filt", "audiooutput", "osc", "subpatch",
    ]
    private static let commands =
        ["t", "tc", "rep", "cue", "first", "pickup", "fermata", "subdiv"] + ignored.sorted()

    /// Reads the content of a line, which must not be empty.
    init(_ source: SourceText, _ range: Range<Int>) throws(Problem) {
        let words = ClickTrackerWords(source, range)
        switch words.text(0) {
        case "t":
            let rate = try words.number(1, localized("a tempo"), Fraction(1, 1000)...Fraction(100_000), "t 60")
            let base =
                words.count > 2
                ? try words.number(2, localized("a note value"), Fraction(1, 1000)...Fraction(10_000), "t 60 8")
                : Fraction(4)
            try words.end(3)
            self = .tempo(Tempo(Fraction.one / base, rate))
        case "tc":
            let rate = try words.number(1, localized("a tempo"), Fraction(1, 1000)...Fraction(100_000), "tc 120 8")
            let quarters = try words.number(
                2, localized("a number of quarters"), Fraction(1, 1000)...Fraction(1_000_000), "tc 120 8")
            let curve =
                words.count > 3
                ? try words.number(3, localized("a curve"), Fraction(1, 100)...Fraction(100), "tc 120 8 0.5") : nil
            try words.end(4)
            self = .change(rate, over: quarters, curve: curve)
        case "rep":
            let quarters = try words.number(
                1, localized("a number of quarters"), Fraction(1, 1000)...Fraction(1_000_000), "rep 8 2")
            self = .repeat(quarters, times: words.count > 2 ? try words.whole(2, 1...1_000_000, "rep 8 2") : nil)
            try words.end(3)
        case "cue":
            guard words.count > 1 else {
                throw Problem(range, localized("a cue needs a name"), hint: localized("for example cue A"))
            }
            do throws(TextError) {
                self = .cue(try TextRule.check(source.text(words.rest(1)), what: localized("a cue")))
            } catch {
                throw Problem(words.rest(1), error.message)
            }
        case "first":
            self = .firstBar(try words.whole(1, 0...1_000_000, "first 1"))
            try words.end(2)
        case "pickup":
            self = .pickup(try words.whole(1, 0...1_000_000, "pickup 1"))
            try words.end(2)
        case "fermata":
            self = .fermatas(try words.whole(1, 0...1, "fermata 1") == 1)
            try words.end(2)
        case "subdiv":
            self = .subdivisions(try words.whole(1, 0...1, "subdiv 1") == 1)
            try words.end(2)
        case let word where Self.ignored.contains(word): self = .ignored(word)
        default: self = try Self.music(source, words)
        }
    }

    /// Reads a bar or a beat.
    private static func music(_ source: SourceText, _ words: ClickTrackerWords) throws(Problem) -> Self {
        let (count, times) = try words.times()
        let music = words.range(0, count)
        if music.contains(where: { source.bytes[$0] == UInt8(ascii: "/") }) {
            // `1/8 b` is a bar, too: every bar begins one.
            let bar = count > 1 && words.text(count - 1) == "b" ? words.range(0, count - 1) : music
            let text = source.text(bar)
            guard let meter = ClickTrackerWords.meter(text) else {
                throw Problem(
                    music, localized("\(TextError.quoted(text)) is not a bar"),
                    hint: localized("for example 4/4, 2+3/8 or 2/4 + 3/8"), .isSkipped)
            }
            guard meter.beatCount <= Meter.beatLimit else {
                throw Problem(music, localized("a bar has at most 1000 beats"))
            }
            return .bar(meter, times: times)
        }
        guard let length = ClickTrackerWords.quotient(words.text(0)) else {
            let hint = Suggestion.hint(for: words.text(0), in: commands)
            throw Problem(
                words.range(0, 1),
                localized("\(TextError.quoted(words.text(0))) is neither a bar, a beat nor a command"),
                hint: hint ?? localized("for example 4/4, 1 b or t 60"), .isSkipped)
        }
        guard Fraction.noteRange.contains(length * Fraction(1, 4)) else {
            throw Problem(words.range(0, 1), localized("a beat must be 0.0004 to 4000 quarters long"))
        }
        var beat = ClickTrackerBeat(length: length)
        for index in 1..<max(count, 1) {
            switch words.text(index) {
            case "b" where !beat.beginsBar: beat.beginsBar = true
            case "s" where !beat.isSubdivision: beat.isSubdivision = true
            case "f" where !beat.hasFermata: beat.hasFermata = true
            default:
                throw Problem(
                    words.range(index, index + 1),
                    localized("\(TextError.quoted(words.text(index))) is not a property of a beat"),
                    hint: localized("b begins a bar, s is a subdivision, f a fermata, and x 4 comes last"))
            }
        }
        return .beat(beat, times: times)
    }
}

/// A beat that is written as an item.
struct ClickTrackerBeat: Hashable {
    /// In quarters.
    var length: Fraction
    var beginsBar = false
    var isSubdivision = false
    var hasFermata = false
    /// Whether it is a subdivision while subdivisions are turned off.
    var isSilent = false
}
