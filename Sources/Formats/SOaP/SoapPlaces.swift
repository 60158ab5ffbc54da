internal import Scores

extension SoapSignature {
    /// How many whole notes of a bar are before a place; nil if there are none. Places after the bar are at its end.
    func notes(before place: SoapBeat) -> Fraction? {
        let whole = notes(before: place.number - 1)
        let before = whole > 0 ? length(whole) : nil
        guard place.number <= beats.count, let part = place.part.map({ $0 * length(beats[place.number - 1]) }) else {
            return before
        }
        return before.map { $0 + part } ?? part
    }

    /// The part of a beat after a place in it, in whole notes.
    func rest(after place: SoapBeat) -> Fraction {
        let whole = length(beats[min(place.number, beats.count) - 1])
        return place.part.flatMap { whole.minus($0 * whole) } ?? whole
    }
}

/// Where the tempi of a score are, as SO(a)P has them.
///
/// A tempo at the beat after the last one of a bar is at the next barline, and so begins the next bar. Where a tempo is
/// even later, SO(a)P stops; its importer writes such places for 0.01 beats before the barline.
struct SoapPlaces {
    private(set) var bars: [SoapBar] = []
    /// Tempi after the end of their bars.
    private(set) var late: [Range<Int>] = []

    init(_ all: [SoapBar]) {
        var (signature, isMetered) = (SoapSignature?.none, false)
        bars.reserveCapacity(all.count)
        /// The tempi that begin the bar after the last one.
        var next: SoapBar?
        for (index, listed) in all.enumerated() {
            var bar = listed
            if let begun = next {
                if begun.number == bar.number { bar.items = begun.items + bar.items } else { bars.append(begun) }
                next = nil
            }
            for (item, _, _) in bar.items {
                if case .signature(let new) = item { (signature, isMetered) = (new, true) }
                if case .length = item { isMetered = false }
            }
            let count = isMetered ? signature?.beats.count ?? 1 : 1
            let barline = SoapBeat(number: count + 1)
            for item in bar.items.indices where bar.items[item].item.isTempo && bar.items[item].beat > barline {
                bar.items[item].beat = SoapBeat(number: count, part: Fraction(99, 100))
                late.append(bar.items[item].range)
            }
            let moved = bar.items.filter { $0.item.isTempo && $0.beat == barline }
            // After the last bar, a tempo can only end a curve.
            if let first = moved.first, index + 1 < all.count {
                bar.items.removeAll { $0.item.isTempo && $0.beat == barline }
                next = SoapBar(
                    number: bar.number + 1, range: first.range, items: moved.map { ($0.item, SoapBeat(), $0.range) })
            }
            bars.append(bar)
        }
    }
}
