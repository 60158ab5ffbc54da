package import Playback
internal import Scores
internal import Timing
package import UserSettings

/// What media keys and the controls of the desktop see of a performance, as MPRIS names it. A value.
package struct MediaState: Sendable, Equatable {
    /// Whether it plays, pauses or has ended.
    package enum Playing: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    package var playing = Playing.stopped
    package var title = ""
    /// The speed, 1 as written.
    package var rate = 1.0
    /// The length of the score, in µs; nil if it has no end.
    package var length: Int64?
    /// Where the music is in the score, in µs.
    package var position: Int64 = 0

    /// What is seen before anything plays.
    package init() {}

    /// What is seen of a performance at `now` (CLOCK_MONOTONIC, ns).
    package init(_ status: Status, at now: Int64) {
        title = status.performance.title
        rate = status.speed.percent / 100
        length = status.performance.clockEnd.map(MediaState.microseconds)
        switch status.moment(at: now) {
        case .waiting(_, let isPaused), .countIn(_, let isPaused): playing = isPaused ? .paused : .playing
        case .bar(let bar):
            playing = bar.isPaused ? .paused : .playing
            position = MediaState.microseconds(bar.elapsed)
        case .end: position = length ?? 0
        }
        if status.stage != .going { playing = .stopped }
    }

    private static func microseconds(_ time: Duration) -> Int64 {
        Int64(clamping: time.attoseconds / 1_000_000_000_000)
    }

    /// Whether the music is where it would be if it had gone on from another state for so long.
    package func follows(_ other: MediaState, after time: Duration) -> Bool {
        let gone = other.playing == .playing ? time / .microseconds(1) * other.rate : 0
        return abs(Double(position) - Double(other.position) - gone) < 300_000
    }
}

/// A command of MPRIS, and the actions of keys that it is.
package enum MediaCommand: Sendable, Equatable {
    case play, pause, playPause, next, previous, stop, quit
    /// Goes to a time of the score, in µs.
    case position(Int64)

    /// The command of a method without arguments; nil if there is none.
    package init?(method: String) {
        switch method {
        case "Play": self = .play
        case "Pause": self = .pause
        case "PlayPause": self = .playPause
        case "Next": self = .next
        case "Previous": self = .previous
        case "Stop": self = .stop
        case "Quit": self = .quit
        default: return nil
        }
    }

    /// The actions, with the line that each asks for.
    package var actions: [(action: KeyAction, text: String)] {
        switch self {
        case .play: [(.play, "")]
        case .pause: [(.halt, "")]
        case .playPause: [(.pause, "")]
        case .next: [(.nextBar, "")]
        case .previous: [(.previousBar, "")]
        // A player that has been stopped begins anew.
        case .stop: [(.halt, ""), (.firstBar, "")]
        case .quit: [(.quit, "")]
        case .position(let place): [(.goTo, Duration.microseconds(max(place, 0)).clock(decimals: 3))]
        }
    }
}
