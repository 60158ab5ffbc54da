public import Scores

/// The clicks inside bars that are on, unless a bar says otherwise.
public struct InnerSettings: Sendable, Equatable {
    /// Whether the beats of bars with a meter are heard.
    public var beats: Bool
    /// Into how many parts these beats are divided, 1 ... 16.
    public var subdivision: Int
    /// The practice grid of bars of seconds.
    public var grid: Grid

    /// Makes the settings that a score asks for.
    public init(_ score: Score) {
        beats = score.beats
        subdivision = score.subdivision
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
}

extension Timeline {
    /// The moments inside bar `index`, in order. Each offset is a closed form of the bar's tempo, not a sum of others.
    ///
    /// The click that begins the bar is left out. If its first beat is silent, a silent click is at offset zero.
    public func moments(inBar index: Int, _ settings: InnerSettings) -> [InnerMoment] {
        guard let (beats, details) = barBeats(index, settings) else { return [] }
        guard !details.holds.isEmpty else { return beats.clicks }
        let holds = beats.placed(details.holds)
        let clicks = beats.clicks.map { InnerMoment(offset: $0.offset + held(holds, before: $0.offset), kind: $0.kind) }
        let waits = holds.filter(\.hold.waits).map { InnerMoment(offset: $0.begin, kind: .wait($0.hold.length)) }
        // A click at the very place of a hold comes before it: the beat is struck, then held.
        return (clicks + waits).sorted { $0.offset < $1.offset }
    }

    /// The beats of bar `index`, heard or not, with the clicks of its subdivisions or grid; offsets include holds.
    public func beats(inBar index: Int, _ settings: InnerSettings) -> [PlayedBeat] {
        beats(inBar: index, settings, counted: false)
    }

    /// The same without parts of beats and without clicks of a grid between the beats of a meter: the beats that are counted.
    func countedBeats(inBar index: Int, _ settings: InnerSettings) -> [PlayedBeat] {
        beats(inBar: index, settings, counted: true)
    }

    private func beats(inBar index: Int, _ settings: InnerSettings, counted: Bool) -> [PlayedBeat] {
        guard let (beats, details) = barBeats(index, settings) else { return [] }
        let holds = beats.placed(details.holds)
        // Beside a grid, the beats of the meter matter only to place holds.
        let isOfGrid = details.meter != nil && (details.grid ?? .off) != .off && holds.isEmpty
        return beats.all.compactMap { beat in
            guard counted ? beat.number != nil : !isOfGrid || beat.isHeard else { return nil }
            var beat = beat
            beat.offset += held(holds, before: beat.offset)
            return beat
        }
    }

    /// The tempi of bar `index`, each with the time from the beginning of the bar to it, including the holds before it;
    /// empty if the bar has no meter.
    package func tempi(inBar index: Int, _ settings: InnerSettings) -> [(offset: Duration, step: TempoStep)] {
        guard let curve = tempo(ofBar: index), let (beats, details) = barBeats(index, settings) else { return [] }
        let holds = beats.placed(details.holds)
        return curve.steps.map { step in
            let offset = details.speed?.realDuration(of: step.offset) ?? step.offset
            return (offset + held(holds, before: offset), step)
        }
    }

    /// How long the holds last whose places are before an offset.
    func held(_ holds: [(at: Duration, begin: Duration, hold: Hold)], before offset: Duration) -> Duration {
        holds.reduce(.zero) { $1.at < offset ? $0 + $1.hold.length : $0 }
    }

    /// The beats of bar `index` without its holds, and its details; nil if nothing can happen inside the bar.
    func barBeats(_ index: Int, _ settings: InnerSettings) -> (beats: BarBeats, details: Score.Details)? {
        let page = pageBar(index)
        let bar = layout.written(page)
        if bar.isPlain, settings.grid == .off { return nil }
        let details = bar.details
        return (BarBeats(bar, details, layout.curve(page), start: start(ofBar: index), settings), details)
    }

    /// The last bar below `end` in which live music waits for the player; nil if there is none.
    func lastWait(below end: Int) -> Int? { order.lastWait(below: end, layout) }
}
