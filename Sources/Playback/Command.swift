public import Scores
public import Timing

/// A user's command to a running performance.
public enum Command: Sendable, Equatable {
    /// Pause, or go on where the music stood.
    case togglePause
    /// Pause; no effect if the music already stands still.
    case pause
    /// Go on from a pause or from a hold that waits; no effect if the music does not stand still.
    case resume
    /// Go on from a hold that waits; no effect if the music does not wait at one.
    case `continue`
    /// Jump to the start of the next bar.
    case nextBar
    /// Jump to the start of this bar, or of the previous one if this bar has only just begun.
    case previousBar
    /// Jump to the first bar of the next line.
    case nextLine
    /// Jump to the first bar of this line, or of the previous one if this line has only just begun.
    case previousLine
    /// Change the speed by percentage points.
    case speed(change: Int)
    /// Set the speed.
    case speedTo(Speed)
    /// Jump to the start of this bar; if the music was paused, it goes on from there.
    case restartBar
    /// Jump to the first bar of the passage that was asked for at the start.
    case firstBar
    /// Jump to a bar of the piece, counted from 0; no effect if that bar is not played.
    case goToBar(Int)
    /// Jump to the bar at a time of the score at 100 %, as `goToBar` does. In a score that repeats forever, and in a plan,
    /// the time counts all passes, and a practiced passage is left.
    case goToTime(Duration)
    /// Practice: play only these stretches of the piece, `passes` times, or again and again if that is nil. The bar
    /// that is sounding goes on if it is among them. Without stretches, return to what was asked for at the start.
    case practice([Passage.Stretch]?, passes: Int?)
    /// Leave some bars without clicks, as a test of the player's own sense of time; nil for none.
    case silence(Performance.Silence?)
    /// Mute the drone, or make it sound again.
    case toggleDrone
    /// Move the drone by equal semitones.
    case dronePitch(semitones: Int)
    /// Set the drone to these notes, 1 ... `Score.Drone.noteLimit`; more are left out, and none have no effect.
    case drone([Score.Drone.Note])
    /// Give the drone this waveform.
    case droneWaveform(Score.Waveform)
    /// Change the drone's level by decibels.
    case droneLevel(decibels: Double)
    /// Change A4 by hertz.
    case a4(hertz: Double)
    /// Mute the clicks, or make them sound again.
    case toggleClicks
    /// Change the clicks' level by decibels.
    case clickLevel(decibels: Double)
    /// Turn count-ins before jumps on or off.
    case toggleCountIn
    /// Make all later boundaries later by this; earlier if it is negative.
    case nudge(Duration)
    /// Set speed, drone, A4 and clicks back to what they were at the start.
    case revert
    /// Speak a word now, over the music, at the level of speech. The music goes on as it was.
    case say(SpokenWord)
    /// Note that the player begins a bar at this time, CLOCK_MONOTONIC in ns; nothing changes in the music. No effect while
    /// the music stands still.
    case tap(at: Int64)
    /// Note what the player thinks of this take, such as `good`; nothing changes in the music.
    case mark(String)
    /// End with a fade.
    case stop

    /// What commands change.
    package enum Subject {
        /// Where the music is, how it goes on, and how fast: in an ensemble this is the leader's.
        case music
        /// How the drone sounds here.
        case drone
        /// How clicks sound here.
        case clicks
        /// Nothing: it notes what the player does.
        case notes
        /// That the program plays.
        case ending
    }

    /// What the command changes, which decides where it may be given. A follower has the sound to itself, and a drone alone
    /// has nothing else.
    package var subject: Subject {
        switch self {
        case .togglePause, .pause, .resume, .continue, .nextBar, .previousBar, .nextLine, .previousLine, .speed,
            .speedTo,
            .restartBar, .firstBar, .goToBar, .goToTime, .practice, .toggleCountIn, .nudge, .revert, .say:
            .music
        case .toggleDrone, .dronePitch, .drone, .droneWaveform, .droneLevel, .a4: .drone
        case .silence, .toggleClicks, .clickLevel: .clicks
        case .tap, .mark: .notes
        case .stop: .ending
        }
    }
}

extension Scheduler {
    /// How long after the start of a bar or line a jump back still goes to the previous one.
    private static let justBegun = Duration.milliseconds(500)

    /// The boundary that a jump goes to from `position`.
    func target(of command: Command, from position: Duration) -> Int {
        let passage = performance.passage
        let n = passage.boundary(at: position)
        switch command {
        case .nextBar: return passage.has(boundary: n + 1) ? n + 1 : n
        case .previousBar: return hasJustBegun(n, at: position) ? max(n - 1, 0) : n
        case .nextLine:
            let bar = passage.bar(of: n)
            let endOfStretch = passage.boundaries(aroundBoundary: n).upperBound
            let next = min(n + bar.barsInLine - bar.bar + 1, endOfStretch)
            return passage.has(boundary: next) ? next : n
        case .previousLine:
            let begin = startOfLine(n)
            return begin > 0 && hasJustBegun(begin, at: position) ? startOfLine(begin - 1) : begin
        case .goToBar(let bar): return passage.boundary(ofBar: bar, near: n) ?? n
        default: return n
        }
    }

    private func hasJustBegun(_ n: Int, at position: Duration) -> Bool {
        anchor.speed.realDuration(of: position - performance.passage.position(of: n)) < Scheduler.justBegun
    }

    /// The first boundary of the line that contains boundary `n`, or of its stretch if that begins within the line.
    private func startOfLine(_ n: Int) -> Int {
        let passage = performance.passage
        return max(n - passage.bar(of: n).bar + 1, passage.boundaries(aroundBoundary: n).lowerBound)
    }
}
