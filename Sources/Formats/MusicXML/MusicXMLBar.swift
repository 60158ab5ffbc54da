internal import Scores

/// All that a bar is made of; equal ones give equal bars.
struct MusicXMLBar: Hashable {
    /// The tempo from a position on.
    private struct Change: Hashable {
        var tempo: Tempo
        var position: MusicXMLPosition
    }

    private let meter: Meter?
    /// In quarters.
    private let length: Fraction
    /// The tempo at the beginning, then its changes.
    private var changes: [Change]
    /// The positions of fermatas, in order; nil for the end.
    private var fermatas: [MusicXMLPosition?]
    /// Whether the first beat is what is left of one, as in a pickup.
    private let isPickup: Bool
    /// Whether the bar says its tempo.
    var isMarked = false

    /// The tempo at the beginning.
    var tempo: Tempo { changes[0].tempo }
    /// The tempo at the end.
    var lastTempo: Tempo { changes[changes.count - 1].tempo }
    var isFree: Bool { meter == nil }

    /// Makes the bar of a measure that is played at a tempo, which is moved to its end.
    init(
        _ measure: MusicXMLMeasure, _ length: Fraction, _ state: inout MusicXMLTempoState, isFirst: Bool,
        keepsTempi: Bool
    ) {
        (meter, self.length) = (measure.meter, length)
        isPickup = measure.isShort && (isFirst || measure.isImplicit)
        let end = MusicXMLPosition(length)
        changes = [Change(tempo: state.tempo, position: .zero)]
        var holds: Set<MusicXMLPosition?> = []
        for case .fermata(let position) in measure.marks { holds.insert(position.flatMap { $0 < end ? $0 : nil }) }
        fermatas = holds.compactMap { $0 }.sorted() + (holds.contains(nil) ? [nil] : [])
        for tempo in measure.tempi {
            state.take(tempo.change)
            guard tempo.position < end else { continue }
            if changes[changes.count - 1].position == tempo.position { changes.removeLast() }
            if changes.last?.tempo != state.tempo || keepsTempi && !tempo.isDeparture {
                changes.append(Change(tempo: state.tempo, position: tempo.position))
            }
        }
    }

    /// The meter, with more or fewer beats if the bar has another length; nil in free time.
    var whole: Meter? {
        guard let meter else { return nil }
        return meter.length * Fraction(4) == length ? meter : MusicXMLMeter.cut(meter, to: length)
    }

    /// The bar, and how long it lasts.
    func bar() -> (bar: Score.Bar, duration: Duration) {
        var index = 0
        let seconds = seconds(from: .zero, to: MusicXMLPosition(length), &index) ?? .one
        guard let meter, let whole else { return (held(Score.Bar(seconds.seconds)), seconds.seconds) }
        let pickup = whole == meter ? nil : pickupBeats(whole)
        if let bar = metered(whole, pickup) { return (held(bar), seconds.seconds) }
        var (beats, position): ([(seconds: Fraction, stress: Beat.Stress)], MusicXMLPosition) = ([], .zero)
        index = 0
        for beat in pickupBeats(whole) ?? whole.beats {
            let next = position + (beat.value ?? .one) * Fraction(4)
            if let length = self.seconds(from: position, to: next, &index) { beats.append((length, beat.stress)) }
            position = next
        }
        var bar = Score.Bar(beats: beats)
        bar.duration = seconds.seconds
        return (held(bar), seconds.seconds)
    }

    /// The bar with its meter and its tempi, without fermatas; nil if a score cannot write these exactly.
    private func metered(_ meter: Meter, _ pickup: [Beat]?) -> Score.Bar? {
        guard (try? Meter(scoreText: meter.text)) == meter, tempo.isWritable,
            pickup?.allSatisfy({ (try? Beat(scoreText: $0.text)) == $0 }) ?? true
        else { return nil }
        var bar = Score.Bar(meter)
        if isMarked { bar.details.tempo = .tempo(tempo) }
        bar.details.beats = pickup
        let inner = changes.compactMap { change in
            change.position.quarters.map { (place: $0 * Fraction(1, 4), tempo: change.tempo) }
        }
        return bar.set(tempi: inner) ? bar : nil
    }

    /// The beats of a pickup that begins within a beat; nil if it does not.
    private func pickupBeats(_ meter: Meter) -> [Beat]? {
        guard isPickup, meter.terms.count == 1, meter.terms[0].groups.count == 1, var beats = Optional(meter.beats),
            beats.count > 1, let rest = beats.last, rest.value != beats[0].value
        else { return nil }
        beats.removeLast()
        beats.insert(Beat(.accent, rest.value), at: 0)
        beats[1].stress = .beat
        return beats
    }

    /// The time between two positions; nil if it is none. `first` is the index of a change that is not after `from`.
    private func seconds(from: MusicXMLPosition, to: MusicXMLPosition, _ first: inout Int) -> Fraction? {
        while first + 1 < changes.count, changes[first + 1].position <= from { first += 1 }
        var sum: Fraction?
        for index in first..<changes.count {
            let start = max(changes[index].position, from)
            let end = index + 1 < changes.count ? min(changes[index + 1].position, to) : to
            guard start < end, let right = end.quarters else { break }
            let quarters = start.quarters.map { right.minus($0) } ?? right
            guard let part = quarters.map({ $0 * Fraction(15) / changes[index].tempo.wholeNotes }) else { continue }
            sum = sum.map { $0 + part } ?? part
        }
        return sum
    }

    /// The bar with its fermatas, each of which waits for the player.
    private func held(_ bar: Score.Bar) -> Score.Bar {
        guard !fermatas.isEmpty else { return bar }
        var starts: [MusicXMLPosition: Int] = [:]
        if bar.meter != nil {
            var position = MusicXMLPosition.zero
            for (index, beat) in (bar.details.beats ?? bar.meter?.beats ?? []).enumerated() {
                starts[position] = index + 1
                position = position + (beat.value ?? .one) * Fraction(4)
            }
        }
        var (bar, index) = (bar, 0)
        bar.details.holds = fermatas.map { position in
            guard let position else { return Hold(.zero, waits: true) }
            if let beat = starts[position] { return Hold(.zero, at: .beat(beat), waits: true) }
            let offset = seconds(from: .zero, to: position, &index)?.seconds ?? .zero
            return Hold(.zero, at: .offset(offset), waits: true)
        }
        return bar
    }
}
