public import Scores

/// The clicks inside bars that are on, unless a bar says otherwise.
public struct InnerSettings: Sendable, Equatable {
    /// Whether the beats of bars with a meter are heard.
    public var beats: Bool
    /// The practice grid of bars of seconds.
    public var grid: Grid

    /// Makes the settings that a score asks for.
    public init(_ score: Score) {
        beats = score.beats
        grid = score.grid
    }
}

/// Something that happens inside a bar.
public struct InnerMoment: Sendable, Equatable {
    /// The time after the beginning of the bar, as written, including the holds before it.
    public var offset: Duration
    /// What happens.
    public var kind: Kind

    /// What happens inside a bar.
    public enum Kind: Sendable, Equatable {
        /// A beat, or a point of the practice grid.
        case click(Beat.Stress)
        /// A hold at which live music waits for the player; other music stands still for the given duration.
        case wait(Duration)
    }

    /// The same moment when the bar is played at a speed.
    func at(_ speed: Speed) -> InnerMoment {
        var moment = self
        moment.offset = speed.realDuration(of: offset)
        if case .wait(let length) = kind { moment.kind = .wait(speed.realDuration(of: length)) }
        return moment
    }
}

extension Timeline {
    /// The moments inside bar `index`, in order. Each offset is a closed form of the bar's tempo, not a sum of others.
    ///
    /// The click that begins the bar is not included. If its first beat is silent, there is a silent click at offset
    /// zero.
    public func moments(inBar index: Int, _ settings: InnerSettings) -> [InnerMoment] {
        let page = pageBar(index)
        let bar = layout.written(page)
        if bar.isPlain, settings.grid == .off { return [] }
        let details = bar.details
        let beats = BarBeats(bar, details, layout.curve(page), start: start(ofBar: index), settings)
        guard !details.holds.isEmpty else { return beats.clicks }
        let holds = details.holds.map { (at: beats.offset(of: $0.place), hold: $0) }.sorted { $0.at < $1.at }
        var moments: [InnerMoment] = []
        var (shift, next) = (Duration.zero, 0)
        // A click at the very place of a hold comes before it: the beat is struck, then held.
        for click in beats.clicks {
            while next < holds.count, holds[next].at < click.offset {
                moments += holds[next].hold.moment(at: holds[next].at + shift)
                shift += holds[next].hold.length
                next += 1
            }
            moments.append(InnerMoment(offset: click.offset + shift, kind: click.kind))
        }
        for (at, hold) in holds[next...] {
            moments += hold.moment(at: at + shift)
            shift += hold.length
        }
        return moments
    }

    /// The beats of bar `index`, heard or not, and the clicks of its grid, in order; offsets include the holds before
    /// them.
    public func beats(inBar index: Int, _ settings: InnerSettings) -> [PlayedBeat] {
        let page = pageBar(index)
        let bar = layout.written(page)
        if bar.isPlain, settings.grid == .off { return [] }
        let details = bar.details
        let beats = BarBeats(bar, details, layout.curve(page), start: start(ofBar: index), settings)
        let holds = details.holds.map { (at: beats.offset(of: $0.place), length: $0.length) }
        return beats.all.map { beat in
            let shift = holds.reduce(Duration.zero) { $1.at < beat.offset ? $0 + $1.length : $0 }
            return PlayedBeat(
                offset: beat.offset + shift, position: beat.position, stress: beat.stress, isHeard: beats.isHeard)
        }
    }

    /// The last bar below `end` in which live music waits for the player; nil if there is none.
    func lastWait(below end: Int) -> Int? { order.lastWait(below: end, layout) }
}

extension Hold {
    fileprivate func moment(at offset: Duration) -> [InnerMoment] {
        waits ? [InnerMoment(offset: offset, kind: .wait(length))] : []
    }
}

/// The beats of one bar, without its holds.
struct BarBeats {
    /// The offsets of the beats, heard or not.
    private var beats: [(offset: Duration, stress: Beat.Stress)] = []
    /// The positions of the beats in whole notes; empty for a bar of seconds.
    private var positions: [Fraction?] = []
    private(set) var isHeard: Bool
    /// The duration of the bar without its holds.
    let music: Duration
    private let speed: Speed?

