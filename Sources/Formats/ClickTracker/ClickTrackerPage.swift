internal import Languages
internal import Scores

/// Makes a score from the music of a Click Tracker score, in playing order.
///
/// A bar with a steady tempo becomes a bar with a meter. A bar in which the tempo changes becomes a bar of seconds
/// whose beats keep their lengths. A cue begins a line.
struct ClickTrackerPage {
    private var lines: [Score.Line] = []
    private var bars: [Score.Bar] = []
    private var label = ""
    /// The cue before the next event, which shows whether a bar begins there.
    private var cue = ""
    private var cuePlace = 0..<0
    private var size = PieceSize()
    private var barCount = 0
    /// The tempo that bars with a meter have at this point of the score.
    private var written = Tempo.standard
    /// The beats of a bar that is not complete: their lengths in seconds, whether all have one tempo, where the bar
    /// begins.
    private var beats: [(beat: ClickTrackerBeat, seconds: Fraction)] = []
    private var beatTempo: Tempo?
    private var place = 0..<0
    /// Bars with a steady tempo by their source, so that equal bars share their memory.
    private var metered: [Meter: Score.Bar] = [:]
    private var beaten: [[ClickTrackerBeat]: Score.Bar] = [:]
    private var described = DescribedBars()
    /// The number of beats, cues and repeats played; they count again in every pass.
    private var played = 0

    /// The score. Errors: no bars, or too many of them.
    static func score(of script: ClickTrackerScript, _ log: inout DiagnosticLog) throws(Problem) -> Score {
        var page = ClickTrackerPage()
        try page.play(script.steps, &log)
        try page.closeBar()
        page.closeLine()
        if !page.cue.isEmpty {
            log.warning(at: page.cuePlace, localized("'\(page.cue)' is left out: no music follows this cue"))
        }
        guard !page.lines.isEmpty else {
            throw Problem(0..<0, localized("the score has no bars"), hint: localized("for example 4/4 x 8"))
        }
        var score = Score(lines: page.lines)
        score.beats = true
        score.firstBar = script.firstBar ?? 1
        score.pickup = min(script.pickup ?? 0, page.barCount)
        return score
    }

    private mutating func play(_ steps: [ClickTrackerScript.Step], _ log: inout DiagnosticLog) throws(Problem) {
        /// The repeats that are being played: the step after which each begins, and its passes after this one.
        var repeats: [(begin: Int, left: Int)] = []
        var index = 0
        while index < steps.count {
            switch steps[index] {
            case .begin(let times): repeats.append((index, times - 1))
            case .end:
                guard let last = repeats.last, last.left > 0 else {
                    _ = repeats.popLast()
                    break
                }
                repeats[repeats.count - 1].left -= 1
                index = last.begin
            case .cue(let name, let range):
                try count(1, range)
                let joined = cue.isEmpty ? name : "\(cue), \(name)"
                if joined.unicodeScalars.count <= Score.textLimit {
                    (cue, cuePlace) = (joined, range)
                } else {
                    log.warning(
                        at: range, localized("this cue is left out: with those at the same place it is too long"))
                }
            case .bars(let meter, let times, let tempo, let range):
                try closeBar()
                try beginLine()
                try add(meter, times, tempo, range)
            case .beats(let beat, let times, var tempo, let range):
                for _ in 0..<times {
                    if beat.beginsBar || beats.isEmpty { try closeBar() }
                    try beginLine()
                    try add(beat, tempo, range)
                    tempo = tempo.after(beat.length)
                }
            }
            index += 1
        }
    }

    private mutating func count(_ steps: Int, _ range: Range<Int>) throws(Problem) {
        played += steps
        guard played <= 10_000_000 else {
            throw Problem(range, localized("the piece has more than 10 000 000 beats with its repeats"))
        }
    }

    /// Begins a line with the bar at hand if a cue stands before or in it.
    private mutating func beginLine() throws(Problem) {
        guard !cue.isEmpty else { return }
        closeLine()
        guard lines.count < Score.writtenLineLimit else {
            throw Problem(cuePlace, localized("the piece has more than 200 000 cues with its repeats"))
        }
        let joined = label.isEmpty ? cue : "\(label), \(cue)"
        guard joined.unicodeScalars.count <= Score.textLimit else { return }
        (label, cue) = (joined, "")
    }

    private mutating func closeLine() {
        guard !bars.isEmpty else { return }
        lines.append(Score.Line(label: label, bars: bars))
        (bars, label) = ([], "")
    }

    // MARK: - Bars by their meters

    private mutating func add(
        _ meter: Meter, _ times: Int, _ tempo: ClickTrackerTempo, _ range: Range<Int>
    ) throws(Problem) {
        var tempo = tempo
        for _ in 0..<times {
            try count(1, range)
            guard let steady = tempo.steady else {
                // The length of each beat depends on its position in the change of tempo.
                let uneven = meter.clickTrackerBeats.map { beat in
                    let quarters = (beat.value ?? .one) * Fraction(4)
                    defer { tempo = tempo.after(quarters) }
                    return (tempo.seconds(of: quarters), beat.stress)
                }
                let bar = Score.Bar(beats: uneven)
                try append(bar, bar.duration, range, isShared: false)
                continue
            }
            var bar = metered[meter] ?? Score.Bar(clickTracker: meter)
            metered[meter] = bar
            let isMarked = setTempo(of: &bar, steady)
            try append(bar, tempo.seconds(of: meter.length * Fraction(4)).seconds, range, isShared: !isMarked)
        }
    }

