internal import Scores

// The tempi inside bars: those that are written there, and those that hits change.
extension LayoutBuilder {
    /// The tempo of a bar from its beginning on, with its changes inside the bar. Passes the bar. `begin` begins a ramp
    /// at a place.
    mutating func curve(
        of details: Score.Details, _ index: Int, start: Duration, _ hits: [PlacedHit],
        _ begin: (inout LayoutBuilder, Ramp, Fraction?) -> Void
    ) -> TempoCurve {
        guard let meter = details.meter else { return state.sounding }
        survey.enter(state.point, hasSpeed: details.speed != nil)
        let events = InnerEvent.events(hits, details, meter)
        guard !events.isEmpty else {
            defer { state.pass(meter.length) }
            return state.sounding
        }
        var steps = [TempoStep(from: nil, offset: .zero, curve: state.sounding)]
        for event in events {
            let (place, step) = (event.place, steps[steps.count - 1])
            let length = step.from.map { from in place.flatMap { $0 - from } } ?? place
            var offset = step.offset
            if let length {
                // A bar that is too long is reported.
                offset += min(step.curve.duration(of: length), .seconds(1_000_000_000))
                state.pass(length)
            }
            switch event {
            case .hit(let hit):
                let music = details.speed?.realDuration(of: offset) ?? offset
                reach(hit, index, start: start, music: music)
            case .change(let change, _):
                take(change.mark)
                if let ramp = change.ramp { begin(&self, ramp, place) }
            }
            survey.enter(state.point, hasSpeed: details.speed != nil)
            if length == nil { steps.removeLast() }
            steps.append(TempoStep(from: place ?? step.from, offset: offset, curve: state.sounding))
        }
        if let rest = steps.last?.from.map({ meter.length - $0 }) ?? meter.length { state.pass(rest) }
        return .changing(steps)
    }
}

/// What changes the tempo inside a bar.
private enum InnerEvent {
    case hit(PlacedHit)
    case change(TempoChange, at: Fraction?)

    /// Its distance from the beginning of the bar in whole notes; nil at the beginning.
    var place: Fraction? {
        switch self {
        case .hit(let hit): hit.position
        case .change(_, let place): place
        }
    }

    /// The events of a bar in order. At the same place, the music up to a hit ends before another tempo begins.
    static func events(_ hits: [PlacedHit], _ details: Score.Details, _ meter: Meter) -> [InnerEvent] {
        var events = hits.filter { $0.position != nil }.map(InnerEvent.hit)
        guard !details.tempoChanges.isEmpty else { return events }
        let beats = BeatPlaces(meter, marked: details.beats)
        for change in details.tempoChanges where beats.contains(change.beat) {
            events.append(.change(change, at: beats.place(of: change.beat)))
        }
        return events.enumerated().sorted { one, two in
            let (a, b) = (one.element.place, two.element.place)
            return a == b ? one.offset < two.offset : a.isEarlier(than: b)
        }.map(\.element)
    }
}

extension Score.Details {
    /// Whether another tempo begins with the bar or inside of it.
    var changesTempo: Bool { tempo != nil || ramp != nil || !tempoChanges.isEmpty }
}
