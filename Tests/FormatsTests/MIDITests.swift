import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

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

    @Test("a text of more than 200 characters is cut with an ellipsis, and stays in its encoding")
    func longText() throws {
        let text = Array(String(repeating: "語", count: 270).utf8)
        let track: [UInt8] =
            [0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, 0, 0xFF, 0x06, 0x86, 0x2A] + text + [0x60, 0xFF, 0x2F, 0]
        let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
        let length = [UInt8(0), 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)]
        let score = try #require(Score.read(header + length + track, file: "x.mid", format: .midi).score)
        #expect(score.lines[0].bars[0].label == String(repeating: "語", count: 199) + "…")
    }

    @Test("a bar in which the tempo changes keeps its length and the lengths of its beats")
    func inside() throws {
        let score = try sampleScore("tempo-map.mid").score
        #expect(score.lines[1].bars[0].meter == Meter(7, over: 8))
        let timeline = Timeline(score)
        #expect(timeline[2].duration == .milliseconds(1675))
        let beats = timeline.beats(inBar: 2, InnerSettings(score))
        #expect(beats.count == 7 && beats[1].offset == .milliseconds(300))
    }

    @Test("a label where a slow tempo ends is that of its bar, wherever the tick is that is nearest to it")
    func labelAfterSlowTempo() throws {
        for bars in 1...80 {
            let text = "tempo: 19\nlines: [[4/4 x \(bars)], {label: B, tempo: 300, bars: [4/4 x 2]}]"
            let bytes = try Format.midi.write(played(try score(text))).bytes
            let reading = Score.read(bytes, file: "x.mid", format: .midi)
            let labels = reading.score.map { $0.lines.flatMap(\.bars).map(\.label) }
            #expect(labels == Array(repeating: "", count: bars) + ["B", ""], "\(bars)")
            #expect(!reading.diagnostics.contains { $0.message.contains("inside") }, "\(bars)")
        }
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
        let bytes = try Format.midi.write(played(try score(text))).bytes
        let file = String(decoding: bytes, as: UTF8.self)
        for part in ["\u{6}\u{3}1.1", "\u{6}\u{9}1.2 Höhe", "\u{7}\u{7}breathe", "\u{6}\u{3}2.1"] {
            #expect(file.contains(part), "\(part)")
        }
    }

    @Test("only the first bar of a line has the claves, not one to which the music jumps, and each pass has them")
    func claves() throws {
        let text = """
            lines:
              - [1, {duration: 1, label: Segno}, {duration: 1, go-to: {to: Coda, times: 2}}, {duration: 1, go-to: Segno}]
              - {repeat: 2, bars: [1, {duration: 1, label: Coda}]}

            """
        func keys(_ played: PlayedScore) throws -> [UInt8] {
            let bytes = try Format.midi.write(played).bytes
            return bytes.indices.dropLast(2).filter { bytes[$0] == 0x99 && (75...77).contains(bytes[$0 + 1]) }.map {
                bytes[$0 + 1]
            }
        }
        let score = try score(text)
        // 1.1 to 1.4, 1.2, 1.3, then the coda and the second pass of its line.
        #expect(try keys(played(score)) == [75, 76, 76, 76, 76, 76, 76, 75, 76])
    }

    @Test(
        "a steady tempo has one tempo event, and its clicks are within half a tick of their times up to its end",
        arguments: ["120", "92", "90", "104.5", "130", "53.4", "1/8. = 61.3"])
    func steady(tempo: String) throws {
        let played = played(try score("tempo: \(tempo)\nbeats: on\nbars: [4/4 x 600]"))
        let file = MIDIModel(try Format.midi.write(played).bytes)
        #expect(file.tempi.count == 1)
        let times = heard(played)
        #expect(times.count == 2400 && file.notes.count == 2400)
        for (tick, time) in zip(file.notes, times) {
            #expect(abs(file.time(tick).time - time) <= file.time(tick).tick / 2 + 0.001)
        }
        #expect(file.ends.allSatisfy { abs(file.time($0).time - played.total / .microseconds(1)) <= 20 })
    }

    @Test("600 bars at 92 quarters per minute have one tempo event, and end within 20 µs of their time")
    func ninetyTwo() throws {
        let bytes = try Format.midi.write(played(try score("tempo: 92\nbars: [4/4 x 600]"))).bytes
        let file = MIDIModel(bytes)
        #expect(file.tempi.map(\.tempo) == [652_174])
        let last = try #require(file.notes.last)
        #expect(abs(file.time(last).time - 599 * 240e6 / 92) <= 20)
        #expect(abs(file.time(file.ends[0]).time - 600 * 240e6 / 92) <= 20)
        let read = try #require(Score.read(bytes, file: "x.mid").score)
        #expect(read.lines.flatMap(\.bars).count == 600)
        #expect(read.lines.flatMap(\.bars).allSatisfy { $0.meter == Meter(4, over: 4) })
        #expect(starts(read) == starts(try score("tempo: 92\nbars: [4/4 x 600]")))
    }

    @Test("each steady section has one tempo event, even where the tempo is not in whole microseconds")
    func sections() throws {
        for (text, count) in [
            ("bars: [{meter: 4/4, tempo: 92}, 4/4 x 155]", 1),
            (
                "bars: [{meter: 4/4, tempo: 92}, 4/4 x 99, {meter: 3/4, tempo: 113}, 3/4 x 99, {meter: 4/4, tempo: 87.5}]",
                3
            ),
            ("bars: [{meter: 4/4, tempo: 92}, 4/4 x 99, {meter: 3/4, tempo: 1/4 = 1/4 3:2}, 3/4 x 99, 7/8 x 80]", 2),
            ("lines: [{repeat: 600, bars: [3.1]}]", 1),
        ] {
            let file = MIDIModel(try Format.midi.write(played(try score(text))).bytes)
            #expect(file.tempi.count == count, "\(text): \(file.tempi)")
        }
    }

    @Test("a tempo event changes by 1 µs where bar lines would be more than 2 ms away from their times")
    func drift() throws {
        let played = played(try score("tempo: 130\nbars: [4/4 x 5000]"))
        let file = MIDIModel(try Format.midi.write(played).bytes)
        #expect(file.tempi.count < 5)
        #expect(file.tempi.allSatisfy { [461_538, 461_539].contains($0.tempo) })
        #expect(file.tempi.dropFirst().allSatisfy { $0.tick > 4000 * file.division })
        for (line, time) in zip(file.barLines, heard(played)) { #expect(abs(line - time) <= 2010) }
    }

    @Test("every click, marker and end is at the tick nearest to its time, and bar lines are at most 3 ms away")
    func moments() throws {
        var random = Seeded(state: 23)
        for number in 0..<200 {
            var score = try random.score()
            if number % 2 == 0 { score.speed = try #require(Speed(millionths: 973_100)) }
            let played = played(score)
            let writing = try Format.midi.write(played)
            let file = MIDIModel(writing.bytes)
            let times = heard(played)
            // At this step of the search, all ticks are in ascending order.
            var near = 0
            for tick in file.notes {
                let (time, length) = file.time(tick)
                while near + 1 < times.count, abs(times[near + 1] - time) <= abs(times[near] - time) { near += 1 }
                try #require(abs(times[near] - time) <= length / 2 + 0.001)
            }
            #expect(file.notes.count <= times.count)
            let bars = (0..<played.barCount).map { played.bar($0) }
            let marked = bars.indices.filter { index in
                index == 0 || bars[index].line != bars[index - 1].line || !bars[index].title.isEmpty
            }
            try #require(marked.count == file.markers.count)
            for (index, tick) in zip(marked, file.markers) {
                let (time, length) = file.time(tick)
                #expect(abs(bars[index].start / .microseconds(1) - time) <= length / 2 + 0.001)
            }
            let end = file.time(file.ends[0])
            #expect(abs(played.total / .microseconds(1) - end.time) <= end.tick / 2 + 0.001)
            guard !writing.losses.contains(where: { $0.contains("longest") }) else { continue }
            let lines = file.barLines
            try #require(lines.count == bars.count)
            for (bar, line) in zip(bars, lines) { #expect(abs(bar.start / .microseconds(1) - line) <= 3000) }
        }
    }

    @Test("a bar of hours, which is several measures of a file, has its length", arguments: [18_000, 50_000, 86_300])
    func hours(seconds: Int) throws {
        let one = try score("bars: [\(seconds), 7, \(seconds).5, 3]")
        let file = MIDIModel(try Format.midi.write(played(one)).bytes)
        #expect(abs(file.time(file.ends[0]).time / 1e6 - Double(2 * seconds) - 10.5) < 0.001)
        let two = try again(one, .midi).score
        #expect(starts(one).allSatisfy { start in starts(two).contains { abs(($0 - start) / .milliseconds(1)) < 3 } })
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
        #expect(MIDIModel(try Format.midi.write(played(one)).bytes).tempi.count == 5)
    }

    @Test("every meter over a power of two is read back as it was", arguments: [1, 2, 4, 8, 16, 32, 64, 128])
    func powers(beat: Int) throws {
        let one = try score("tempo: 92\nbars: [7/\(beat) x 3, 4/4, 3/\(beat) x 5]")
        let two = try again(one, .midi).score
        #expect(one.lines.flatMap(\.bars).map(\.meter) == two.lines.flatMap(\.bars).map(\.meter))
        #expect(starts(one) == starts(two))
    }

    @Test("a tempo event that another program has changed takes precedence over the exact tempo")
    func changedTempo() throws {
        var bytes = try Format.midi.write(played(try score("tempo: 92\nbars: [4/4 x 8]"))).bytes
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

    @Test("a meter that begins less than 1 ms after a bar line is read with a warning, and every bar begins in time")
    func leftover() throws {
        func variable(_ number: Int) -> [UInt8] {
            [UInt8(number >> 14 & 0x7F) | 0x80, UInt8(number >> 7 & 0x7F) | 0x80, UInt8(number & 0x7F)]
        }
        func meter(_ beats: UInt8) -> [UInt8] { [0xFF, 0x58, 4, beats, 2, 24, 8] }
        let quarter = 32_767
        // 4/4, and one tick after its second bar 3/4; at its very beginning, one tick of 2/4.
        let content =
            [0] + meter(2) + [1] + meter(4) + variable(8 * quarter + 1) + meter(3) + variable(3 * quarter)
            + [0xFF, 0x2F, 0]
        let bytes = Self.header(1, 1, UInt16(quarter)) + Self.track(content)
        let reading = Score.read(bytes, file: "x.mid")
        #expect(
            reading.diagnostics.map(\.message) == [
                "2 meters begin less than 1 ms after a bar line; no bars are read between them"
            ])
        let times = starts(try #require(reading.score, "\(reading.diagnostics)"))
        #expect(times.count == 4)
        let ticks = [0, 4 * quarter, 8 * quarter + 2, 11 * quarter + 2]
        for (time, tick) in zip(times, ticks) {
            #expect(abs(time.inSeconds - Double(tick) * 0.5 / Double(quarter)) < 1e-9)
        }
    }

    private static func header(_ format: UInt8, _ tracks: UInt8, _ division: UInt16) -> [UInt8] {
        Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, tracks, UInt8(division >> 8), UInt8(division & 0xFF)]
    }

    private static func track(_ content: [UInt8]) -> [UInt8] {
        Array("MTrk".utf8) + [0, 0, 0, UInt8(content.count)] + content
    }
}
