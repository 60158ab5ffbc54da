package import UserSettings

/// What is played live, and how: the pieces of a set list one after the other, or what pages and other programs choose.
///
/// `play` carries it out.
package struct PlayRequest: OptionRequest {
    package var options = OptionValues()
    /// The first score: a file, the name of a score, or `-`; nil if a page chooses it.
    package var score: String?
    /// The scores that are played afterwards.
    package var next: [String] = []
    /// How the pieces sound.
    package var performance = PerformanceRequest()
    /// How they are practiced.
    package var practice = PracticeRequest()
    /// Whether it goes on where the score was left.
    package var resume = false
    package var device = DeviceRequest()
    package var timecode = TimecodeRequest()
    package var cables = CableRequest()
    package var clock = ClockRequest()
    package var stand = StandRequest()
    package var record = RecordRequest()
    /// Where pages for browsers are served; nil for nowhere.
    package var pages: ServeRequest?
    /// Whether a user at a terminal has the stand and its keys; otherwise, even a terminal gets lines of text.
    package var atTerminal = false

    package init(_ score: String?) { self.score = score }
}
