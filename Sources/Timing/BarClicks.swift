package import Scores

/// The clicks of one bar and its holds, for those who play them by themselves.
package struct BarClicks: Sendable, Hashable {
    /// What happens, in the order of time; a click at the place of a hold comes before it.
    package var moments: [Moment] = []

    /// A click, or a hold at which the music waits for the player.
    package struct Moment: Sendable, Hashable {
        /// The time after the beginning of the bar, in the passage.
        package var offset: Duration
        /// Its sound; nil for a hold.
        package var sound: ClickSound?
        /// How much louder than others it is, in dB.
        package var decibels = 0.0
        /// The number of the voice, as in `Event`.
        package var voice = 0
        /// What it marks.
        package var rank: Rank
        /// Whether the player's own settings let it be heard.
        package var isHeard = true
    }

    /// What a click marks, from the strongest to the weakest.
    package enum Rank: Int, Sendable, Hashable {
        case line, bar, beat, subdivision
    }
}

extension Performance {
    /// The clicks of the bar of boundary `n`. The beats of a meter are in it even if they are off. Muted clicks are, too:
    /// the level of all clicks is a matter apart.
    package func clicks(ofBar n: Int) -> BarClicks {
        let heard = ScheduledBar(n, self).barMoments(waits: waits)
        guard !inner.beats else { return BarClicks(moments: heard) }
        var full = self
        full.inner.beats = true
        let all = ScheduledBar(n, full).barMoments(waits: waits)
        guard all.count > heard.count else { return BarClicks(moments: heard) }
        var next = 0
        let moments = all.map { moment in
            var moment = moment
            if next < heard.count, heard[next] == moment { next += 1 } else { moment.isHeard = false }
            return moment
        }
        // Where a beat that is off falls on another click, that one counts.
        return BarClicks(moments: next == heard.count ? moments : heard)
    }

    /// The drone under the bar of boundary `n`, and how long its fades take; nil if there is none. Muting counts.
    package func drone(underBar n: Int) -> (sound: DroneSound, fade: Duration)? {
        let ofPage = followsDroneChanges ? passage.bar(of: n).drone : nil
        guard !isDroneMuted, let here = ofPage.map({ drone(after: $0) }) ?? drone, !here.level.isSilent else {
            return nil
        }
        let fade = min(max(ofPage?.fade ?? drone?.fade ?? Score.Drone.standardFade, .zero), Performance.longestFade)
        return (DroneSound(here, tuning: tuning, a4: a4), fade)
    }
}

extension ScheduledBar {
    fileprivate func barMoments(waits: Bool) -> [BarClicks.Moment] {
        var found: [BarClicks.Moment] = []
        if let first, first.decibels.isFinite {
            let rank = bar.bar == 1 ? BarClicks.Rank.line : .bar
            found.append(.init(offset: .zero, first, rank: rank))
        }
        for moment in moments {
            if let click = moment.click {
                guard click.decibels.isFinite else { continue }
                found.append(.init(offset: moment.offset, click, rank: BarClicks.Rank(click.sound)))
            } else if moment.wait != nil, waits {
                found.append(BarClicks.Moment(offset: moment.offset, rank: .bar))
            }
        }
        return found
    }
}

extension BarClicks.Moment {
    fileprivate init(offset: Duration, _ click: VoiceClick, rank: BarClicks.Rank) {
        self.init(offset: offset, sound: click.sound, decibels: click.decibels, voice: click.voice, rank: rank)
    }
}

extension BarClicks.Rank {
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
