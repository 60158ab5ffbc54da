package import Playback

/// What is rendered to a file, and how. `render` carries it out.
package struct RenderRequest: Sendable {
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    /// The path of the file, or `-` for raw samples on standard output.
    package var output: String
    /// The type of the file; nil if its name tells it.
    package var type: FileType?
    package var performance = PerformanceRequest()
    package var practice = PracticeRequest()
    package var format = FormatRequest()
    package var timecode = TimecodeRequest()
    package var music = BackingRequest()
    package var markers = Marker.Choice.lines
    /// Whether click, drone, speech and music go to files of their own, too.
    package var stems = false
    /// The path of a file of timecode.
    package var ltc: String?

    package init(_ score: String, to output: String) { (self.score, self.output) = (score, output) }
}
