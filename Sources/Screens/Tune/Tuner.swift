package import Scores

/// What a tuner shows: the pitch that is heard now, and how far its strobes have turned.
package struct Tuner: Sendable, Equatable {
    /// What the player is set against.
    package struct Setting: Sendable, Equatable {
        package var tuning = Tuning()
        package var a4 = Score.standardA4
        /// The frequencies of the drone's notes in Hz; empty without a drone.
        package var drones: [Double] = []
        /// The partials of the drone that is heard, in Hz.
        package var partials: [Double] = []
        /// Whether each of them stays as loud as it is, and how loud the drone is.
        package var isSteady = true
        package var droneLevel = Level.off

        package init() {}
    }

    package private(set) var heard: HeardPitch?
    /// The pitch that was heard last, however long ago.
    package private(set) var last: HeardPitch?
    /// How far the strobes have turned, in turns: against the note, and against the pure interval. Each turns once for each
    /// beat with its target: one that stands still is right.
    package private(set) var noteTurns = 0.0
    package private(set) var intervalTurns = 0.0
    /// How long the note has been heard, in seconds.
    package private(set) var length = 0.0
    /// How long nothing has been heard.
    private var pause = 0.0

    /// A note is shown for so many seconds after it has ended.
    private static let afterglow = 0.7
    /// A strobe turns at most so often in a second: faster, the eye sees nothing.
    private static let fastest = 6.0

    package init() {}

    /// Takes what is heard during the next `seconds`: a pitch in Hz, or nil for no note.
    package mutating func take(_ hertz: Double?, isSure: Bool, for seconds: Double, _ setting: Setting) {
        guard let hertz else {
            pause += seconds
            if pause >= Tuner.afterglow { (heard, length) = (nil, 0) }
            return
        }
        let new = HeardPitch(
            hertz: hertz, isSure: isSure, tuning: setting.tuning, a4: setting.a4, drones: setting.drones)
        length = new.note == heard?.note && pause == 0 ? length + seconds : seconds
        pause = 0
        func turn(_ turns: Double, _ target: Double) -> Double {
            let speed = min(max(hertz - target, -Tuner.fastest), Tuner.fastest)
            return (turns + speed * seconds).truncatingRemainder(dividingBy: 1)
        }
        noteTurns = turn(noteTurns, new.target)
        if let interval = new.interval { intervalTurns = turn(intervalTurns, interval.target) }
        (heard, last) = (new, new)
    }
}
