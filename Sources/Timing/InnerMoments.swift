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

    /// The beats of bar `index`, heard or not, and the clicks of its subdivisions or its grid, in order; offsets include
    /// the holds before them.
    public func beats(inBar index: Int, _ settings: InnerSettings) -> [PlayedBeat] {
        let page = pageBar(index)
        let bar = layout.written(page)
        if bar.isPlain, settings.grid == .off { return [] }
        let details = bar.details
        let beats = BarBeats(bar, details, layout.curve(page), start: start(ofBar: index), settings)
        let holds = details.holds.map { (at: beats.offset(of: $0.place), length: $0.length) }
        // Beside a grid, the beats of the meter matter only to place holds.
        let isOfGrid = details.meter != nil && (details.grid ?? .off) != .off && holds.isEmpty
        return (isOfGrid ? beats.all.filter(\.isHeard) : beats.all).map { beat in
            var beat = beat
            let offset = beat.offset
            beat.offset += holds.reduce(Duration.zero) { $1.at < offset ? $0 + $1.length : $0 }
            return beat
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
