internal import Glibc
internal import Scores
internal import Timing

/// A gradual change of tempo as klick writes it: `T1-T2` over whole bars, linear from beat to beat.
struct KlickRamp {
    /// The number of bars.
    var bars: Int
    /// The tempos, in quarters per minute.
    var tempi: String

    /// The maximum difference between klick's time of a boundary and the score's.
    private static let tolerance = Duration.nanoseconds(1) / 2
    /// The maximum number of bars in an entry.
    private static let barLimit = 10_000

    /// The ramp that begins with bar `index` of a piece; nil if there is none, or if klick would not have every beat
    /// where the score has it. `isOpen` tells whether a later bar may be in the same entry as the first.
    init?(_ played: PlayedScore, at index: Int, isOpen: (PlayedBar, PlayedBar) -> Bool) {
        let first = played.bar(index)
        guard !first.written.isPlain, let ramp = first.written.details.ramp, ramp.curve == .beats,
            let meter = first.written.meter
        else { return nil }
        switch ramp.span {
        case .bars(let count): bars = count
        case .beats(let count):
            let length = count * ramp.target.value
            let ratio = length / meter.length
            guard ratio.denominator == 1 else { return nil }
            bars = Int(ratio.numerator)
        }
        guard (1...KlickRamp.barLimit).contains(bars), index + bars <= played.barCount else { return nil }
        let all = [first] + (1..<bars).map { played.bar(index + $0) }
        let isPlain = all.dropFirst().allSatisfy { bar in
            bar.written.meter == meter && bar.written.details.tempo == nil && bar.written.details.ramp == nil
                && isOpen(first, bar)
        }
        guard isPlain, all.allSatisfy({ KlickRamp.isEven($0, meter) }),
            all.allSatisfy(\.written.details.tempoChanges.isEmpty),
            all.allSatisfy({ $0.written.details.holds.isEmpty && $0.written.details.speed == nil })
        else {
            return nil
        }
        // The beats, then the end, by their positions in whole notes from the beginning.
        var places: [(notes: Double, time: Duration)] = []
        for (number, bar) in all.enumerated() {
            let before = Double(number) * meter.length.value
            for beat in bar.beats {
                places.append((before + (beat.position?.value ?? 0), bar.start + beat.offset - first.start))
            }
        }
        let length = Double(bars) * meter.length.value
        let whole = all[bars - 1].end - first.start
        places.append((length, whole))
        let speed = Double(played.speed.millionths) / 1_000_000
        let target = ramp.target.wholeNotes.value * 4 * speed
        guard let from = KlickRamp.start(target, length: length, in: whole.inSeconds, places) else { return nil }
        tempi = "\(from.plainText)-\(target.plainText)"
    }

    /// Whether the bar's clicks are equal beats of the note value that klick gets, so that a ramp over them is the same.
    private static func isEven(_ bar: PlayedBar, _ meter: Meter) -> Bool {
        let beat = Fraction(1, KlickWriter.denominator(of: bar, beats: bar.beats.count))
        return Fraction(Int64(bar.beats.count)) * beat == meter.length
            && bar.beats.enumerated().allSatisfy { $1.position == ($0 == 0 ? nil : Fraction(Int64($0)) * beat) }
    }

    /// The initial tempo from which a ramp reaches `target` in a given time, with as few digits as keep every beat in
    /// place.
    private static func start(
        _ target: Double, length: Double, in seconds: Double, _ places: [(notes: Double, time: Duration)]
    ) -> Double? {
        // The time of 4 · length quarters in seconds, at the logarithmic mean of both tempos; less if `from` is faster.
        func time(_ from: Double) -> Double {
            let difference = target - from
            return 240 * length * (abs(difference) < 1e-9 * target ? 1 / target : log(target / from) / difference)
        }
        var (low, high) = (1e-3, 1e5)
        guard time(low) > seconds, time(high) < seconds else { return nil }
        for _ in 0..<200 {
            let middle = (low * high).squareRoot()
            if time(middle) > seconds { low = middle } else { high = middle }
        }
        for decimals in 0..<14 {
            let unit = pow(10, Double(decimals))
            let rounded = (low * unit).rounded() / unit
            if rounded > 0, rounded != target, keeps(places, from: rounded, to: target, length: length) {
                return rounded
            }
        }
        return nil
    }

    private static func keeps(
        _ places: [(notes: Double, time: Duration)], from: Double, to: Double, length: Double
    ) -> Bool {
        let shape = RampShape(
            from: Fraction(nearest: from / 4), to: Fraction(nearest: to / 4), length: length, curve: .beats)
        return places.allSatisfy { (shape.moment(at: $0.notes) - $0.time).magnitude <= tolerance }
    }
}
