import Formats
import SampleScores
import Scores
import Testing

struct MIDITests {
    @Test("tempi, meters, markers and cue points are read, and other events are counted")
    func map() throws {
        let (score, warnings) = try sampleScore("tempo-map.mid")
        #expect(score.title == "Study")
        #expect(score.lines.map { $0.bars.map(\.label) } == [["Anfang für alle", ""], ["B"], ["inside", "", ""]])
        #expect(score.lines[1].bars[0].cue == "watch me")
        #expect(score.lines[0].bars[0].meter == Meter(4, over: 4))
        #expect(
            starts(score).prefix(4) == [.zero, .seconds(2), .seconds(4), .milliseconds(5675)])
        #expect(
            warnings == [
                "tempo-map.mid:byte 132: warning: a marker is inside a bar; it is read as the label of the bar",
                "tempo-map.mid:byte 164: warning: notes and other events are left out (4): a score has only tempi, meters "
                    + "and markers",
            ])
    }

    @Test("a bar in which the tempo changes keeps its length and the lengths of its beats")
    func inside() throws {
        let bar = try sampleScore("tempo-map.mid").score.lines[1].bars[0]
        #expect(bar.duration == .milliseconds(1675))
        #expect(bar.details.beats?.count == 7)
        #expect(bar.details.beats?[0].value == Fraction(3, 10))
    }

    @Test("a file with one track, running status and unknown chunks is read")
    func formatZero() throws {
        #expect(starts(try sampleScore("format-0.mid").score) == [.zero, .seconds(2), .seconds(4)])
    }

    @Test("a file that is cut off anywhere is an error with a byte position")
    func truncated() throws {
        let bytes = try sample("tempo-map.mid")
        for count in 0..<bytes.count {
            let reading = Score.read(Array(bytes[..<count]), file: "x.mid", format: .midi)
            #expect(reading.score == nil)
            let said = try #require(reading.diagnostics.first { $0.severity == .error })
            #expect(said.rendered().hasPrefix("x.mid:byte "))
            #expect(said.column <= count)
        }
    }

    @Test(
        "an invalid tempo map is refused with a byte position",
        arguments: MIDITests.wrong)
    func refused(bytes: [UInt8], expected: String) {
        let reading = Score.read(bytes, file: "x.mid", format: .midi)
        #expect(reading.diagnostics.first?.rendered() == "x.mid:" + expected)
    }

    @Test("lines and labels become markers, cues become cue points, in UTF-8")
    func texts() throws {
        let text = "lines: [[3, {duration: 2.7, label: Höhe, cue: breathe}], [2]]"
        let bytes = try ScoreFormat.midi.write(played(try score(text))).bytes
        let file = String(decoding: bytes, as: UTF8.self)
        for part in ["\u{6}\u{3}1.1", "\u{6}\u{9}1.2 Höhe", "\u{7}\u{7}breathe", "\u{6}\u{3}2.1"] {
            #expect(file.contains(part), "\(part)")
        }
    }

    /// The tempo events of a file that Barline wrote, as an independent reader finds them, and the time of its last
    /// tick in microseconds.
    private static func tempi(_ bytes: [UInt8]) -> (tempi: [Int], end: Double) {
        var (at, tick, last, tempo, time) = (22, 0, 0, 500_000, 0.0)
        var tempi: [Int] = []
        func variable() -> Int {
            var number = 0
            repeat {
                number = number << 7 | Int(bytes[at] & 0x7F)
                at += 1
            } while bytes[at - 1] >= 0x80
            return number
        }
        while true {
            tick += variable()
            let kind = bytes[at + 1]
            at += 2
            let length = variable()
            guard kind == 0x51 || kind == 0x2F else {
                at += length
                continue
            }
            time += Double(tick - last) * Double(tempo) / 960
            last = tick
            if kind == 0x2F { return (tempi, time) }
            tempo = bytes[at..<(at + 3)].reduce(0) { $0 << 8 | Int($1) }
            tempi.append(tempo)
            at += length
        }
    }

    @Test("a steady tempo keeps one tempo event until a beat would be 20 µs off, and then the tempo stays")
    func steady() throws {
        for (tempo, most) in [("120", 1), ("92", 11), ("90", 2 * 21 + 1), ("104.5", 2 * 50 + 1)] {
            let bytes = try ScoreFormat.midi.write(played(try score("tempo: \(tempo)\nbars: [4/4 x 600]"))).bytes
            let (tempi, end) = Self.tempi(bytes)
            let exact = 2400 * 60_000_000 / (Double(tempo) ?? 0)
            #expect(abs(end - exact) <= 20)
            #expect(tempi.count <= most, "\(tempo): \(tempi.count)")
            // A correction takes one beat: all other tempi are the same.
            #expect(stride(from: 0, to: tempi.count, by: 2).allSatisfy { tempi[$0] == tempi[0] })
            #expect(abs(Double(tempi[0]) - exact / 2400) <= 0.5)
        }
    }

    @Test("meters and steady tempi are read back as they were, however they are rounded in the file")
    func exactTempi() throws {
        let text = """
            beats: on
            lines:
              - [{meter: 4/4, tempo: 92}, 4/4 x 155]
              - [{meter: 7/8, tempo: 1/8 = 211}, 7/8 x 40]
              - [{meter: 3/4, tempo: 120}, 3/4 x 40, {meter: 4/4, tempo: 53.4}, 5/4 x 99]
              - [{meter: 4/4, tempo: 3/8 = 61.3}, 4/4 x 99]
            """
        let one = try score(text)
        let two = try again(one, .midi).score
        let (first, second) = (one.lines.flatMap(\.bars), two.lines.flatMap(\.bars))
        #expect(first.map(\.meter) == second.map(\.meter))
        #expect(farthest(starts(one), starts(two)) <= .microseconds(20))
        let tempi = second.compactMap { bar in
            bar.details.tempo.map { $0.tempo(after: .standard).wholeNotes * Fraction(4) }
        }
        #expect(
            tempi == [
                Fraction(92), Fraction(211, 2), Fraction(120), Fraction(267, 5), Fraction(1839, 20),
            ])
        // The first section is exact to the attosecond.
        #expect(starts(one)[...156].elementsEqual(starts(two)[...156]))
        #expect(Self.tempi(try ScoreFormat.midi.write(played(one)).bytes).tempi.count < 40)
    }

    @Test("a tempo event that another program has changed is stronger than the exact tempo")
    func changedTempo() throws {
        var bytes = try ScoreFormat.midi.write(played(try score("tempo: 92\nbars: [4/4 x 8]"))).bytes
        let place = try #require(bytes.firstRange(of: [0xFF, 0x51, 3])?.upperBound)
        bytes.replaceSubrange(place..<(place + 3), with: [0x07, 0xA1, 0x20])
        let read = try #require(Score.read(bytes, file: "x.mid").score)
        #expect(starts(read).last == .seconds(16))
    }

    static let wrong: [([UInt8], String)] = [
        (
            Array("MThd".utf8) + [0, 0, 0, 6, 0, 1],
            "byte 4: error: the file is cut off: its header has 6 bytes, but only 2 follow"
        ),
        (
            Array("MThd".utf8) + [0, 0, 0, 4],
            "byte 4: error: the header of the file is broken: it is 4 bytes long, not 6"
        ),
        ([UInt8]("RIFF....".utf8), "byte 0: error: this is not a Standard MIDI File: it does not begin with MThd"),
        (
            header(2, 1, 96),
            "byte 8: error: the tracks of files of format 2 are independent; save it as format 1"
        ),
        (header(1, 1, 0), "byte 12: error: a quarter cannot have 0 ticks"),
        (
            header(1, 1, 0xE728),
            "byte 12: error: the file counts film frames (SMPTE), not quarters; save it with ticks per quarter"
        ),
        (header(1, 1, 96), "byte 14: error: the file is cut off: it has 0 tracks of 1"),
        (
            header(1, 1, 96) + track([0, 0xFF, 0x2F, 0]),
            "byte 0: error: the file has no music: it ends where it begins"
        ),
        (header(1, 1, 96) + track([0, 0x33]), "byte 23: error: the byte 0x33 is not an event"),
        (header(1, 1, 96) + track([0xFF, 0xFF, 0xFF, 0xFF, 0]), "byte 22: error: a number has more than 4 bytes"),
        (
            header(1, 1, 96) + track([0, 0xFF, 0x51, 3, 0, 0, 0, 96, 0xFF, 0x2F, 0]),
            "byte 23: error: a quarter of 0 µs is not a tempo"
        ),
        (
            header(1, 1, 1) + track([0, 0xFF, 0x58, 2, 1, 10, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x2F, 0]),
            "byte 23: error: the file has more than 1 000 000 bars"
        ),
    ]

    private static func header(_ format: UInt8, _ tracks: UInt8, _ division: UInt16) -> [UInt8] {
        Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, tracks, UInt8(division >> 8), UInt8(division & 0xFF)]
    }

    private static func track(_ content: [UInt8]) -> [UInt8] {
        Array("MTrk".utf8) + [0, 0, 0, UInt8(content.count)] + content
    }
}
