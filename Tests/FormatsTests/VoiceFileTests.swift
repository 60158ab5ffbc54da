import Formats
import SampleScores
import Scores
import Testing
import Timing

@Suite("Voices and hits in files of other programs")
struct VoiceFileTests {
    private let canon = """
        title: Canon
        beats: on
        fragments: {theme: [4/4, {meter: 4/4, label: A}, 3/4]}
        voices:
          slow: {tempo: 60, lines: [{use: theme}]}
          fast: {tempo: 90, lines: [[{duration: 2, click: off}], {use: theme}]}

        """

    /// The names of the tracks of a MIDI file, and the times of its notes in ticks.
    private func tracks(_ bytes: [UInt8]) throws -> [(name: String, notes: [Int])] {
        var (tracks, position): ([(String, [Int])], Int) = ([], 14)
        func number(_ place: inout Int) -> Int {
            var value = 0
            while true {
                let byte = Int(bytes[place])
                place += 1
                value = value << 7 | byte & 0x7F
                if byte < 0x80 { return value }
            }
        }
        while position < bytes.count {
            let length = bytes[position + 4..<position + 8].reduce(0) { $0 << 8 | Int($1) }
            var (place, tick, name, notes) = (position + 8, 0, "", [Int]())
            while place < position + 8 + length {
                tick += number(&place)
                let status = bytes[place]
                if status == 0xFF {
                    let kind = bytes[place + 1]
                    place += 2
                    let count = number(&place)
                    if kind == 3 { name = String(decoding: bytes[place..<place + count], as: UTF8.self) }
                    place += count
                } else {
                    if status == 0x99 { notes.append(tick) }
                    place += 3
                }
            }
            tracks.append((name, notes))
            position += 8 + length
        }
        return tracks
    }

    @Test("a part that begins where voices meet has the bar of each that begins there")
    func meeting() throws {
        let text = """
            beats: on
            voices:
              a: {tempo: 90, bars: [4/4 x 6]}
              b: {tempo: 60, bars: [4/4 x 4]}

            """
        let score = try score(text)
        // Both have a barline at 8 s.
        let later = PlayedScore(score, passage: Passage(Timeline(score), bars: 3..<6), speed: .asWritten).voices
        #expect(later.map(\.barCount) == [3, 2])
        let earlier = PlayedScore(score, passage: Passage(Timeline(score), bars: 0..<3), speed: .asWritten).voices
        #expect(earlier.map(\.barCount) == [3, 2])
    }

    @Test("a MIDI file has a track for each voice, with its clicks at their times")
    func midi() throws {
        let writing = try Format.midi.write(played(try score(canon)))
        #expect(!writing.losses.contains { $0.contains("voice") }, "\(writing.losses)")
        let tracks = try tracks(writing.bytes)
        #expect(tracks.map(\.name) == ["Canon", "slow", "fast"])
        // At 60, a quarter of 30 240 ticks is a second.
        func seconds(_ notes: [Int]) -> [Double] { notes.map { Double($0) / 30_240 } }
        #expect(seconds(tracks[1].notes) == Array(stride(from: 0.0, to: 11, by: 1)))
        for (index, time) in seconds(tracks[2].notes).enumerated() {
            #expect(abs(time - 2 - Double(index) * 2 / 3) < 1e-4)
        }
        #expect(tracks[2].notes.count == 11)
        let read = try #require(Score.read(writing.bytes, file: "x.mid").score)
        #expect(starts(read) == [.zero, .seconds(4), .seconds(8), .seconds(11)])
    }

    /// A part of a piece, from a bar to before another one.
    private func part(_ text: String, _ bars: Range<Int>) throws -> PlayedScore {
        let score = try score(text)
        return PlayedScore(score, passage: Passage(Timeline(score), bars: bars), speed: score.speed)
    }

    @Test("in a part of a piece, each voice has the clicks that are heard in it, also of bars that run on")
    func parts() throws {
        let text = "beats: on\nvoices: {a: {bars: [4/4 x 4]}, b: {bars: [6/4 x 4]}}\n"
        let second = try part(text, 1..<2)
        #expect(second.voices.map(\.total) == [.seconds(4), .seconds(4)])
        let tracks = try tracks(try Format.midi.write(second).bytes)
        let seconds: [[Double]] = tracks.dropFirst().map { $0.notes.map { Double($0) / 30_240 } }
        #expect(seconds == [[0, 1, 2, 3], [0, 1, 2, 3]])
        // The axes of the sheet of both voices, and of those of each, end after four seconds.
        let svg = String(decoding: try Format.svg.write(second).bytes, as: UTF8.self)
        #expect(svg.components(separatedBy: ">4<").count == 4 && !svg.contains(">4.5<") && !svg.contains(">5<"))
        // A voice that begins after the part, and ends before it.
        let short = try part("voices: {a: {bars: [4, 4]}, b: {bars: [5, 1]}}\n", 1..<2)
        #expect(short.voices.map { $0.bar(0).start } == [.zero, .seconds(-4)])
        #expect(short.voices.map(\.total) == [.seconds(4), .seconds(2)])
    }

