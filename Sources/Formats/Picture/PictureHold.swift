internal import Scores

/// A hold at its time in a bar.
struct PictureHold {
    var at: Duration
    var length: Duration
    var waits: Bool

    /// How long a bar lasts without its holds.
    static func music(of bar: PlayedBar, speed: Speed) -> Duration {
        bar.written.details.holds.reduce(bar.duration) { $0 - speed.realDuration(of: $1.length) }
    }

    /// The holds of a bar as played, in order.
    static func holds(of bar: PlayedBar, speed: Speed) -> [PictureHold] {
        guard !bar.written.isPlain else { return [] }
        let details = bar.written.details
        let music = music(of: bar, speed: speed)
        let placed = details.holds.map { hold -> (at: Duration, hold: Hold) in
            switch hold.place {
            case .end: (music, hold)
            case .offset(let offset):
                (min(speed.realDuration(of: details.speed?.realDuration(of: offset) ?? offset), music), hold)
            case .beat(let number): (bar.musicOffset(ofBeat: number, details.holds, speed) ?? music, hold)
            }
        }
        var shift = Duration.zero
        return placed.sorted { $0.at < $1.at }.map { at, hold in
            let length = speed.realDuration(of: hold.length)
            defer { shift += length }
            return PictureHold(at: at + shift, length: length, waits: hold.waits)
        }
    }
}

extension PlayedBar {
    /// When a beat begins, not counting the holds before it; nil if there is no such beat.
    fileprivate func musicOffset(ofBeat number: Int, _ holds: [Hold], _ speed: Speed) -> Duration? {
        guard let beat = beats.first(where: { $0.number == max(number, 1) }) else { return nil }
        let before = holds.filter { hold in
            if case .beat(let other) = hold.place { return other < number }
            return false
        }
        return before.reduce(beat.offset) { $0 - speed.realDuration(of: $1.length) }
    }
}
