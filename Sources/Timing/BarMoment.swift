package import Scores

/// A click of a bar, or a hold at which the music waits for the player, for those who play them by themselves.
package struct BarMoment: Sendable, Hashable {
    /// The time after the beginning of the bar, in the passage.
    package var offset: Duration
    /// Its sound; nil for a hold.
    package var sound: ClickSound?
    /// How much louder than others it is, in dB.
    package var decibels = 0.0
    /// The number of the voice, as in `Event`.
    package var voice = 0
    package var rank: Rank
    /// Whether the player's own settings let it be heard.
    package var isHeard = true

    /// What a click marks, from the strongest to the weakest.
    package enum Rank: Int, Sendable, Hashable {
        case line, bar, beat, subdivision
    }
}

extension Performance {
    /// The moments of the bar of boundary `n` in the order of time, whatever the level of all clicks is, with beats that
    /// are off; a click at the place of a hold comes before it.
    package func moments(ofBar n: Int) -> [BarMoment] {
        let heard = ScheduledBar(n, self).barMoments(waits: waits)
        guard !inner.beats else { return heard }
        var full = self
        full.inner.beats = true
        let all = ScheduledBar(n, full).barMoments(waits: waits)
        guard all.count > heard.count else { return heard }
        var next = 0
        let moments = all.map { moment in
            var moment = moment
            if next < heard.count, heard[next] == moment { next += 1 } else { moment.isHeard = false }
            return moment
        }
        // Where a beat that is off falls on another click, that one counts.
        return next == heard.count ? moments : heard
    }
}

extension ScheduledBar {
    fileprivate func barMoments(waits: Bool) -> [BarMoment] {
        var found: [BarMoment] = []
        if let first, first.decibels.isFinite {
            let rank = bar.bar == 1 ? BarMoment.Rank.line : .bar
            found.append(.init(offset: .zero, first, rank: rank))
        }
        for moment in moments {
            if let click = moment.click {
                guard click.decibels.isFinite else { continue }
                found.append(.init(offset: moment.offset, click, rank: BarMoment.Rank(click.sound)))
            } else if moment.wait != nil, waits {
                found.append(BarMoment(offset: moment.offset, rank: .bar))
            }
        }
        return found
    }
}

extension BarMoment {
    fileprivate init(offset: Duration, _ click: VoiceClick, rank: BarMoment.Rank) {
        self.init(offset: offset, sound: click.sound, decibels: click.decibels, voice: click.voice, rank: rank)
    }
}

extension BarMoment.Rank {
    /// What a click inside a bar of the leading voice marks: a beat, or the bar of another voice.
    fileprivate init(_ sound: ClickSound) {
        self =
            switch sound {
            case .line, .section: .line
            case .beat, .accent: .beat
            case .subdivision: .subdivision
            default: .bar
            }
    }
}
