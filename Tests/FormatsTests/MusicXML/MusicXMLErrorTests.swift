import Formats
import Foundation
import Scores
import Testing

struct MusicXMLErrorTests {
    static let wrong: [(String, String)] = [
        (
            "<attributes><divisions>0</divisions></attributes>",
            "divisions must be a number above 0; it is how many parts a quarter has"
        ),
        (
            "<attributes><time><beats>4½</beats><beat-type>4</beat-type></time></attributes>",
            "'4½' is not beats of a time signature, for example 4 or 3+2"
        ),
        ("<attributes><time><beats>4</beats></time></attributes>", "a time signature needs beats and beat-type"),
        (
            "<attributes><time><beats>4</beats><beat-type>0</beat-type></time></attributes>",
            "'0' is not a beat-type of a time signature, for example 8"
        ),
        ("<note><pitch/></note>", "a duration is missing here"),
        ("<note><duration>x</duration></note>", "'x' is not a duration"),
        ("<sound tempo='fast'/>", "'fast' is not a tempo; it must be 0.001 to 100 000"),
        ("<sound tempo='100' time-only='2'/>", "a tempo or a jump for certain passes (time-only) is not supported"),
        (direction("<metronome/>"), "this metronome mark has neither a number nor two note values"),
        (
            direction("<metronome><beat-unit>crotchet</beat-unit><per-minute>4</per-minute></metronome>"),
            "'crotchet' is not a note value, for example quarter"
        ),
        (
            direction("<metronome><beat-unit>half</beat-unit><per-minute>slow</per-minute></metronome>"),
            "'slow' is not a tempo, for example 120"
        ),
        ("<barline><repeat/></barline>", "a repeat needs a direction, forward or backward"),
        (
            "<barline location='middle'><repeat direction='backward'/></barline>",
            "a repeat in the middle of a measure is not supported; split the measure"
        ),
        (
            "<barline><repeat direction='backward' times='0'/></barline>",
            "times must be a whole number from 1 to 1 000 000"
        ),
        (
            "<barline><ending number='last' type='start'/></barline>",
            "'last' does not tell in which passes this ending is played, for example 1 or 1, 2"
        ),
        (
            "<barline><ending number='1' type='start'/></barline>",
            "this ending belongs to no repeat; end it with a repeat sign"
        ),
        ("<sound dalsegno='x'/>", "there is no segno before this D.S."),
        ("<sound tocoda='x'/>", "there is no coda after this jump to the coda"),
        (
            "<attributes><time><senza-misura/></time></attributes>",
            "an empty measure without a meter has no length; give it a rest or a meter"
        ),
        ("<forward><duration>1000000</duration></forward>", "a measure has at most 1000 beats"),
        (
            "<sound tempo='100000'/><note><duration>1</duration></note>",
            "with this tempo, a bar lasts less than 1 ms or more than 24 h"
        ),
    ]

    @Test("anything unknown that changes the time is an error at its line", arguments: wrong)
    func errors(measure: String, message: String) throws {
        let reading = musicXMLReading(musicXML(["", measure]))
        let error = try #require(reading.diagnostics.first { $0.severity == .error }, "\(reading.diagnostics)")
        #expect(TextError(error.message, hint: error.hint).description == message)
        #expect(error.line == 3)
    }

    @Test(
        "a file that is not a MusicXML score is refused with a reason",
        arguments: [
            (
                "<score-timewise/>",
                "1:1: error: the measures of this file are not grouped by parts (score-timewise); export it as score-partwise"
            ),
            (
                "\n<workout_file/>",
                "2:1: error: this is not MusicXML: it begins with <workout_file>; it begins with <score-partwise>"
            ),
            ("<score-partwise/>", "1:1: error: the score has no measures"),
            ("<score-partwise>\n<part></score-partwise>", "2:9: error: this is not XML: mismatched tag"),
            (String(repeating: "<part>", count: 100), "1:601: error: this is not XML: no element found"),
            (
                "<score-partwise>\n" + String(repeating: "<note>", count: 100),
                "2:379: error: this is nested deeper than a score needs"
            ),
        ])
    func refused(text: String, expected: String) {
        let error = musicXMLReading(Array(text.utf8)).diagnostics.first
        #expect(error?.rendered().firstLine == "x.musicxml:" + expected)
    }

