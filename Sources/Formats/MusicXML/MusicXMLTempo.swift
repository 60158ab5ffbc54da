internal import Languages
internal import Scores

/// A change of tempo in a measure.
struct MusicXMLTempo {
    enum Change {
        /// A tempo. One that is only heard, as a step of a ritardando is, is not shown on the page.
        case mark(TempoMark, isOnlyHeard: Bool)
        /// Words such as "rit.", after which other tempi are heard.
        case departure
        /// "a tempo": the tempo before the last departure.
        case back
        /// "Tempo I": the first tempo.
        case first
    }

    var change: Change
    var position: MusicXMLPosition
    /// Of several tempi at one place, the one of the highest rank counts.
    var rank: MusicXMLDirection.Rank

    /// Where a tempo is one of several: a departure is beside others.
    struct Place: Hashable {
        var position: MusicXMLPosition
        var isDeparture: Bool
    }

    var place: Place { Place(position: position, isDeparture: isDeparture) }
    var isDeparture: Bool { if case .departure = change { true } else { false } }
    var isMark: Bool { if case .mark = change { true } else { false } }
    /// The same, shown on the page.
    var shown: MusicXMLTempo {
        guard case .mark(let mark, _) = change else { return self }
        return MusicXMLTempo(change: .mark(mark, isOnlyHeard: false), position: position, rank: rank)
    }
    var isOnlyHeard: Bool { if case .mark(_, isOnlyHeard: true) = change { true } else { false } }
}

/// The tempo where the music is, and the tempi to which words go back.
struct MusicXMLTempoState {
    private(set) var tempo = Tempo(Fraction(1, 4), Fraction(120))
    /// The tempo that the page shows last.
    private var shown = Tempo(Fraction(1, 4), Fraction(120))
    private var first: Tempo?
    private var hasLeft = false

    mutating func take(_ change: MusicXMLTempo.Change) {
        switch change {
        case .departure: hasLeft = true
        case .back: (tempo, hasLeft) = (shown, false)
        case .first:
            tempo = first ?? tempo
            (shown, hasLeft) = (tempo, false)
        case .mark(let mark, let isOnlyHeard):
            tempo = mark.tempo(after: tempo)
            first = first ?? tempo
            if !(hasLeft && isOnlyHeard) { (shown, hasLeft) = (tempo, false) }
        }
    }
}

/// Words about the tempo, for which the file may give none.
struct MusicXMLWords {
    enum Kind {
        case gradual, other, back, first
    }

    var kind: Kind
    var text: String
    var position: MusicXMLPosition
    /// Where they are in the file.
    var range: Range<Int>

    /// What words mean for the tempo; nil if they do not speak of it. In lower case, with single blanks.
    static func kind(of words: String) -> Kind? {
        let letters = words.filter { $0.isLetter || $0.isNumber || $0 == " " }.split(separator: " ").joined(
            separator: " ")
        if backWords.contains(letters) { return .back }
        if firstWords.contains(letters) || letters.hasPrefix("tempo primo") { return .first }
        let all = Set(letters.split(separator: " ").map(String.init))
        if !all.isDisjoint(with: gradualWords) { return .gradual }
        if otherPhrases.contains(where: { letters.contains($0) }) || !all.isDisjoint(with: otherWords) { return .other }
        return nil
    }

    private static let backWords: Set<String> = ["a tempo", "in tempo", "im tempo", "au mouvement", "au mouvt"]
    private static let firstWords: Set<String> = [
        "tempo i", "tempo iº", "tempo io", "tempo imo", "tempo 1", "tempo 1º", "tempo 1o", "a tempo primo", "a tempo i",
        "tempo come prima", "come prima",
        "erstes tempo", "1er mouvement", "premier mouvement",
    ]
    private static let gradualWords: Set<String> = [
        "rit", "ritard", "ritardando", "riten", "ritenuto", "rall", "rallent", "rallentando", "accel", "accelerando",
        "allarg", "allargando", "stringendo", "slentando", "ralentir", "retenu", "cédez", "zurückhaltend",
        "verlangsamen", "beschleunigen",
    ]
    private static let otherPhrases = [
        "più mosso", "piu mosso", "meno mosso", "poco mosso", "più lento", "piu lento", "più presto", "piu presto",
        "più allegro", "piu allegro", "meno allegro", "doppio movimento", "doppio più", "double time", "half time",
        "plus lent", "plus vite", "a piacere", "colla parte", "tempo di", "tempo rubato",
    ]
    private static let otherWords: Set<String> = [
        "rubato", "largo", "larghetto", "lento", "adagio", "adagietto", "grave", "andante", "andantino", "moderato",
        "allegretto", "allegro", "vivace", "vivo", "presto", "prestissimo", "langsam", "langsamer", "schnell",
        "schneller", "bewegter", "ruhiger", "slower", "faster", "lent", "vif",
    ]
}

extension [MusicXMLMeasure] {
    /// Warns of words about the tempo for which the file gives none, but for those in bars that get one by a file beside it:
    /// each where it is first written. `numbers` are those of the bars.
    func warnOfWords(_ numbers: [BarNumber], _ others: Set<BarNumber>, _ log: inout DiagnosticLog) {
        for (index, measure) in enumerated() where !others.contains(numbers[index]) {
            for words in measure.words where !isGiven(words, in: measure, index) {
                let (text, number) = (TextError.quoted(words.text), measure.number.map { "\($0)" } ?? "\(index + 1)")
                switch words.kind {
                case .back:
                    log.warning(
                        at: words.range,
                        localized("\(text) in measure \(number) has no tempo; the last tempo mark before it is assumed")
                    )
                case .first:
                    log.warning(
                        at: words.range,
                        localized("\(text) in measure \(number) has no tempo; the first one of the piece is assumed"))
                case .gradual, .other:
                    log.warning(
                        at: words.range,
                        localized("\(text) in measure \(number) is left out: the file gives no tempo for it"),
                        hint: localized(
                            "write its tempi as metronome marks, which can be hidden, or in a file for --tempi"))
                }
            }
        }
    }

    /// Whether the file gives the tempi of words: at their place or, if they are gradual, up to the end of the next
    /// measure.
    private func isGiven(_ words: MusicXMLWords, in measure: MusicXMLMeasure, _ index: Int) -> Bool {
        if measure.tempi.contains(where: { $0.isMark && $0.position == words.position }) { return true }
        guard words.kind == .gradual else { return false }
        let next = index + 1 < count ? self[index + 1].tempi.prefix { $0.isOnlyHeard || $0.isDeparture } : []
        return measure.tempi.contains { $0.isOnlyHeard && $0.position > words.position }
            || next.contains(where: \.isOnlyHeard)
    }
}
