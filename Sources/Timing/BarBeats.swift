internal import Scores

/// The beats of one bar and the clicks between them, without its holds.
struct BarBeats {
    /// All of them, heard or not, in order.
    private(set) var all: [PlayedBeat] = []
    /// The duration of the bar without its holds.
    let music: Duration
    private let speed: Speed?

    init(_ bar: Score.Bar, _ details: Score.Details, _ curve: TempoCurve?, start: Duration, _ settings: InnerSettings) {
        speed = details.speed
        guard let meter = details.meter, let curve else {
            music = details.speed?.realDuration(of: bar.duration) ?? bar.duration
            if let marks = details.beats {
                all = shares(marks, parts: details.subdivision.map(BarBeats.clamped) ?? 1)
            } else {
                all = points(of: details.grid ?? settings.grid, start: start, details.holds)
                for i in all.indices { all[i].number = i + 1 }
            }
            return
        }
        let written = curve.duration(of: meter.length)
        music = details.speed?.realDuration(of: written) ?? written
        let grid = details.grid ?? .off
        let isHeard = grid == .off && (details.beats != nil || (details.subdivision ?? 0) > 1 || settings.beats)
        let hasOwn = details.beats.map { !$0.isEmpty } ?? false
        let parts = isHeard ? BarBeats.clamped(details.subdivision ?? (hasOwn ? 1 : settings.subdivision)) : 1
        let units = parts > 1 ? meter.units(marked: details.beats) : []
        var position: Fraction?
        for (i, beat) in meter.beats(marked: details.beats).enumerated() {
            all.append(click(at: position, curve, beat.stress, number: i + 1, isHeard: isHeard))
            let length = beat.value ?? .one
            if parts > 1, beat.stress != .silent {
                // The last beat of a group of 2.5 has half as many parts, each as long as those of the others.
                let unit = i < units.count ? units[i] : length
                for part in 1..<Int64(parts) {
                    let within = unit * Fraction(part, Int64(parts))
                    guard within < length else { break }
                    let place = position.map { $0 + within } ?? within
                    all.append(click(at: place, curve, .subdivision, number: nil, isHeard: true))
                }
            }
            position = position.map { $0 + length } ?? length
        }
        if grid != .off { add(grid, meter.length, curve, start, details.holds) }
    }

    private static func clamped(_ parts: Int) -> Int {
        min(max(parts, Beat.partRange.lowerBound), Beat.partRange.upperBound)
    }

    private func click(
        at position: Fraction?, _ curve: TempoCurve, _ stress: Beat.Stress, number: Int?, isHeard: Bool
    ) -> PlayedBeat {
        let offset = position.map { curve.duration(of: $0) } ?? .zero
        return PlayedBeat(
            offset: speed?.realDuration(of: offset) ?? offset, position: position, stress: stress, number: number,
            isHeard: isHeard)
    }

    /// Adds the points of the bar's own grid, each of which takes the place of a beat at the same time.
    private mutating func add(
        _ grid: Grid, _ length: Fraction, _ curve: TempoCurve, _ start: Duration, _ holds: [Hold]
    ) {
        var clicks = points(of: grid, start: start, holds)
        if case .parts = grid {
            // Equal parts of the written bar, which follow its tempo.
            let count = Int64(clicks.count)
            clicks = (0..<count).map { i in
                let position = i > 0 ? length * Fraction(i, count) : nil
                return click(at: position, curve, .beat, number: nil, isHeard: true)
            }
        }
        // A program can make a bar without beats.
        for i in clicks.indices where !all.isEmpty {
            let offset = clicks[i].offset
            let beat = all[all.lastIndexByHalving { $0.offset < offset + SameMoment.tolerance }]
            guard beat.offset.isSame(as: offset) else { continue }
            (clicks[i].offset, clicks[i].number, clicks[i].position) = (beat.offset, beat.number, beat.position)
        }
        let taken = Set(clicks.compactMap(\.number))
        let others = all.filter { beat in beat.number.map { !taken.contains($0) } ?? false }
        all = (clicks + others).sorted { $0.offset < $1.offset }
    }