    @Test("a repeat inside of a repeat is refused")
    func nested() {
        let forward = "<barline location='left'><repeat direction='forward'/></barline>"
        let backward = "<barline><repeat direction='backward'/></barline>"
        let reading = musicXMLReading(musicXML([forward, forward, backward, backward]))
        #expect(reading.diagnostics.map(\.message) == ["a repeat inside of a repeat is not supported"])
        #expect(reading.diagnostics.map(\.line) == [5])
    }

    @Test("too many bars with repeats are an error, not a long wait", .timeLimit(.minutes(60)))
    func tooMany() {
        let backward = "<barline><repeat direction='backward' times='1000000'/></barline>"
        let reading = musicXMLReading(musicXML(["", backward]))
        #expect(reading.diagnostics.map(\.message) == ["the piece has more than 1 000 000 bars with its repeats"])
        let marks = String(repeating: "<sound fine='yes'/>", count: 100_000)
        #expect(musicXMLReading(musicXML([marks + backward])).diagnostics.count == 1)
        let elements = "<direction>" + String(repeating: "<words/>", count: 600_000) + "</direction>"
        #expect(
            musicXMLReading(musicXML([elements])).diagnostics.map(\.message) == [
                "this has more elements than a score needs"
            ])
    }

    // MARK: - Compressed files

    @Test(
        "a file that is cut off anywhere is an error with a place, and never a trap",
        arguments: ["inside.musicxml", "piece-1.mxl"])
    func truncated(name: String) throws {
        let bytes = try sample("musicxml/\(name)")
        // The line end after the last tag can be missing.
        let end = name.hasSuffix("mxl") ? bytes.count : (bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0)
        for count in 0..<end {
            let reading = Score.read(Array(bytes[..<count]), file: "x", format: .musicxml)
            #expect(reading.score == nil, "\(count)")
            #expect(reading.diagnostics.contains { $0.severity == .error })
        }
    }

    @Test("any damaged byte of a compressed file is an error or leaves the score as it is")
    func damaged() throws {
        let bytes = try sample("musicxml/piece-1.mxl")
        let right = Score.read(bytes, file: "x.mxl").score
        for index in bytes.indices {
            var wrong = bytes
            wrong[index] ^= 0x41
            let reading = Score.read(wrong, file: "x.mxl", format: .musicxml)
            #expect(reading.score == nil || reading.score == right, "\(index)")
        }
    }

    /// A compressed sample with a number of its directory's last row (the score or the container) replaced.
    private func patched(_ field: Int, _ value: [UInt8], row: Int) throws -> String {
        var bytes = try sample("musicxml/piece-1.mxl")
        let rows = bytes.indices.filter { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
        bytes.replaceSubrange(rows[row] + field..<rows[row] + field + value.count, with: value)
        return Score.read(bytes, file: "x.mxl").diagnostics.map(\.message).joined(separator: "\n")
    }

    @Test("a compressed file that is too large, or cannot be unpacked, is refused")
    func bombs() throws {
        #expect(try patched(24, [0xFF, 0xFF, 0xFF, 0x7F], row: 0).hasSuffix("in this zip file has more than 64 MiB"))
        #expect(try patched(24, [10, 0, 0, 0], row: 0).hasSuffix("does not unpack"))
        #expect(try patched(8, [1, 0], row: 0).hasSuffix("in this zip file is encrypted"))
        #expect(try patched(10, [14, 0], row: 0).hasSuffix("is packed in an unknown way (method 14)"))
        #expect(
            try patched(46, [0x78], row: 1).hasPrefix(
                "this zip file holds no MusicXML: it has no META-INF/container.xml"))
        #expect(try patched(46, [0x78], row: 0).hasPrefix("this zip file is incomplete: "))
    }
}
