import Formats
import Scores
import Testing

/// What other programs write although it is not quite valid, and its intent is clear.
struct MusicXMLAssumptionTests {
    private static let back = "<repeat direction='backward'/>"
    private static let displaced = "a repeat begins at the left of a measure and ends at its right"

    private static func start(_ number: Int) -> String {
        "<barline location='left'><ending number='\(number)' type='start'/></barline>"
    }

    private static func stop(_ number: Int, _ sign: String = "", type: String = "stop") -> String {
        "<barline><ending number='\(number)' type='\(type)'/>\(sign)</barline>"
    }

    /// Marks of measures, the order in which these are played, and the warning.
    private static let files: [([Int: String], Int, [Int], String)] = [
        (
            [2: stop(1, back), 3: start(2) + stop(2)], 4, [1, 2, 1, 3, 4],
            "this ending ends without having begun: it is read as an ending of this measure"
        ),
        (
            [2: "<barline><ending number='' type='stop'/>\(back)</barline>", 3: start(2) + stop(2)], 4,
            [1, 2, 1, 3, 4],
            "this ending ends without having begun: it is read as an ending of this measure"
        ),
        (
            [2: stop(2, back), 3: start(2) + stop(2)], 4, [1, 2, 1, 3, 4],
            "this ending ends without having begun: it is read as an ending of this measure"
        ),
        (
            [
                2: start(1) + stop(1, back),
                3: "<barline location='left'><repeat direction='forward'/></barline>" + start(2) + stop(2),
                5: "<barline>\(back)</barline>",
            ], 5, [1, 2, 1, 3, 4, 5, 4, 5],
            "a repeat begins inside this ending: it is read as beginning after the ending"
        ),
        (
            [2: start(1) + stop(1), 3: "<barline>\(back)</barline>", 4: start(2) + stop(2, type: "discontinue")], 5,
            [1, 2, 3, 1, 4, 5], "this ending ends before its repeat sign: it is read as going on to the sign"
        ),
        (
            [2: start(1) + stop(1), 3: start(2) + stop(2)], 4, [1, 2, 1, 3, 4],
            "these endings have no repeat sign: a sign is assumed at the end of each but the last"
        ),
        (
            [1: "<barline><repeat direction='forward'/></barline>", 3: "<barline>\(back)</barline>"], 4,
            [1, 2, 3, 2, 3, 4], "\(displaced): it is read as beginning with the next measure"
        ),
        (
            [3: "<barline location='left'>\(back)</barline>"], 3, [1, 2, 1, 2, 3],
            "\(displaced): it is read as ending the measure before"
        ),
    ]

    @Test("signs whose intent is clear are read with a warning, and refused if strict", arguments: files)
    func signs(marks: [Int: String], count: Int, order: [Int], message: String) throws {
        let bytes = musicXML((1...count).map { eighths(2 * $0) + (marks[$0] ?? "") })
        let reading = musicXMLReading(bytes)
        #expect(reading.diagnostics.map(\.message) == [message])
        let times = starts(try #require(reading.score, "\(reading.diagnostics)"))
        #expect(zip(times, times.dropFirst()).map { Int(($1 - $0).components.seconds) } == order)
        let strict = Score.read(bytes, file: "x.musicxml", isStrict: true)
        #expect(strict.score == nil)
        #expect(strict.diagnostics.contains { $0.severity == .error && message.hasPrefix($0.message) })
    }

    @Test(
        "a note before any divisions has the length of its type, or counts quarters",
        arguments: [
            ("<note><duration>2</duration><type>half</type></note>", 2.0, "a quarter of 1 division is assumed"),
            (
                "<note><duration>6</duration><type>quarter</type><dot/></note>", 1.5,
                "a quarter of 4 divisions is assumed"
            ),
            ("<note><duration>3</duration></note>", 3, "a quarter of 1 division is assumed"),
        ])
    func divisions(note: String, seconds: Double, assumption: String) throws {
        let bytes = musicXML(["<sound tempo='60'/>" + note, eighths(1)], start: "")
        let reading = musicXMLReading(bytes)
        #expect(starts(try #require(reading.score))[1].inSeconds == seconds)
        #expect(
            reading.diagnostics.map(\.message) == [
                "a duration before the first divisions has no length: \(assumption)"
            ])
        #expect(Score.read(bytes, file: "x.musicxml", isStrict: true).score == nil)
    }

    @Test("a jump to the coda that can never be taken is named")
    func toCoda() throws {
        let reading = musicXMLReading(
            musicXML([eighths(8) + "<sound tocoda='c'/>", eighths(8), "<sound coda='c'/>" + eighths(8)]))
        #expect(starts(try #require(reading.score)).count == 4)
        #expect(
            reading.diagnostics.map(\.message) == [
                "this jump to the coda is never taken: there is no D.C. or D.S. to come back from"
            ])
    }
}
