internal import Languages
internal import Scores

/// The music of a Click Tracker score in the order in which it is written, with the tempo of each place.
///
/// The passes of a repeat are equal: the tempo belongs to the place in the text, not to the pass.
struct ClickTrackerScript {
    /// A part of the music.
    enum Step {
        /// Bars with a meter, `times` of them.
        case bars(Meter, times: Int, ClickTrackerTempo, Range<Int>)
        /// Beats of equal length, `times` of them.
        case beats(ClickTrackerBeat, times: Int, ClickTrackerTempo, Range<Int>)
        case cue(String, Range<Int>)
        /// The beginning of a repeat that is played `times` times.
        case begin(times: Int)
        /// The end of the innermost repeat.
        case end
    }

    private(set) var steps: [Step] = []
    private(set) var firstBar: Int?
    private(set) var pickup: Int?
    private var tempo = ClickTrackerTempo.steady(.standard)
    private var hasFermatas = true
    private var hasSubdivisions = true
    /// The repeats that are open, outermost first.
    private var repeats: [Repeat] = []

    private struct Repeat {
        /// The index of its `begin`.
        var begin: Int
        /// How many quarters are left; nil after its last one.
        var left: Fraction?
        /// Whether it ended inside an item.
        var endsInside = false
        var hasMusic = false
        var place: Range<Int>

        /// How many items of a length begin before its end.
        func count(of length: Fraction) -> Int? {
            guard let left else { return nil }
            let count = left / length
            return Int(count.floor) + (Fraction(max(1, count.floor)) == count ? 0 : 1)
        }

        mutating func pass(_ quarters: Fraction) {
            hasMusic = true
            guard let rest = left else { return }
            endsInside = rest < quarters
            left = rest.minus(quarters)
        }
    }

    /// How deep repeats can be nested.
    private static let depthLimit = 8

    /// Takes the next line.
    mutating func take(_ item: ClickTrackerItem, _ place: Range<Int>, _ log: inout DiagnosticLog) {
        switch item {
        case .tempo(let new): tempo = .steady(new)
        case .change(let rate, let length, let curve):
            let change = ClickTrackerChange(from: tempo.rate, to: rate, over: length, curve: curve)
            tempo = change.from == change.to ? .steady(Tempo(Fraction(1, 4), rate)) : .changing(change, position: nil)
        case .bar(let meter, let times):
            add(meter.length * Fraction(4), times, &log) { .bars(meter, times: $0, $1, place) }
        case .beat(var beat, let times):
            beat.hasFermata = beat.hasFermata && hasFermatas
            beat.isSilent = beat.isSubdivision && !hasSubdivisions
            add(beat.length, times, &log) { .beats(beat, times: $0, $1, place) }
        case .repeat(let quarters, let times?):
            guard repeats.count < ClickTrackerScript.depthLimit else {
                return log.error(at: place, localized("repeats are nested more than 8 deep"))
            }
            repeats.append(Repeat(begin: steps.count, left: quarters, place: place))
            steps.append(.begin(times: times))
        case .repeat(_, nil):
            log.assume(
                at: place,
                TextError(localized("this repeat does not say how many times"), hint: localized("for example rep 8 2")),
                localized("it is played once"))
        case .cue(let name): steps.append(.cue(name, place))
        case .firstBar(let number): firstBar = number
        case .pickup(let count): pickup = count
        case .fermatas(let on): hasFermatas = on
        case .subdivisions(let on): hasSubdivisions = on
        case .ignored: break
        }
    }

    /// Ends the repeats that are still open.
    mutating func finish(_ log: inout DiagnosticLog) {
        while let last = repeats.popLast() {
            log.assume(
                at: last.place, TextError(localized("the piece ends before the end of this repeat")),
                last.hasMusic ? localized("it repeats all that follows") : localized("it repeats nothing"))
            close(last)
        }
    }

    /// Adds `times` items of the same length, and ends the repeats that end among them.
    private mutating func add(
        _ length: Fraction, _ times: Int, _ log: inout DiagnosticLog, _ step: (Int, ClickTrackerTempo) -> Step
    ) {
        var left = times
        while left > 0 {
            let count = repeats.reduce(left) { min($0, $1.count(of: length) ?? $0) }
            let quarters = length * Fraction(Int64(count))
            steps.append(step(count, tempo))
            tempo = tempo.after(quarters)
            left -= count
            for index in repeats.indices { repeats[index].pass(quarters) }
            // A repeat contains the whole of those that begin in it.
            while let last = repeats.last, last.left == nil {
                if last.endsInside {
                    log.assume(
                        at: last.place, TextError(localized("this repeat ends inside an item")),
                        localized("it ends with the item"))
                }
                close(repeats.removeLast())
            }
        }
    }

    private mutating func close(_ last: Repeat) {
        // A repeat without music takes no time, however often it is played.
        if !last.hasMusic { steps[last.begin] = .begin(times: 1) }
        steps.append(.end)
    }
}