    /// The beats of a bar of seconds, in proportion to their values or in equal parts.
    private func shares(_ marks: [Beat], parts: Int) -> [PlayedBeat] {
        let values = marks.map { $0.value?.value ?? 1 }
        let sum = values.reduce(0, +)
        let areEqual = marks.allSatisfy { $0.value == marks[0].value }
        var before = 0.0
        var clicks: [PlayedBeat] = []
        for (i, mark) in marks.enumerated() {
            for part in 0..<(mark.stress == .silent ? 1 : parts) {
                let offset =
                    areEqual
                    ? self.part(i * parts + part, of: marks.count * parts)
                    : music * ((before + values[i] * Double(part) / Double(parts)) / sum)
                clicks.append(
                    PlayedBeat(
                        offset: offset, position: nil, stress: part == 0 ? mark.stress : .subdivision,
                        number: part == 0 ? i + 1 : nil, isHeard: true))
            }
            before += values[i]
        }
        return clicks
    }

    private func points(of grid: Grid, start: Duration, _ holds: [Hold]) -> [PlayedBeat] {
        offsets(of: grid, start: start, holds).map {
            PlayedBeat(offset: $0, position: nil, stress: .beat, number: nil, isHeard: true)
        }
    }

    private func offsets(of grid: Grid, start: Duration, _ holds: [Hold]) -> [Duration] {
        // A bar that was read is never longer. A longer one, made by a program, has no points after that.
        let music = min(music, DurationUse.bar.range.upperBound)
        // A point at the end of the bar is the next bar's.
        let end = max(music - SameMoment.tolerance, Duration(attoseconds: 1))
        switch grid {
        case .off: return []
        case .parts(let wanted):
            let count = min(max(wanted, 1), Grid.partRange.upperBound)
            return (0..<count).map { part($0, of: count) }
        case .perMinute(let wanted):
            let count = min(max(wanted, 1), Grid.perMinuteRange.upperBound)
            // Each point is computed on its own, to the nearest attosecond.
            let minute = Duration.seconds(60).attoseconds
            let last = Int((end.attoseconds * Int128(count) - 1) / minute)
            return (0...max(last, 0)).map { i in
                Duration(attoseconds: (minute * Int128(i) + Int128(count) / 2) / Int128(count))
            }
        case .seconds: return (0...Int(music.components.seconds)).map { .seconds($0) }.filter { $0 < end }
        case .clock:
            // The bar begins with a click, whatever the clock shows.
            var points = [Duration.zero]
            // From hold to hold, each of which makes the clock go on by its length. During a hold there is no point.
            var (from, clock) = (Duration.zero, start)
            for (at, length) in placed(holds).map({ ($0.at, $0.hold.length) }) + [(music, .zero)] {
                let to = min(at, end - SameMoment.tolerance)
                let first = (clock + from + SameMoment.tolerance).components.seconds + 1
                let last = (clock + to + SameMoment.tolerance).components.seconds
                points += (first..<max(last + 1, first)).map { min(.seconds($0) - clock, to) }
                (from, clock) = (at, clock + length)
            }
            return points
        }
    }

    /// The beginning of part i of n equal parts, to the nearest attosecond.
    private func part(_ i: Int, of n: Int) -> Duration {
        Duration(attoseconds: (music.attoseconds * Int128(i) + Int128(n) / 2) / Int128(n))
    }

    /// The clicks that are heard, without the click that begins the bar.
    var clicks: [InnerMoment] {
        all.filter { $0.isHeard && ($0.offset > .zero || $0.stress == .silent) }
            .map { InnerMoment(offset: $0.offset, kind: .click($0.stress)) }
    }

    /// Holds in the order of their places: where each begins without the holds before it, and with them.
    func placed(_ holds: [Hold]) -> [(at: Duration, begin: Duration, hold: Hold)] {
        var before = Duration.zero
        return holds.map { (offset(of: $0.place), $0) }.sorted { $0.0 < $1.0 }.map { at, hold in
            defer { before += hold.length }
            return (at, at + before, hold)
        }
    }

    /// The offset of a hold, not counting other holds.
    private func offset(of place: Hold.Place) -> Duration {
        switch place {
        case .end: music
        case .offset(let offset): min(speed?.realDuration(of: offset) ?? offset, music)
        case .beat(let number): all.first { $0.number == max(number, 1) }?.offset ?? music
        }
    }
}

extension Meter {
    /// The note values of which the beats are the whole or a part; none if the marks have values of their own.
    fileprivate func units(marked marks: [Beat]?) -> [Fraction] {
        if let marks, marks.contains(where: { $0.value != nil }) { return [] }
        return terms.flatMap { term in
            let count = Meter([term]).beats.count
            return Array(repeating: term.beat, count: count)
        }
    }
}
