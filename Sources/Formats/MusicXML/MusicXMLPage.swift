internal import Languages
internal import Scores

/// Makes a score from measures, in the order in which they are played.
///
/// A measure becomes a bar with a meter, and with the tempi inside of it. One with numbers that a score cannot write
/// becomes a bar of seconds whose beats keep their lengths. A line begins at every rehearsal mark and
/// wherever the music does not continue with the next measure of the page; equal lines are passes of one line.
struct MusicXMLPage {
    private let measures: [MusicXMLMeasure]
    private let steps: [MusicXMLOrder.Step]
    private var lines: [Score.Line] = []
    private var bars: [Score.Bar] = []
    /// The numbers of these bars, and the number of the first bar that is counted.
    private var numbers: [BarNumber] = []
    /// The bars of the last line without numbers, and these.
    private var linesBars: [Score.Bar] = []
    private var linesNumbers: [BarNumber] = []
    private let pageNumbers: [BarNumber]
    private let pickup: Int
    private let firstBar: Int
    private var numbered: NumberedBars
    private var label = ""
    private var tempo = MusicXMLTempoState()
    /// Whether each tempo is kept where it is written, even if it is that of the bars before; lines are then not played
    /// in other orders.
    private let keepsTempi: Bool
    /// The tempo that bars with a meter have at this point of the line; nil if the line has none yet.
    private var written: Tempo?
    /// Bars by what they are made of, so that equal bars share their memory.
    private var known: [MusicXMLBar: (bar: Score.Bar, duration: Duration)] = [:]
    private var described = DescribedBars()
    private var size = PieceSize()

    init(
        _ measures: [MusicXMLMeasure], besideTempiOf others: Set<BarNumber>?, _ log: inout DiagnosticLog
    ) throws(Problem) {
        (self.measures, keepsTempi) = (measures, others != nil)
        pickup = measures.count > 1 && (measures[0].isImplicit || measures[0].isShort) ? 1 : 0
        pageNumbers = MusicXMLPage.numbers(of: measures)
        firstBar = if case .counted(let number)? = pageNumbers.dropFirst(pickup).first { number } else { 1 }
        numbered = NumberedBars(first: firstBar - pickup)
        steps = try MusicXMLOrder(measures, &log).steps()
        for step in steps { try add(step) }
        try closeLine(measures.last?.place ?? 0)
        if let first = measures.first, !first.tempi.contains(where: { $0.position == .zero && $0.isMark }) {
            log.missingTempo(
                at: first.place..<first.place + 8,
                localized("no tempo is given here; 120 quarters per minute are assumed"),
                hint: localized("add a metronome mark, which can be hidden"))
        }
        measures.warnOfWords(pageNumbers, others ?? [], &log)
    }

    func score(_ reader: MusicXMLReader) -> Score {
        var score = Score(lines: lines)
        (score.title, score.composer) = (reader.title, reader.composer)
        score.beats = true
        (score.pickup, score.firstBar) = (pickup, firstBar)
        return score
    }

    /// The printed numbers of measures; one without a number counts on.
    private static func numbers(of measures: [MusicXMLMeasure]) -> [BarNumber] {
        var next = measures.first.map { $0.isImplicit ? 0 : 1 } ?? 1
        return measures.map { measure in
            let number = measure.number ?? .counted(next)
            if case .counted(let whole) = number { next = whole + 1 }
            return number
        }
    }

    private mutating func add(_ step: MusicXMLOrder.Step) throws(Problem) {
        let measure = measures[step.measure]
        let labels = measure.marks.compactMap { mark -> String? in
            if case .rehearsal(let text) = mark { text } else { nil }
        }
        if step.beginsLine || !labels.isEmpty { try closeLine(measure.place) }
        if !labels.isEmpty { label = MusicXMLReader.text(labels.joined(separator: ", ")) ?? "" }
        guard let length = measure.length else {
            throw Problem(
                measure.place, localized("an empty measure without a meter has no length"),
                hint: localized("give it a rest or a meter"))
        }
        var content = MusicXMLBar(measure, length, &tempo, isFirst: step.measure == 0, keepsTempi: keepsTempi)
        let isKept = keepsTempi && measure.tempi.contains { $0.position == .zero && !$0.isDeparture }
        content.isMarked = !content.isFree && (isKept || content.tempo != written)
        guard content.whole?.beatCount ?? 1 <= Meter.beatLimit else {
            throw Problem(measure.place, localized("a measure has at most 1000 beats"))
        }
        let shared = known[content]
        let (bar, duration) = shared ?? content.bar()
        if shared == nil {
            guard DurationUse.bar.range.contains(duration) else {
                throw Problem(measure.place, TextError.barLength.message)
            }
            if let excess = described.add(bar) { throw Problem(measure.place, excess) }
            if !bar.isPlain { known[content] = (bar, duration) }
        }
        size.add(duration)
        if let excess = size.excess { throw Problem(measure.place, excess) }
        if bar.meter != nil { written = content.lastTempo }
        bars.append(bar)
        numbers.append(pageNumbers[step.measure])
    }

    private mutating func closeLine(_ place: Int) throws(Problem) {
        guard !bars.isEmpty else { return }
        if let last = lines.last, last.label == label, linesBars == bars, linesNumbers == numbers {
            lines[lines.count - 1].passes += 1
        } else {
            var line = Score.Line(label: label, bars: bars)
            for index in bars.indices {
                // Lines tell the numbers with which they begin, for people who read the score.
                numbered.number(&line.bars[index], numbers[index], always: index == 0 && !lines.isEmpty)
            }
            (linesBars, linesNumbers) = (bars, numbers)
            lines.append(line)
        }
        guard lines.count <= Score.writtenLineLimit else {
            throw Problem(place, localized("the piece has more than 200 000 lines with its repeats"))
        }
        (bars, numbers, label, written) = ([], [], "", keepsTempi ? written : nil)
    }
}
