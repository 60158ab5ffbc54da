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
    /// Jump to another place of the music.
    case jump(Jump)
    /// Change the speed by percentage points.
    case speed(change: Int)
    /// Set the speed.
    case speedTo(Speed)
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
    /// Take a tap, a note or a message of the player; nothing changes in the music.
    case tell(Told.Word)
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
        case .togglePause, .pause, .resume, .continue, .jump, .speed, .speedTo, .practice, .toggleCountIn, .nudge,
            .revert,
            .say:
            .music
        case .toggleDrone, .dronePitch, .drone, .droneWaveform, .droneLevel, .a4: .drone
        case .silence, .toggleClicks, .clickLevel: .clicks
        case .tell: .notes
        case .stop: .ending
        }
    }
}
