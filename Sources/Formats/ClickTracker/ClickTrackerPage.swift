internal import Scores

/// Makes a score from Click Tracker items, taken in playing order.
///
/// A bar with a steady tempo becomes a bar with a meter. A bar in which the tempo changes becomes a bar of seconds
/// whose beats keep their lengths. A cue begins a line.
struct ClickTrackerPage {
    private var clock = ClickTrackerClock()
    private var lines: [Score.Line] = []
    private var bars: [Score.Bar] = []
    private var label = ""
    private var size = PieceSize()
    private var barCount = 0
    private var firstBar: Int?
    private var pickup: Int?
    private var hasFermatas = true
    private var hasSubdivisions = true
    /// The tempo that bars with a meter have at this point of the score.
    private var written = Tempo.standard
    /// The beats of a bar that is not complete: their lengths in seconds, whether all have one tempo, where the bar
    /// begins.
    private var beats: [(beat: ClickTrackerBeat, seconds: Fraction)] = []
    private var isSteady = true
    private var beatTempo = Tempo.standard
    private var place = 0..<0
    /// The bar made last, with its source, so that equal bars share their memory.
    private var last: (meter: Meter, bar: Score.Bar)?
    private var lastBeats: (key: [ClickTrackerBeat], bar: Score.Bar)?
    private var described = DescribedBars()
    /// The number of beats taken; they count again in every repeat.
    private var beatCount = 0

    mutating func take(_ item: ClickTrackerItem, _ range: Range<Int>) throws(ClickTrackerItem.Fault) {
        switch item {
        case .tempo(let tempo): clock.set(tempo)
        case .change(let rate, let length, let curve): clock.begin(to: rate, over: length, curve: curve)
        case .bar(let meter, let times):
            try closeBar()
            try add(meter, times, range)
        case .beat(let beat, let times):
            var beat = beat
            for index in 0..<times {
                if beat.beginsBar || beats.isEmpty { try closeBar() }
                try add(beat, range)
                // If a beat is written several times, only the first one begins a bar.
                if index == 0 { beat.beginsBar = false }
            }
        case .cue(let name):
            try closeBar()
            closeLine()
            label = name
        case .firstBar(let number): firstBar = number
        case .pickup(let count): pickup = count
        case .fermatas(let on): hasFermatas = on
        case .subdivisions(let on): hasSubdivisions = on
        case .repeat, .ignored: break
        }
    }

    mutating func score() throws(ClickTrackerItem.Fault) -> Score {
        try closeBar()
        closeLine()
        guard !lines.isEmpty else {
            throw ClickTrackerItem.Fault(0..<0, "the score has no bars", hint: "for example 4/4 x 8")
        }
        var score = Score(lines: lines)
        score.beats = true
        score.firstBar = firstBar ?? 1
        score.pickup = min(pickup ?? 0, barCount)
        return score
    }

    private mutating func closeLine() {
        if !bars.isEmpty {
            lines.append(Score.Line(label: label, bars: bars))
            (bars, label) = ([], "")
        }
    }

    // MARK: - Bars by their meters

    private mutating func add(_ meter: Meter, _ times: Int, _ range: Range<Int>) throws(ClickTrackerItem.Fault) {
        for _ in 0..<times {
            guard clock.isSteady else {
                // The length of each beat depends on its position in the change of tempo.
                let uneven = meter.beats.map { (clock.pass(($0.value ?? .one) * Fraction(4)), $0.stress) }
                let bar = Score.Bar(beats: uneven)
                try append(bar, bar.duration, range, isShared: false)
                continue
            }
            var bar = last.flatMap { $0.meter == meter ? $0.bar : nil } ?? Score.Bar(meter)
            last = (meter, bar)
            let isMarked = setTempo(of: &bar, clock.tempo)
            try append(bar, (clock.quarter * meter.length * Fraction(4)).seconds, range, isShared: !isMarked)
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

    private mutating func add(_ beat: ClickTrackerBeat, _ range: Range<Int>) throws(ClickTrackerItem.Fault) {
        beatCount += 1
        guard beatCount <= 10_000_000 else {
            throw ClickTrackerItem.Fault(range, "the piece has more than 10 000 000 beats with its repeats")
        }
        guard beats.count < Meter.beatLimit else {
            throw ClickTrackerItem.Fault(range, "a bar has at most 1000 beats", hint: "write b where a bar begins")
        }
        if beats.isEmpty {
            (isSteady, beatTempo, place) = (true, clock.tempo, range)
        }
        isSteady = isSteady && clock.isSteady && clock.tempo == beatTempo
        var beat = beat
        beat.hasFermata = beat.hasFermata && hasFermatas
        beat.isSilent = beat.isSubdivision && !hasSubdivisions
        beats.append((beat, clock.pass(beat.length)))
    }

    private mutating func closeBar() throws(ClickTrackerItem.Fault) {
        guard !beats.isEmpty else { return }
        let stresses = beats.enumerated().map { index, entry -> Beat.Stress in
            guard !entry.beat.isSubdivision else { return entry.beat.isSilent ? .silent : .subdivision }
            return index == 0 ? .accent : .beat
        }
        let key = beats.map(\.beat)
        var bar: Score.Bar
        var isShared = false
        if isSteady, let lastBeats, lastBeats.key == key {
            (bar, isShared) = (lastBeats.bar, true)
        } else {
            bar = isSteady ? steadyBar(stresses) : Score.Bar(beats: zip(beats, stresses).map { ($0.seconds, $1) })
            addFermatas(to: &bar)
            if isSteady { lastBeats = (key, bar) }
        }
        if isSteady, setTempo(of: &bar, beatTempo) { isShared = false }
        let seconds = beats.dropFirst().reduce(beats[0].seconds) { $0 + $1.seconds }
        beats = []
        try append(bar, seconds.seconds, place, isShared: isShared)
    }

    private func addFermatas(to bar: inout Score.Bar) {
        let holds = beats.indices.filter { beats[$0].beat.hasFermata }
            .map { Hold(.zero, at: .beat($0 + 1), waits: true) }
        if !holds.isEmpty { bar.details.holds = holds }
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
        var bar = Score.Bar(Meter([Meter.Term([sum], over: Fraction(4))]))
        bar.details.beats = zip(stresses, lengths).map { Beat($0, $1 * Fraction(1, 4)) }
        return bar
    }

    private mutating func append(
        _ bar: Score.Bar, _ duration: Duration, _ range: Range<Int>, isShared: Bool
    ) throws(ClickTrackerItem.Fault) {
        guard DurationUse.bar.range.contains(duration) else {
            throw ClickTrackerItem.Fault(range, TextError.barLength.message)
        }
        barCount += 1
        size.add(duration)
        guard barCount <= PlayedScore.barLimit else {
            throw ClickTrackerItem.Fault(range, "the piece has more than 1 000 000 bars with its repeats")
        }
        if let excess = size.excess ?? (isShared ? nil : described.add(bar)) {
            throw ClickTrackerItem.Fault(range, excess)
        }
        bars.append(bar)
    }
}
