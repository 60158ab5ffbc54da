internal import Languages
internal import Scores

/// Makes a score from measures, in the order in which they are played.
///
/// A bar with a steady tempo becomes a bar with a meter. A bar in which the tempo changes, or with numbers that a score
/// cannot write, becomes a bar of seconds whose beats keep their lengths. A line begins at every rehearsal mark and
/// wherever the music does not continue with the next measure of the page; equal lines are passes of one line.
struct MusicXMLPage {
    private let measures: [MusicXMLMeasure]
    private let steps: [MusicXMLOrder.Step]
    private var lines: [Score.Line] = []
    private var bars: [Score.Bar] = []
    private var label = ""
    private var tempo = Tempo(Fraction(1, 4), Fraction(120))
    /// The tempo that bars with a meter have at this point of the line; nil if the line has none yet.
    private var written: Tempo?
    /// Bars by what they are made of, so that equal bars share their memory.
    private var known: [MusicXMLBar: (bar: Score.Bar, duration: Duration)] = [:]
    private var described = DescribedBars()
    private var size = PieceSize()

    init(_ measures: [MusicXMLMeasure], _ log: inout DiagnosticLog) throws(FormatFault) {
        self.measures = measures
        steps = try MusicXMLOrder(measures).steps()
        for step in steps { try add(step) }
        try closeLine(measures.last?.place ?? 0)
        if let first = measures.first, !first.marks.contains(where: \.isTempoAtStart) {
            log.warning(
                at: first.place..<first.place + 8,
                localized("no tempo is given here; 120 quarters per minute are assumed"),
                hint: localized("add a metronome mark, which can be hidden"))
        }
    }

    func score(_ reader: MusicXMLReader) -> Score {
        var score = Score(lines: lines)
        (score.title, score.composer) = (reader.title, reader.composer)
        score.beats = true
        if measures.count > 1, measures[0].isImplicit || measures[0].isShort { score.pickup = 1 }
        score.firstBar = measures[score.pickup].number.flatMap { (0...1_000_000).contains($0) ? $0 : nil } ?? 1
        return score
    }

    private mutating func add(_ step: MusicXMLOrder.Step) throws(FormatFault) {
        let measure = measures[step.measure]
        let labels = measure.marks.compactMap { mark -> String? in
            if case .rehearsal(let text) = mark { text } else { nil }
        }
        if step.beginsLine || !labels.isEmpty { try closeLine(measure.place) }
        if !labels.isEmpty { label = MusicXMLReader.text(labels.joined(separator: ", ")) ?? "" }
        guard let length = measure.length else {
            throw FormatFault(
                measure.place, localized("an empty measure without a meter has no length"),
                hint: localized("give it a rest or a meter"))
        }
        var content = MusicXMLBar(measure, length, tempo, isFirst: step.measure == 0)
        content.isMarked = content.isSteady && content.tempo != written
        guard content.whole?.beatCount ?? 1 <= Meter.beatLimit else {
            throw FormatFault(measure.place, localized("a measure has at most 1000 beats"))
        }
        let shared = known[content]
        let (bar, duration) = shared ?? content.bar()
        if shared == nil {
            guard DurationUse.bar.range.contains(duration) else {
                throw FormatFault(measure.place, TextError.barLength.message)
            }
            if let excess = described.add(bar) { throw FormatFault(measure.place, excess) }
            if !bar.isPlain { known[content] = (bar, duration) }
        }
        size.add(duration)
        if let excess = size.excess { throw FormatFault(measure.place, excess) }
        if bar.meter != nil { written = content.tempo }
        tempo = content.tempoAfter
        bars.append(bar)
    }

    private mutating func closeLine(_ place: Int) throws(FormatFault) {
        guard !bars.isEmpty else { return }
        let line = Score.Line(label: label, bars: bars)
        if let last = lines.last, last.label == line.label, last.bars == line.bars {
            lines[lines.count - 1].passes += 1
        } else {
            lines.append(line)
        }
        guard lines.count <= Score.writtenLineLimit else {
            throw FormatFault(place, localized("the piece has more than 200 000 lines with its repeats"))
        }
        (bars, label, written) = ([], "", nil)
    }
}

extension MusicXMLMark {
    fileprivate var isTempoAtStart: Bool { if case .tempo(_, at: .zero) = self { true } else { false } }
}