    /// Sets the tempo of a bar if it is new, or if the bar is the first; returns whether it did.
    private mutating func setTempo(of bar: inout Score.Bar, _ tempo: Tempo) -> Bool {
        guard tempo != written || barCount == 0 else { return false }
        bar.details.tempo = .tempo(tempo)
        written = tempo
        return true
    }

    // MARK: - Bars by their beats

    private mutating func add(
        _ beat: ClickTrackerBeat, _ tempo: ClickTrackerTempo, _ range: Range<Int>
    ) throws(Problem) {
        try count(1, range)
        guard beats.count < Meter.beatLimit else {
            throw Problem(
                range, localized("a bar has at most 1000 beats"), hint: localized("write b where a bar begins"))
        }
        if beats.isEmpty {
            (beatTempo, place) = (tempo.steady, range)
        } else if tempo.steady != beatTempo {
            beatTempo = nil
        }
        beats.append((beat, tempo.seconds(of: beat.length)))
    }

    private mutating func closeBar() throws(Problem) {
        guard !beats.isEmpty else { return }
        let stresses = beats.enumerated().map { index, entry -> Beat.Stress in
            guard !entry.beat.isSubdivision else { return entry.beat.isSilent ? .silent : .subdivision }
            return index == 0 ? .accent : .beat
        }
        let key = beats.map(\.beat)
        var bar: Score.Bar
        var isShared = false
        if let tempo = beatTempo {
            guard beats.reduce(0, { $0 + $1.beat.length.value }) <= 4 * Double(Meter.beatLimit) else {
                throw Problem(
                    place, localized("a bar is at most 4000 quarters long"),
                    hint: localized("write b where a bar begins"))
            }
            if let known = beaten[key] {
                (bar, isShared) = (known, true)
            } else {
                bar = steadyBar(stresses)
                addFermatas(to: &bar)
                beaten[key] = bar
            }
            if setTempo(of: &bar, tempo) { isShared = false }
        } else {
            bar = Score.Bar(beats: zip(beats, stresses).map { ($0.seconds, $1) })
            addFermatas(to: &bar)
        }
        let seconds = beats.dropFirst().reduce(beats[0].seconds) { $0 + $1.seconds }
        beats = []
        try append(bar, seconds.seconds, place, isShared: isShared)
    }

    private func addFermatas(to bar: inout Score.Bar) {
        let places = beats.indices.filter { beats[$0].beat.hasFermata }
        bar.set(holdsAtBeats: places.map { Hold(.zero, at: .beat($0 + 1), waits: true) })
    }

    /// A bar with the beats collected so far; it has a plain meter if all beats have the same length.
    private func steadyBar(_ stresses: [Beat.Stress]) -> Score.Bar {
        let lengths = beats.map(\.beat.length)
        let isPlain = stresses == [.accent] + Array(repeating: .beat, count: stresses.count - 1)
        if lengths.allSatisfy({ $0 == lengths[0] }) {
            var bar = Score.Bar(Meter([Meter.Term([Fraction(Int64(lengths.count))], over: Fraction(4) / lengths[0])]))
            if !isPlain { bar.details.beats = stresses.map { Beat($0) } }
            return bar
        }
        let sum = lengths.dropFirst().reduce(lengths[0], +)
        // A meter has at most 1000 beats: those of a long bar are whole notes.
        let term =
            sum.value <= Double(Meter.beatLimit)
            ? Meter.Term([sum], over: Fraction(4)) : Meter.Term([sum * Fraction(1, 4)], over: .one)
        var bar = Score.Bar(Meter([term]))
        bar.details.beats = zip(stresses, lengths).map { Beat($0, $1 * Fraction(1, 4)) }
        return bar
    }

    private mutating func append(
        _ bar: Score.Bar, _ duration: Duration, _ range: Range<Int>, isShared: Bool
    ) throws(Problem) {
        guard DurationUse.bar.range.contains(duration) else { throw Problem(range, .barLength) }
        barCount += 1
        size.add(duration)
        guard barCount <= PlayedScore.barLimit else {
            throw Problem(range, localized("the piece has more than 1 000 000 bars with its repeats"))
        }
        if let excess = size.excess ?? (isShared ? nil : described.add(bar)) { throw Problem(range, excess) }
        bars.append(bar)
    }
}

extension Meter {
    /// The beats of a bar as Click Tracker plays them: a term of a sum such as `2+3/8` is one beat.
    fileprivate var clickTrackerBeats: [Beat] {
        terms.flatMap { term in
            guard term.groups.count > 1 else { return Meter([term]).beats }
            return term.groups.map { Beat(.accent, $0 * term.beat) }
        }
    }
}

extension Score.Bar {
    fileprivate init(clickTracker meter: Meter) {
        self.init(meter)
        if meter.terms.contains(where: { $0.groups.count > 1 }) { details.beats = meter.clickTrackerBeats }
    }
}
