package import Scores
package import UserSettings

/// The machine that is followed, and how its music sounds on this one. `follow` carries it out.
package struct FollowRequest: OptionRequest {
    package var options = OptionValues()
    /// The address that the leader prints, with its secret.
    package var host: String
    /// The voices whose clicks are heard; nil for all.
    package var part: String?
    package var drone: DroneChoice?
    package var droneSound = PropertyChanges<Score.Drone>()
    package var cues = CueRequest()
    package var clicks = ClickRequest()
    package var device = DeviceRequest()
    package var timecode = TimecodeRequest()
    package var stand = StandRequest()
    /// The path of the timing log.
    package var timingLog: String?
    /// Whether a summary of the timing is printed at the end.
    package var summary = false
    /// Whether a user at a terminal has the stand and its keys.
    package var atTerminal = false

    package init(_ host: String) { self.host = host }
}
