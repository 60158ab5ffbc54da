internal import Languages
internal import Scores
internal import Timing

/// Reads the tempo and meter map of a MIDI file as bars, and its markers as labels.
///
/// A bar has its meter, and the tempi inside of it, exact to the attosecond. A bar with tempi that a score cannot write
/// becomes a bar of seconds whose beats keep their lengths. The last bar is completed.
struct MIDIScore {
    private let file: MIDIFile
    private var clock: MIDIClock
    private var bars: [Score.Bar] = []
    private var lineStarts: [Int] = []
    /// The numbers in markers, by bars; that of a bar whose marker has none is its place in its line.
    private var numbers: [Int: BarNumber] = [:]
    private var hasNumbers = false
    /// The tempo at the end of the last bar with a meter, in quarters per minute.
    private var tempo = Fraction(60)
    /// The exact tempo that holds, and the number of those that have begun.
    private var exact: (tempo: Fraction?, count: Int) = (nil, 0)
    /// The end of the last bar, with exact tempos: its tick may be some milliseconds away from that time.
    private var position = Duration.zero
    private var size = PieceSize()
    private var described = DescribedBars()
    /// The bar made last, with its meter, so that equal bars share their memory.
    private var last: (meter: MIDIMeter, bar: Score.Bar)?
    private var nextText = 0
    /// The line of the last marker with a place.
    private var textLine = 0
    /// Finds the times of texts, which may be before or after the tick of their bar line.
    private var textClock: MIDIClock
    private var strayTexts: (count: Int, first: Int) = (0, 0)
    /// Meters that begin less than 1 ms after a bar line.
    private var leftovers: (count: Int, first: Int) = (0, 0)
    /// Whether the markers contain the places of bars.
    private let isNumbered: Bool

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        // A file that cannot be read has an error and no warnings.
        var warned = log
        do throws(Problem) {
            var reader = MIDIScore(try MIDIFile(source.bytes, &warned))
            log = warned
            try reader.readBars()
            reader.warn(&log)
            return reader.score()
        } catch {
            log.error(at: error.range.lowerBound..<error.range.lowerBound + 1, error.error)
            return nil
        }
    }

    private init(_ file: MIDIFile) {
        self.file = file
        clock = MIDIClock(file)
        textClock = clock
        let markers = file.texts.filter { !$0.value.isCue && !HitLabel.isHit($0.value.text) }
        isNumbered = !markers.isEmpty && markers.allSatisfy { NumberedLabels.place($0.value.text) != nil }
    }

    /// Ticks are counted in 1024ths, so that bars of every meter have a whole number of them.
    private static let scale: Int64 = 1024

    private mutating func readBars() throws(Problem) {
        let end = file.end * MIDIScore.scale
        guard end > 0 else { throw Problem(0, localized("the file has no music: it ends where it begins")) }
        var endClock = clock
        let endTime = endClock.time(at: end).duration - tolerance(endClock.slowerTempo(around: end))
        var meters = file.meters[...]
        var meter = MIDIMeter(beats: 4, power: 2)
        var start: Int64 = 0
        var place = 0
        while position < endTime {
            while let next = meters.first {
                let tick = next.tick * MIDIScore.scale
                if tick > start {
                    guard isTooShort(from: start, to: tick) else { break }
                    leftovers = (leftovers.count + 1, leftovers.count > 0 ? leftovers.first : next.place)
                }
                (meter, place) = (next.value, next.place)
                meters.removeFirst()
            }
            let beat = 4 * file.division * MIDIScore.scale >> Int64(meter.power)
            let whole = beat * meter.beats
            // A meter that begins within a bar cuts the bar off.
            let cut = meters.first.map { $0.tick * MIDIScore.scale } ?? .max
            var (end, isWhole) = (min(start + whole, cut), start + whole <= cut)
            // So little is left before the next meter that no bar fits: this bar gets it.
            if isWhole, let next = meters.first, cut > end, isTooShort(from: end, to: cut) {
                leftovers = (leftovers.count + 1, leftovers.count > 0 ? leftovers.first : next.place)
                (end, isWhole) = (cut, false)
            }
            try addBar(meter, from: start, to: end, beat: beat, isWhole: isWhole, place)
            start = end
        }
    }

    /// Whether the time between two ticks is less than a bar can last.
    private func isTooShort(from start: Int64, to end: Int64) -> Bool {
        // No quarter is shorter than 1 µs, and this is far below.
        guard (end - start) / MIDIScore.scale <= 1000 * file.division else { return false }
        var ahead = clock
        let begin = ahead.time(at: start).duration
        return ahead.time(at: end).duration - begin < DurationUse.bar.range.lowerBound
    }

    /// How far markers, cue points and the end may be from their bar line, at a tempo: in files of other programs they
    /// are right on it, in Barline's at the tick nearest to its exact time.
    private func tolerance(_ quarter: Int64) -> Duration {
        file.exactTempi.isEmpty ? .zero : .microseconds(20 + quarter / file.division)
    }

    private mutating func addBar(
        _ meter: MIDIMeter, from start: Int64, to end: Int64, beat: Int64, isWhole: Bool, _ place: Int
    ) throws(Problem) {
        guard bars.count < PlayedScore.barLimit else {
            throw Problem(place, localized("the file has more than 1 000 000 bars"))
        }
        let earlier = position
        var bar: Score.Bar
        if let metered = meteredBar(meter, isWhole ? nil : Fraction(end - start, beat), from: start, to: end) {
            bar = metered
            if !bar.details.tempoChanges.isEmpty, let excess = described.add(bar) { throw Problem(place, excess) }
        } else {
            var beats: [(Fraction, Beat.Stress)] = []
            var (from, time) = (start, clock.time(at: start))
            let begin = time.duration
            while from < end {
                let to = min(from + beat, end)
                let next = clock.time(at: to)
                beats.append((next.fraction(since: time), from == start ? .accent : .beat))
                (from, time) = (to, next)
            }
            bar = Score.Bar(beats: beats)
            if let excess = described.add(bar) { throw Problem(place, excess) }
            bar.duration = time.duration - begin
            position += bar.duration
        }
        let duration = position - earlier
        guard DurationUse.bar.range.contains(duration) else {
            throw Problem(place, "\(TextError.barLength.message)")
        }
        size.add(duration)
        if let excess = size.excess { throw Problem(place, excess) }
        label(&bar, from: earlier)
        bars.append(bar)
    }

    /// A bar with its meter and its tempi, of which `part` beats are left; nil if a score cannot write these. Moves the
    /// position to the end of the bar if there is one.
    private mutating func meteredBar(
        _ meter: MIDIMeter, _ part: Fraction?, from start: Int64, to end: Int64
    ) -> Score.Bar? {
        guard let (tempi, length) = tempi(from: start, to: end), let first = tempi.first?.tempo else { return nil }
        var bar = plainBar(meter, part)
        let whole = 4 * file.division * MIDIScore.scale
        let inner = tempi.dropFirst().map { change in
            (place: Fraction(change.tick - start, whole), tempo: Tempo(Fraction(1, 4), change.tempo))
        }
        guard inner.isEmpty || bar.set(tempi: inner) else { return nil }
        if first != tempo || bars.isEmpty { bar.details.tempo = .tempo(Tempo(Fraction(1, 4), first)) }
        tempo = tempi[tempi.count - 1].tempo
        position += length
        return bar
    }

    /// The tempi between two ticks in quarters per minute, each where it begins, and the time between them; nil if there
    /// are too many, or one is too fast to be written.
    private mutating func tempi(from start: Int64, to end: Int64) -> ([(tick: Int64, tempo: Fraction)], Duration)? {
        var (tempi, length, tick): ([(tick: Int64, tempo: Fraction)], Duration, Int64) = ([], .zero, start)
        var (clock, exact) = (clock, exact)
        while tick < end {
            func next() -> Int64 { file.exactTempi[exact.count].tick * MIDIScore.scale }
            while exact.count < file.exactTempi.count, next() <= tick {
                exact = (file.exactTempi[exact.count].value, exact.count + 1)
            }
            let (quarter, begin) = (clock.tempo(at: tick), clock.time(at: tick).duration)
            let change = min(clock.nextChange ?? end, exact.count < file.exactTempi.count ? next() : end, end)
            let written = clock.time(at: change).duration - begin
            let (tempo, time) =
                exactTempo(exact.tempo, change - tick, written) ?? (Fraction(60_000_000, quarter), written)
            guard quarter >= 600, tempi.count <= TempoChange.limitInBar else { return nil }
            if tempi.last?.tempo != tempo { tempi.append((tick, tempo)) }
            length += time
            tick = change
        }
        (self.clock, self.exact) = (clock, exact)
        return (tempi, length)
    }

    /// The exact tempo that Barline has written beside the rounded one, and how long these ticks last at it. Returns nil if
    /// there is none, or if it does not agree with `length`, their time at the rounded tempo: another program has changed
    /// that.
    private func exactTempo(_ tempo: Fraction?, _ ticks: Int64, _ length: Duration) -> (Fraction, Duration)? {
        let quarter = file.division * MIDIScore.scale
        guard let tempo else { return nil }
        let exact = MIDIExactTempo.duration(ticks, of: quarter, at: tempo)
        return (exact - length).magnitude <= .microseconds(1 + ticks / quarter) ? (tempo, exact) : nil
    }

    private mutating func plainBar(_ meter: MIDIMeter, _ part: Fraction?) -> Score.Bar {
        if part == nil, let last, last.meter == meter { return last.bar }
        let beats = part ?? Fraction(meter.beats)
        let bar = Score.Bar(Meter([Meter.Term([beats], over: Fraction(1 << Int64(meter.power)))]))
        if part == nil { last = (meter, bar) }
        return bar
    }

    // MARK: - Texts

    /// Gives the bar that ends at `position` the texts within it.
    private mutating func label(_ bar: inout Score.Bar, from start: Duration) {
        var (labels, cues) = ([String](), [String]())
        var beginsLine = false
        while nextText < file.texts.count {
            let event = file.texts[nextText]
            let tick = event.tick * MIDIScore.scale
            let tolerance = tolerance(textClock.slowerTempo(around: tick))
            let time = textClock.time(at: tick).duration
            guard time < position - tolerance else { break }
            nextText += 1
            let isHit = isNumbered && HitLabel.isHit(event.value.text)
            if time > start + tolerance, !isHit {
                if strayTexts.count == 0 { strayTexts.first = event.place }
                strayTexts.count += 1
            }
            if event.value.isCue || isHit {
                cues.append(event.value.text)
            } else if isNumbered, let (place, number, rest) = NumberedLabels.place(event.value.text) {
                hasNumbers = hasNumbers || number != nil
                numbers[bars.count] = number ?? .counted(place.bar)
                beginsLine = beginsLine || place.line != textLine
                textLine = place.line
                if !rest.isEmpty { labels.append(rest) }
            } else {
                beginsLine = true
                labels.append(event.value.text)
            }
        }
        if beginsLine { lineStarts.append(bars.count) }
        if !labels.isEmpty { bar.label = labels.joined(separator: ", ").cutToTextLimit }
        if !cues.isEmpty { bar.cue = cues.joined(separator: ", ").cutToTextLimit }
    }

    private func warn(_ log: inout DiagnosticLog) {
        if strayTexts.count > 0 {
            let text =
                strayTexts.count == 1
                ? localized("a marker is inside a bar; it is read as the label of the bar")
                : localized("\(strayTexts.count) markers are inside bars; they are read as the labels of their bars")
            log.warning(at: strayTexts.first..<strayTexts.first + 1, text)
        }
        if leftovers.count > 0 {
            log.warning(
                at: leftovers.first..<leftovers.first + 1,
                leftovers.count == 1
                    ? localized("a meter begins less than 1 ms after a bar line; no bar is read between them")
                    : localized(
                        "\(leftovers.count) meters begin less than 1 ms after a bar line; no bars are read between them"
                    ))
        }
        if file.others.count > 0 {
            log.warning(
                at: file.others.first..<file.others.first + 1,
                localized(
                    "notes and other events are left out (\(file.others.count)): a score has only tempi, meters and markers"
                )
            )
        }
    }

    /// Gives the bars their numbers, and returns that of the first.
    private mutating func number() -> Int {
        guard hasNumbers else { return 1 }
        var first = 1
        if case .counted(let number) = numbers[0] { first = number }
        var numbered = NumberedBars(first: first)
        for index in bars.indices { numbered.number(&bars[index], numbers[index]) }
        return first
    }

    private mutating func score() -> Score {
        let first = number()
        let starts = [0] + lineStarts.filter { $0 > 0 }
        let lines = zip(starts, starts.dropFirst() + [bars.count]).map { Score.Line(bars: Array(bars[$0..<$1])) }
        var score = Score(lines: lines)
        if !file.title.isEmpty { score.title = file.title }
        score.beats = true
        score.firstBar = first
        score.timecode = file.timecode
        return score
    }
}
