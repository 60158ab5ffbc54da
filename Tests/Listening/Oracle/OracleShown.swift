internal import Playback
internal import Shared
internal import Timing

/// What a screen must show at a moment, as the oracle computes it. Times are real, positions are of the score, both in s.
enum OracleShown: Sendable {
    /// Nothing has begun: the times until the count-in or the first bar begins, and until the first bar does.
    case before(begin: Double, music: Double)
    case countIn(left: Double)
    /// The bar of a boundary, and the position in the passage.
    case bar(Int, at: Double, isPaused: Bool, isWaiting: Bool)
    case end

    /// How far what is shown may be off, in s.
    static let tolerance = 1e-3

    /// Whether a moment of a status shows this.
    func isShown(by moment: Moment, of status: Status) -> Bool {
        func isNear(_ a: Double, _ b: Duration) -> Bool { abs(a - b.seconds) < OracleShown.tolerance }
        // The time for which a nudge sets the music back.
        let isMoment = if case .before(let begin, _) = self { begin < 0.03 } else { false }
        switch (self, moment) {
        case (.before(let begin, _), .waiting(let left, _)):
            return isNear(begin, left) || isMoment && left < .milliseconds(30)
        // Without a time of day, a count-in that has not begun is as long as until its end, and a first bar stands.
        case (.before(_, let music), .countIn(let left, _)):
            return isMoment ? abs(music - left.seconds) < 0.03 : status.begins == nil && isNear(music, left)
        case (.before(let begin, let music), .bar(let bar)):
            return (status.begins == nil || isMoment) && begin == music && bar.position == status.anchor.position
        case (.countIn(let wanted), .countIn(let left, _)): return isNear(wanted, left)
        case (.bar(let boundary, let position, let isPaused, let isWaiting), .bar(let bar)):
            // In a pause, nothing waits for the player.
            return bar.boundary == boundary && isNear(position, bar.position) && bar.isPaused == isPaused
                && bar.isWaiting == (isWaiting && !isPaused)
        case (.end, .end): return true
        default: return false
        }
    }
}

extension OracleMusic {
    /// What is heard at a time, if nothing more is commanded; nil so near to a change that rounding decides.
    func shown(at time: Double) -> OracleShown? {
        var (early, late) = (self, self)
        early.play(until: time - OracleShown.tolerance)
        late.play(until: time + OracleShown.tolerance)
        let isSame =
            switch (early.shownNow(time - OracleShown.tolerance), late.shownNow(time + OracleShown.tolerance)) {
            case (.before, .before), (.countIn, .countIn), (.end, .end): true
            case (.bar(let n, _, _, let isWaiting), .bar(let m, _, _, let waits)): n == m && isWaiting == waits
            default: false
            }
        return isSame ? late.shownNow(time) : nil
    }
}

extension OraclePlay {
    /// Compares what screens showed with the music, at a random time between each status and the next; returns a sentence for
    /// each difference. `models[n]` is the music after n commands, and the time from which on it is heard.
    func judgeShown(_ play: SimulatedPlay, _ models: [(since: Double, music: OracleMusic)]) -> [String] {
        var wrong: [String] = []
        var random = Seeded(state: seed ^ 0x5C4EE)
        for (now, next) in zip(play.statuses, play.statuses.dropFirst()) where now.status.commandCount < models.count {
            let status = now.status
            let model = models[status.commandCount]
            let time = Double.random(in: now.time...next.time, using: &random)
            let after = time - Double(status.zeroHeard) * 1e-9 + status.latency.seconds
            guard case .going = status.stage, after > model.since + OracleShown.tolerance else { continue }
            let moment = status.moment(at: Int64((time + status.latency.seconds) * 1e9))
            guard let must = model.music.shown(at: after), !must.isShown(by: moment, of: status) else { continue }
            wrong.append(
                "at \(after) s, after \(status.commandCount) commands, the screen shows \(moment.short), not \(must)")
        }
        return wrong
    }
}

extension Moment {
    /// A short text of it.
    var short: String {
        guard case .bar(let bar) = self else { return "\(self)" }
        let state = bar.isPaused ? ", paused" : bar.isWaiting ? ", waiting" : ""
        return "boundary \(bar.boundary) at \(bar.position.seconds)\(state)"
    }

    /// Whether it is the same as another one, up to a tolerance in s, at speeds up to 400 %.
    func isLike(_ other: Moment, within tolerance: Double) -> Bool {
        func isNear(_ own: Duration, _ other: Duration) -> Bool { abs((own - other).seconds) < 4 * tolerance }
        switch (self, other) {
        case (.bar(let bar), .bar(let other)):
            return bar.boundary == other.boundary && bar.isPaused == other.isPaused
                && bar.isWaiting == other.isWaiting && isNear(bar.position, other.position)
        case (.countIn(let left, _), .countIn(let other, _)), (.waiting(let left, _), .waiting(let other, _)):
            return isNear(left, other)
        case (.end, .end): return true
        default: return false
        }
    }
}