    @Test("voices that meet at a barline, an attosecond apart, have all clicks of the part that begins or ends there")
    func partOfMeeting() throws {
        let text = """
            beats: on
            voices: {a: {tempo: 90, bars: [4/4 x 6]}, b: {tempo: 60, bars: [4/4 x 4]}}

            """
        let after = try tracks(try Format.midi.write(try part(text, 3..<6)).bytes)
        #expect(after[2].notes.map { ($0 + 10) / 45_360 } == Array(0..<8).map { $0 })
        let before = try tracks(try Format.midi.write(try part(text, 0..<3)).bytes)
        #expect(before[1].notes.count == 12 && before[2].notes.count == 8)
        // A voice that is over keeps its track.
        let over = try part("voices: {x: {bars: [4, 4, 4]}, y: {bars: [4]}, z: {bars: [4, 4]}}\n", 1..<3)
        let named = try tracks(try Format.midi.write(over).bytes)
        #expect(named.dropFirst().map(\.name) == ["x", "y", "z"])
        #expect(named[2].notes.isEmpty && named[3].notes.count == 1)
    }

    @Test("the hits of other voices are markers with the name of the voice, in the order of time")
    func hitsOfOthers() throws {
        let text = """
            timecode: 01:00:00:00 @ 25
            voices:
              a: {bars: [4/4 x 5, {meter: 4/4, hit: {time: "0:21", beat: 2, label: door}}]}
              b: {bars: [4/4, {meter: 4/4, hit: {time: "0:05", beat: 2, label: window}}, {meter: 4/4, hit: 0:08}]}

            """
        func markers(_ played: PlayedScore) throws -> [String] {
            let bytes = try Format.midi.write(played).bytes
            let words = String(decoding: bytes.map { (32..<127).contains($0) ? $0 : 10 }, as: UTF8.self)
            return words.split(separator: "\n").map(String.init).filter { $0.contains("hit ") }
        }
        let hits = ["hit 01:00:05:00 b window", "hit 01:00:08:00 b", "hit 01:00:21:00 door"]
        #expect(try markers(played(try score(text))) == hits)
        #expect(try markers(try part(text, 2..<6)) == Array(hits.dropFirst()))
    }

    private let film = """
        timecode: 01:00:10:00 @ 25
        tempo: 60
        beats: on
        bars:
          - 4/4
          - {meter: 4/4, hit: {time: "01:00:16:00", beat: 3, label: the door slams}}
          - {meter: 4/4, hit: 0:08}

        """

    @Test("hits are markers with timecode in MIDI, Audacity and Reaper, and the bars read back as they were")
    func hits() throws {
        let score = try score(film)
        for format in [Format.midi, .audacity, .reaper] {
            let (read, bytes, losses) = try again(score, format)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("hit 01:00:16:00 the door slams"), "\(format)")
            #expect(text.contains("hit 01:00:18:00"), "\(format)")
            #expect(!losses.contains { $0.contains("hit") }, "\(losses)")
            #expect(farthest(starts(score), starts(read)) < .microseconds(20))
            #expect(starts(read).count == 4, "\(format)")
            #expect(read.lines.flatMap(\.bars).map(\.cue).contains { $0.contains("the door slams") }, "\(format)")
        }
    }

    @Test("without a timecode, a hit's marker has its time")
    func times() throws {
        let text = "tempo: 60\nbars: [{meter: 4/4, hit: {time: 0:02, beat: 3, label: bang}}]"
        let labels = String(decoding: try Format.audacity.write(played(try score(text))).bytes, as: UTF8.self)
        #expect(labels.contains("2.000000000\t2.000000000\thit 0:02 bang\n"), "\(labels)")
    }

    @Test("a canon's picture begins with a sheet on which all voices have one axis of time")
    func picture() throws {
        let svg = String(decoding: try Format.svg.write(played(try score(canon))).bytes, as: UTF8.self)
        // The sheet of all voices, and one of each.
        #expect(svg.components(separatedBy: "<g transform").count - 1 == 3)
        let first = svg.components(separatedBy: "<g transform")[1]
        for name in ["slow", "fast", ">A<"] { #expect(first.contains(name), "\(name)") }
    }

    @Test("in a score with a timecode, the lines of a picture begin with theirs")
    func timecode() throws {
        let svg = String(decoding: try Format.svg.write(played(try score(film))).bytes, as: UTF8.self)
        #expect(svg.contains(">01:00:10:00<"))
        let part = try score(film)
        let timeline = Timeline(part)
        let second = PlayedScore(part, passage: Passage(timeline, bars: 1..<3), speed: part.speed)
        #expect(String(decoding: try Format.svg.write(second).bytes, as: UTF8.self).contains(">01:00:14:00<"))
    }
}
