internal import Playback
internal import Scores
internal import Timing

/// What one voice of a piece plays: what a player of an ensemble sees in place of the leading voice.
struct OwnPart {
    /// Its bars.
    let timeline: Timeline

    /// The voice of this name; nil for none, and for the leading voice, which is seen as it is.
    init?(_ name: String?, _ status: Status) {
        let companions = status.performance.passage.timeline.companions
        guard let name, let found = companions.first(where: { $0.voice.name == name }) else { return nil }
        timeline = found
    }

    /// What is heard, as this voice has it. Its last bar stays until the music ends.
    func moment(_ moment: Moment, _ status: Status) -> Moment {
        if case .bar(let heard) = moment { .bar(bar(heard, status)) } else { moment }
    }

    /// Its bar in place of that of the leading voice; the boundary is the number of that bar in the voice's own order.
    func bar(_ heard: Moment.Bar, _ status: Status) -> Moment.Bar {
        let here = min(heard.place(in: status.performance.passage.timeline), timeline.total)
        let bar = timeline[timeline.bar(meantBy: here)]
        var own = heard
        (own.boundary, own.bar) = (bar.index, bar)
        own.left = status.speed.realDuration(of: bar.start + bar.duration - here)
        own.duration = status.speed.realDuration(of: bar.duration)
        // All voices wait together for the player, but each has its own timed holds.
        let holds = status.performance.holds(of: bar, in: timeline, from: bar.start, at: .asWritten)
        let hold = holds.first { !$0.waits && $0.span.contains(here) }.map { hold in
            Moment.Hold(
                left: status.speed.realDuration(of: hold.span.upperBound - here),
                duration: status.speed.realDuration(of: hold.span.upperBound - hold.span.lowerBound))
        }
        switch heard.state {
        case .playing: own.state = .playing(hold)
        case .paused: own.state = .paused(hold)
        case .untilCue: break
        }
        return own
    }

    /// The words of the stand about a bar of this voice.
    func words(_ heard: Moment.Bar, _ status: Status) -> StandWords {
        let next = heard.bar.index + 1
        return ScoreWords.stand(
            heard, of: timeline, before: next < timeline.barCount ? timeline[next] : nil, status)
    }
}
