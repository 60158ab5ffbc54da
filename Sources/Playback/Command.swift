public import Scores
public import Timing

/// What a user can ask of a running performance.
public enum Command: Sendable, Equatable {
    /// Pause, or go on where the music stood.
    case togglePause
    /// Pause; nothing where the music stands still.
    case pause
    /// Go on from a pause or from a hold that waits; nothing where the music does neither.
    case resume
    /// Go on from a hold that waits; nothing where the music does not stand at one.
    case `continue`
    /// To the start of the next bar.
    case nextBar
    /// To the start of this bar; of the one before when it has only just begun.
    case previousBar
    /// To the first bar of the next line.
    case nextLine
    /// To the first bar of this line; of the one before when it has only just begun.
    case previousLine
    /// Faster or slower by percentage points.
    case speed(change: Int)
    /// To a speed.
    case speedTo(Speed)
    /// To the start of this bar, and on from there if the music stood still.
    case restartBar
    /// To the first bar of all that is played.
    case firstBar
    /// To a bar of the piece, counted from 0; nothing where it is not played.
    case goToBar(Int)
    /// To a place in time, as the whole takes at the speed now; what is practiced is left for it.
    case goToTime(Duration)
    /// Stretches of the piece from now on, again and again or a number of times: the bar that sounds goes on if it is among
    /// them. nil for what was asked for at the start.
    case practice([Passage.Stretch]?, passes: Int?)
    /// Bars without clicks, for testing one's own time; nil for none.
    case silence(Performance.Silence?)
    /// The drone falls silent, or comes back.
    case toggleDrone
    /// The drone's pitch by so many equal semitones.
    case dronePitch(semitones: Int)
    /// The drone is this note.
    case drone(Pitch)
    /// The drone's level by so many dB.
    case droneLevel(decibels: Double)
    /// A4 by so many Hz.
    case a4(hertz: Double)
    /// The clicks fall silent, or come back.
    case toggleClicks
    /// The clicks' level by so many dB.
    case clickLevel(decibels: Double)
    /// Jumps are counted in, or no longer.
    case toggleCountIn
    /// All later boundaries come so much later; earlier for less than zero.
    case nudge(Duration)
    /// Speed, drone, A4 and clicks as they were at the start.
    case revert
    /// An end with a fade.
    case stop
}

extension Scheduler {
    /// How long after the start of a bar or line going back still means the one before.
    private static let justBegun = Duration.milliseconds(500)

    /// The boundary that a jump goes to from `position`.
    func target(of command: Command, from position: Duration) -> Int {
        let passage = performance.passage
        let n = passage.boundary(at: position)
        switch command {
        case .nextBar:
            return passage.has(boundary: n + 1) ? n + 1 : n
        case .previousBar:
            return hasJustBegun(n, at: position) ? max(n - 1, 0) : n
        case .nextLine:
            let bar = passage.bar(of: n)
            let endOfStretch = passage.boundaries(aroundBoundary: n).upperBound
            let next = min(n + bar.barsInLine - bar.bar + 1, endOfStretch)
            return passage.has(boundary: next) ? next : n
        case .previousLine:
            let begin = startOfLine(n)
            return begin > 0 && hasJustBegun(begin, at: position) ? startOfLine(begin - 1) : begin
        case .goToBar(let bar):
            return passage.boundary(ofBar: bar, near: n) ?? n
        default:
            return n
        }
    }

    private func hasJustBegun(_ n: Int, at position: Duration) -> Bool {
        anchor.speed.realDuration(of: position - performance.passage.position(of: n)) < Scheduler.justBegun
    }

    /// The first boundary of the line that boundary `n` stands in, or of its stretch where that begins within the line.
    private func startOfLine(_ n: Int) -> Int {
        let passage = performance.passage
        return max(n - passage.bar(of: n).bar + 1, passage.boundaries(aroundBoundary: n).lowerBound)
    }
}
