internal import Languages
package import Scores

/// Adds up the bars of a ramp: bars with a meter, in the order of the page, up to the next tempo.
struct RampReach {
    let wanted: Int
    private(set) var bars = 0
    /// In whole notes.
    private(set) var length = 0.0
    private(set) var isOver = false

    /// Adds a bar from a place on; bars of seconds are skipped. A tempo after that place ends the ramp.
    mutating func add(_ bar: Score.Details, from place: Fraction? = nil) {
        guard let meter = bar.meter, !isOver else { return }
        if !bar.tempoChanges.isEmpty {
            let places = BeatPlaces(meter, marked: bar.beats)
            isOver = bar.tempoChanges.contains { place.isEarlier(than: places.place(of: $0.beat)) }
            guard !isOver else { return }
        }
        length += (place.map { meter.length - $0 } ?? meter.length)?.value ?? 0
        bars += 1
        isOver = bars == wanted
    }

    mutating func add(_ bars: ArraySlice<Score.Bar>) {
        for bar in bars where !bar.isPlain {
            let details = bar.details
            if details.tempo != nil || details.ramp != nil { isOver = true }
            add(details)
            if isOver { return }
        }
    }

    mutating func add(_ parts: ArraySlice<Score.Part>, _ fragment: (String) -> [Score.Part], depth: Int = 0) {
        for part in parts where !isOver {
            switch part {
            case .line(let line):
                if line.tempo != nil { isOver = true }
                if !isOver { add(line.bars[...]) }
            case .group(let group):
                add(group.parts[...], fragment, depth: depth)
                for ending in group.endings { add(ending.parts[...], fragment, depth: depth) }
            case .use(let use):
                guard depth < LayoutBuilder.depthLimit else { break }
                add(fragment(use.fragment)[...], fragment, depth: depth + 1)
            }
        }
    }
}

extension TextError {
    /// The error for a ramp over more bars than there are.
    package static func rampTooLong(over count: Int, reach: Int) -> TextError {
        return TextError(
            localized(
                "the ramp goes over \(count) bars with a meter, but the section has only \(reach) from here to its end or to another tempo"
            ),
            hint: localized("give the number of beats"))
    }

    /// The error for a bar whose meter, tempo and speed make it too short.
    static func barTooShort(_ duration: Duration) -> TextError {
        TextError(
            localized(
                "with its tempo and speed, this bar lasts \((duration * 1000).seconds(decimals: 3)) ms, but a bar must last at least 1 ms"
            )
        )
    }

    /// The error for a hold that is placed after the end of its bar.
    static func holdAfterBar(_ offset: Duration, _ length: Duration) -> TextError {
        TextError(
            localized(
                "a hold is at \(offset.exactSeconds) s, but with its tempo this bar lasts \(length.seconds(decimals: 3)) s"
            ))
    }

    /// The error for a bar whose meter, tempo, speed and holds make it too long.
    static let barTooLong = TextError(localized("with its tempo, speed and holds, this bar lasts more than 24 h"))
}
