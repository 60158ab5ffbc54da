import Formats
import Scores
import Testing

/// A MusicXML file of the given measures, one a line from line 2 on. Each is the content of its element; divisions are
/// 2, the first measure has 4/4 and 60 quarters per minute.
func musicXML(_ measures: [String], start: String? = nil) -> [UInt8] {
    let first =
        start
        ?? "<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>"
        + "<sound tempo='60'/>"
    var text = "<score-partwise><part-list/><part id='P1'>\n"
    for (index, measure) in measures.enumerated() {
        text += "<measure number='\(index + 1)'>\(index == 0 ? first : "")\(measure)</measure>\n"
    }
    return Array((text + "</part></score-partwise>\n").utf8)
}

/// A note of a number of eighths.
func eighths(_ count: Int, _ more: String = "") -> String { "<note><duration>\(count)</duration>\(more)</note>" }

/// A direction of a type.
func direction(_ type: String, _ more: String = "") -> String {
    "<direction><direction-type>\(type)</direction-type>\(more)</direction>"
}

func musicXMLReading(_ bytes: [UInt8]) -> Document { Score.read(bytes, file: "x.musicxml") }

/// The score of a file that has no error and no warning.
func musicXMLScore(_ measures: [String], start: String? = nil) throws -> Score {
    let reading = musicXMLReading(musicXML(measures, start: start))
    let messages = reading.diagnostics.map { $0.rendered() }
    #expect(messages.isEmpty)
    return try #require(reading.score, "\(messages)")
}

/// The starts of the bars in seconds, and the end of the last.
func secondsOfBars(_ measures: [String], start: String? = nil) throws -> [Double] {
    starts(try musicXMLScore(measures, start: start)).map { Double($0.attoseconds) / 1e18 }
}