    init(_ bar: Score.Bar, _ details: Score.Details, _ curve: TempoCurve?, start: Duration, _ settings: InnerSettings) {
        speed = details.speed
        isHeard = details.beats != nil
        guard let meter = details.meter, let curve else {
            music = details.speed?.realDuration(of: bar.duration) ?? bar.duration
            let grid = details.grid ?? settings.grid
            isHeard = isHeard || grid != .off
            beats = details.beats.map { shares($0) } ?? points(of: grid, start: start)
            return
        }
        isHeard = isHeard || settings.beats
        let written = curve.duration(of: meter.length)
        music = details.speed?.realDuration(of: written) ?? written
        var position: Fraction?
        for beat in meter.beats(marked: details.beats) {
            let offset = position.map { curve.duration(of: $0) } ?? .zero
            beats.append((details.speed?.realDuration(of: offset) ?? offset, beat.stress))
            positions.append(position)
            let length = beat.value ?? Fraction.one
            position = position.map { $0 + length } ?? length
        }
    }

    /// The beats of a bar of seconds, in proportion to their values or in equal parts.
    private func shares(_ marks: [Beat]) -> [(Duration, Beat.Stress)] {
        let values = marks.map { $0.value?.value ?? 1 }
        let sum = values.reduce(0, +)
        let areEqual = marks.allSatisfy { $0.value == marks[0].value }
        var before = 0.0
        return marks.indices.map { i in
            defer { before += values[i] }
            if areEqual { return (part(i, of: marks.count), marks[i].stress) }
            return (music * (before / sum), marks[i].stress)
        }
    }

    private func points(of grid: Grid, start: Duration) -> [(Duration, Beat.Stress)] {
        // A bar that was read is never longer. A longer one, made by a program, has no points after that.
        let music = min(music, DurationUse.bar.range.upperBound)
        switch grid {
        case .off: return []
        case .parts(let wanted):
            let count = min(max(wanted, 1), Grid.partRange.upperBound)
            return (0..<count).map { (part($0, of: count), .beat) }
        case .perMinute(let wanted):
            let count = min(max(wanted, 1), Grid.perMinuteRange.upperBound)
            // Each point is computed on its own, to the nearest attosecond.
            let minute = Duration.seconds(60).attoseconds
            let last = Int((music.attoseconds * Int128(count) - 1) / minute)
            return (0...max(last, 0)).map { i in
                (Duration(attoseconds: (minute * Int128(i) + Int128(count) / 2) / Int128(count)), .beat)
            }
        case .seconds, .clock:
            let whole = start.components.attoseconds
            let first =
                grid == .seconds || whole == 0
                ? .zero : Duration(attoseconds: 1_000_000_000_000_000_000 - Int128(whole))
            let points = stride(from: 0, to: Int(music.components.seconds) + 1, by: 1).map { first + .seconds($0) }
            return points.filter { $0 < music }.map { ($0, .beat) }
        }
    }

    /// The beginning of part i of n equal parts, to the nearest attosecond.
    private func part(_ i: Int, of n: Int) -> Duration {
        Duration(attoseconds: (music.attoseconds * Int128(i) + Int128(n) / 2) / Int128(n))
    }

    /// All beats with their positions in the meter.
    var all: [(offset: Duration, position: Fraction?, stress: Beat.Stress)] {
        beats.enumerated().map { ($1.offset, $0 < positions.count ? positions[$0] : nil, $1.stress) }
    }

    /// The clicks that are heard, without the click that begins the bar.
    var clicks: [InnerMoment] {
        guard isHeard else { return [] }
        return beats.filter { $0.offset > .zero || $0.stress == .silent }
            .map { InnerMoment(offset: $0.offset, kind: .click($0.stress)) }
    }

    /// The offset of a hold, not counting other holds.
    func offset(of place: Hold.Place) -> Duration {
        switch place {
        case .end: music
        case .offset(let offset): min(speed?.realDuration(of: offset) ?? offset, music)
        case .beat(let number): number <= beats.count ? beats[max(number, 1) - 1].offset : music
        }
    }
}

extension Meter {
    /// The beats of a bar with their values: the marked ones, or those of the meter with the marks' stresses in order.
    package func beats(marked marks: [Beat]?) -> [Beat] {
        if let marks, marks.contains(where: { $0.value != nil }) { return marks }
        var beats = self.beats
        for (i, mark) in (marks ?? []).enumerated() where i < beats.count { beats[i].stress = mark.stress }
        return beats
    }
}
