internal import Scores

/// Bars like that of a boundary, as they are counted before it: without holds, and at the tempo of its beginning.
struct CountedBars {
    private let content: Content
    /// The tempo; nil for a bar of seconds.
    private let tempo: TempoCurve?
    /// The speeds of the bar and of its stretch.
    private let speeds: [Speed]
    /// Whether the bar has a meter, a pattern of beats or a grid.
    let haveBeats: Bool

    private enum Content {
        /// Beats with their distances from the end of the bar, and its length, in whole notes; the same of a pickup.
        case meter([(left: Fraction, stress: Beat.Stress)], length: Fraction, pickup: Fraction?)
        /// The same in seconds, with the numbers of the beats.
        case seconds([(left: Duration, stress: Beat.Stress, number: Int?)], length: Duration)
    }

    /// The bars before boundary `n`; before a pickup, bars like that after it, of which the last lacks the pickup.
    init(before n: Int, _ passage: Passage, _ settings: InnerSettings) {
        let timeline = passage.timeline
        let bar = passage.bar(of: n)
        let (written, page) = (bar.written, timeline.pageBar(bar.index))
        speeds = [written.details.speed, passage.stretch(of: n).speed].compactMap(\.self).filter { $0 != .asWritten }
        if let meter = written.meter, let curve = timeline.layout.curve(page) {
            tempo = curve.steadied
            haveBeats = true
            let pickup = timeline.pickup(from: bar.index)
            let counted = pickup?.whole ?? meter
            content = .meter(counted.beatsFromEnd, length: counted.length, pickup: pickup?.part)
        } else {
            tempo = nil
            var details = written.details
            // This speed is one of `speeds`, and a counted bar has no holds, which would move the points of a clock.
            (details.speed, details.holds) = (nil, [])
            let inner = BarBeats(written, details, nil, start: .zero, settings)
            let beats = inner.all
            haveBeats = !beats.isEmpty
            let stress = beats.first?.stress == .silent ? Beat.Stress.silent : .accent
            var counted: [(left: Duration, stress: Beat.Stress, number: Int?)] = [(inner.music, stress, 1)]
            for beat in beats.dropFirst() { counted.append((inner.music - beat.offset, beat.stress, beat.number)) }
            content = .seconds(counted, length: inner.music)
        }
    }

    /// A beat: its distance from the end in score time, and its number in its bar.
    typealias CountedBeat = (lead: Duration, stress: Beat.Stress, number: Int?)

    /// The beats of `count` bars, from the first to the last.
    func beats(ofBars count: Int) -> [CountedBeat] {
        let bars = (0..<count).reversed()
        switch content {
        case .seconds(let beats, let length):
            return bars.flatMap { after in beats.map { (time(length * after + $0.left), $0.stress, $0.number) } }
        case .meter(let beats, let length, let pickup):
            let part = pickup.flatMap { length - $0 }
            let whole = bars.flatMap { after in
                beats.enumerated().map { index, beat in
                    let left = [part, after > 0 ? length * Fraction(Int64(after)) : nil].compactMap(\.self)
                    return (time(left.reduce(beat.left, +)), beat.stress, index + 1)
                }
            }
            guard let pickup else { return whole }
            return whole
                + beats.enumerated().compactMap { index, beat in
                    (beat.left - pickup).map { (time($0), beat.stress, index + 1) }
                }
        }
    }

    /// How long `count` bars last in score time.
    func length(ofBars count: Int) -> Duration {
        switch content {
        case .seconds(_, let length): return time(length * count)
        case .meter(_, let length, let pickup):
            let whole = length * Fraction(Int64(count))
            return time(pickup.flatMap { length - $0 }.map { $0 + whole } ?? whole)
        }
    }

    /// The last `count` beats.
    func last(_ count: Int) -> [CountedBeat] {
        // Every bar has a beat.
        var bars = 1
        while bars < count, beats(ofBars: bars).count < count { bars += 1 }
        return beats(ofBars: bars).suffix(count)
    }

    private func time(_ notes: Fraction) -> Duration { time(tempo?.duration(of: notes) ?? .zero) }

    private func time(_ duration: Duration) -> Duration { speeds.reduce(duration) { $1.realDuration(of: $0) } }
}

extension TempoCurve {
    /// The tempo here, as a steady one.
    fileprivate var steadied: TempoCurve {
        switch self {
        case .steady: self
        case .ramp: .steady(Fraction(nearest: wholeNotes))
        case .changing(let steps): steps.first?.curve.steadied ?? self
        }
    }
}

extension Timeline {
    /// The meter of the first bar after the pickup to which bar `index` belongs, and the length from that bar on to the end
    /// of the pickup, without whole bars of that meter, nil if nothing is left. Nil if a bar has no meter.
    fileprivate func pickup(from index: Int) -> (whole: Meter, part: Fraction?)? {
        guard isPickup(index) else { return nil }
        var length: Fraction?
        for next in index..<min(index + Score.pickupRange.upperBound + 1, barCount) {
            guard let meter = self[next].written.meter else { return nil }
            guard !isPickup(next) else {
                length = length.map { $0 + meter.length } ?? meter.length
                continue
            }
            guard let length else { return nil }
            let bars = (length / meter.length).floor
            return (meter, bars > 0 ? length - meter.length * Fraction(bars) : length)
        }
        return nil
    }
}

extension Meter {
    /// The beats with their distances from the end of the bar, in whole notes.
    fileprivate var beatsFromEnd: [(left: Fraction, stress: Beat.Stress)] {
        var left: Fraction?
        let reversed = beats.reversed().map { beat in
            let value = beat.value ?? .one
            let here = left.map { $0 + value } ?? value
            left = here
            return (left: here, stress: beat.stress)
        }
        return reversed.reversed()
    }
}
