import Application
import Foundation
import Playback
import Scores
import Shared
import Testing
import Timing

/// Hit points and timecode, as a film composer uses them.
@Suite struct FilmTests {
    private static let cue = """
        title: The door
        timecode: 01:00:10:00 @ 25
        tempo: 96
        beats: on
        count-in: 2
        bars:
          - 4/4 x 11
          - {meter: 4/4, hit: {time: "01:00:38:12", beat: 3, label: the door slams}}
          - 4/4 x 4
          - {meter: 3/4, hit: 0:40.48 at beat 2.5 by ramp}
          - 4/4 x 22
          - {meter: 6/8, tempo: 1/4. = 80, hit: 1:38}
        """

    private struct Row: Decodable {
        var start_s: Double
        var duration_s: Double
        var timecode: String?
        var frames_per_beat: Double?
    }

    private func rows(_ text: String, _ change: (inout TimelineRequest) throws -> Void = { _ in }) async throws -> [Row]
    {
        let home = Home()
        try home.folder.write("x.yaml", text)
        let json = try await home.timeline("x.yaml") {
            $0.style = .json
            try change(&$0)
        }
        return try JSONDecoder().decode([Row].self, from: Data(json.utf8))
    }

    @Test("hit points are listed with the tempo up to each, and its difference from the written tempo")
    func hits() async throws {
        let home = Home()
        let cue = try home.write("cue.yaml", Self.cue)
        let told = try await home.told {
            let score = try LoadedScore.read(cue).score
            try StandardOutput.print(HitTable.table(score, Timeline(score))?.text(.plain) ?? "")
        }
        #expect(told.errors == "")
        #expect(
            told.text == """
                  bars   written tempo  fitted tempo                 change  hit at                time     timecode  label
                  1–12   1/4 = 96       1/4 = 96.91           +0.95%, +0.91  bar 12, beat 3    0:28.480  01:00:38:12  the door slams
                  12–17  1/4 = 96       1/4 = 96.91 to 98.09  +2.18%, +2.09  bar 17, beat 2.5  0:40.480  01:00:50:12
                  17–39  1/4 = 96       1/4 = 93.36           -2.75%, -2.64  bar 40            1:38.000  01:01:48:00

                """, "\(told.text)")
    }

    @Test("the hits of all voices are listed, and are markers of a sound file") func hitsOfVoices() async throws {
        let home = Home()
        let duo = try home.write(
            "duo.yaml",
            """
            tempo: 60
            voices:
              a: {bars: [2/4 x 3, {meter: 2/4, hit: {time: 0:07, beat: 2, label: door}}]}
              b: {bars: [{meter: 3/4, hit: {time: 0:00, label: fade}}, {meter: 3/4, hit: {time: 0:04, beat: 2, label: window}}]}
            """)
        let told = try await home.told { try CheckRequest([duo]).check() }
        let rows = told.text.split(separator: "\n").suffix(3).map { $0.split(separator: " ") }
        #expect(rows.map { "\($0[0]) \($0[$0.count - 1])" } == ["a door", "b fade", "b window"], "\(told.text)")
        let score = try LoadedScore.read(duo).score
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let markers = try #require(Marker.all(of: performance, rate: 8000, .lines, limit: 99))
        #expect(markers.map(\.name) == ["a 1.1", "b 1.1 fade", "b 1.2 window", "a 1.4 door"])
        #expect(markers.map { $0.frame / 8000 } == [0, 0, 4, 7])
    }

    @Test("the timeline has timecode and frames per beat at the played speed, in the table, in CSV and in JSON")
    func timeline() async throws {
        let text =
            "timecode: 00:59:58:00 @ 24\ntempo: 96\nbars: [4/4, {meter: 6/8, tempo: 1/4. = 60, hold: 1}, 2.5, 2/4]"
        let rows = try await rows(text)
        #expect(rows.map(\.timecode) == ["00:59:58:00", "01:00:00:12", "01:00:03:12", "01:00:06:00"])
        // An eighth of a dotted quarter at 60 is a third of a second.
        #expect(rows.map(\.frames_per_beat) == [15, 8, nil, 16])
        let slow = try await self.rows(text) {
            ($0.passage.speed, $0.passage.from) = (try Speed(scoreText: "50%"), "2")
        }
        #expect(slow.map(\.timecode) == ["01:00:03:00", "01:00:09:00", "01:00:14:00"])
        #expect(slow.map(\.frames_per_beat) == [16, nil, 32])
        // Beats that differ have no length.
        let uneven = "tempo: 60\nbars: [4/4, {meter: 4/4, tempo: 120 at beat 4}, 2/4 + 3/8]"
        #expect(try await self.rows("timecode: 01:00:00:00 @ 25\n" + uneven).map(\.frames_per_beat) == [25, nil, nil])
        // Sixteen thirds of a second are 133.33 frames from the start, wherever the table begins.
        let thirds = "timecode: 01:00:00:00 @ 25\ntempo: 90\nbars: [4/4 x 4]"
        #expect(try await self.rows(thirds).map(\.timecode).suffix(2) == ["01:00:05:08.33", "01:00:08:00"])
        let part = try await self.rows(thirds) { $0.passage.from = "2" }
        #expect(part.map(\.timecode) == ["01:00:02:16.67", "01:00:05:08.33", "01:00:08:00"])
        // In a second round the film begins again with the music, as it goes out; a piece without an end counts on.
        let again = try await self.rows("timecode: 01:00:00:00 @ 25\nbars: [2, 3]") { $0.passage.times = 2 }
        #expect(again.map(\.timecode) == ["01:00:00:00", "01:00:02:00", "01:00:00:00", "01:00:02:00"])
        let endless = try await self.rows("timecode: 01:00:00:00 @ 25\nrepeat: forever\nbars: [2, 3]") {
            $0.passage.times = 2
        }
        #expect(endless.map(\.timecode) == ["01:00:00:00", "01:00:02:00", "01:00:05:00", "01:00:07:00"])
        let home = Home()
        try home.folder.write("x.yaml", text)
        let csv = try await home.timeline("x.yaml") { $0.style = .csv }
        #expect(csv.hasPrefix("index,section,line,bar,label,start_s,duration_s,number,timecode,frames_per_beat\n"))
        #expect(csv.contains("\n3,,1,3,,5.500000000,2.500000000,3,01:00:03:12,\n"))
        try home.folder.write("x.csv", csv)
        #expect(try await home.timeline("x.csv").hasSuffix("\n4 bars, 0:09.333\n"))
        let table = try await home.timeline("x.yaml")
        #expect(table.contains("timecode  frames/beat  label\n"))
        #expect(table.contains("     00:59:58:00       15.000\n"))
        try home.folder.write("plain.yaml", "bars: [4/4]")
        let plain = try await home.timeline("plain.yaml") { $0.style = .csv }
        #expect(plain.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n"))
    }

    @Test("a place can be a timecode: the bar at that time")
    func place() async throws {
        let rows = try await rows(Self.cue) { ($0.passage.from, $0.passage.to) = ("01:00:38:12", "01:00:45:00") }
        #expect(rows.first?.timecode == "01:00:37:06.04" && rows.count == 4)
        let home = Home()
        try home.folder.write("x.yaml", Self.cue)
        for (place, message) in [
            ("01:00:09:24", "01:00:09:24 is outside of the piece, which goes from 01:00:10:00 to 01:01:49:12.50"),
            ("01:00:10:25", "there is no frame 25 at 25 frames per second; write 00 to 24"),
        ] {
            let told = try await home.timelineTold("x.yaml") { $0.passage.from = place }
            #expect(told.code == 64 && told.errors == "barline: error: --from: \(message)\n")
        }
    }

    @Test(
        "timecodes agree with the Python library timecode",
        arguments: ["23.976", "24", "25", "29.97", "29.97 ndf", "30"])
    func library(rate: String) async throws {
        let (above, below) =
            ["23.976": (24_000, 1001), "29.97": (30_000, 1001), "29.97 ndf": (30_000, 1001)][rate] ?? (
                Int(rate) ?? 1, 1
            )
        // Bars of many frames, across minutes with and without dropped numbers and across midnight.
        let lengths = (0..<1500).map { $0 * 7919 % 2500 + 1 } + [1_000_000, 1, 1, 1_700_000, 5]
        let bars = lengths.map { frames in
            let (seconds, rest) = (frames * below).quotientAndRemainder(dividingBy: above)
            let part = String(Int128(rest) * 1_000_000_000_000_000_000 / Int128(above))
            return "\(seconds).\(String(repeating: "0", count: 18 - part.count))\(part)"
        }
        let start = rate == "29.97" ? "00:01:00;02" : "00:01:00:02"
        let rows = try await rows("timecode: \(start) @ \(rate)\nbars: [\(bars.joined(separator: ", "))]")
        let script = """
            import json, sys
            from timecode import Timecode
            rate = sys.argv[2].split()[0]
            options = {"force_non_drop_frame": True} if "ndf" in sys.argv[2] else {}
            start = Timecode(rate, sys.argv[3], **options)
            at, found = start.frames, []
            for length in json.loads(sys.argv[4]):
                found.append(str(Timecode(rate, frames=at, **options)))
                at += length
            print(json.dumps(found))
            """
        let found: [String] = try Python.json(script, arguments: [rate, start, "\(lengths)"])
        #expect(rows.count == lengths.count && found.count == lengths.count)
        #expect(rows.compactMap(\.timecode) == found)
    }

    private struct Stamp: Decodable {
        var reference: Int
        var description: String
        var originator: String
        var date: String
        var version: Int
        var chunks: [String]
    }

    @Test("a WAV file has the timecode of its first sample in a bext chunk, and the labels of hits as markers")
    func stamp() async throws {
        let home = Home()
        try home.folder.write("cue.yaml", Self.cue)
        let script = """
            import json, sys, wavinfo
            info = wavinfo.WavInfoReader(sys.argv[1], info_encoding="utf-8")
            bext = info.bext
            cues = info.cues
            print(json.dumps({"reference": bext.time_reference, "description": bext.description,
                "originator": bext.originator, "date": bext.originator_date + bext.originator_time,
                "version": bext.version, "chunks": [cues.label_and_note(n)[0] for n, at in cues.each_cue()]}))
            """
        let cases: [(reference: Int, change: (inout RenderRequest) -> Void)] = [
            (
                (3610 + 98 - 2) * 48_000,
                { ($0.performance.passage.from, $0.format.rate, $0.type) = ("40", 48_000, .rf64) }
            ), (3610 * 44_100, { ($0.performance.countIn, $0.format.rate) = (.off, 44_100) }),
            (3608 * 48_000, { $0.format.rate = 48_000 }),
        ]
        for (number, (reference, change)) in cases.enumerated() {
            #expect(try await home.render("cue.yaml", [:], change) == 0 && home.errors == "")
            let stamp: Stamp = try Python.json(script, file: home.folder.bytes("x.wav"))
            #expect(stamp.reference == reference)
            #expect(stamp.description.hasPrefix("The door") && stamp.originator.hasPrefix("Barline"))
            #expect(stamp.date.allSatisfy { $0 == "\0" }, "two renderings are the same")
            #expect(stamp.version == 1 || stamp.version == 2)
            if number == 2 { #expect(stamp.chunks == ["1.1", "1.12 the door slams"]) }
        }
        #expect(try WaveFile(home.folder.bytes("x.wav")).chunks.contains("bext"))
        try home.folder.write("plain.yaml", "bars: [1]")
        #expect(try await home.render("plain.yaml") == 0)
        #expect(try WaveFile(home.folder.bytes("x.wav")).chunks.contains("bext") == false)
    }

    @Test("in MIDI, each hit is within its tick and the start has its timecode, by the library mido")
    func midi() async throws {
        let home = Home()
        let cue = try home.write("cue.yaml", Self.cue)
        let told = try await home.convert(cue, to: "cue.mid")
        #expect(told.code == 0)
        #expect(!told.errors.contains("hit"), "hits are markers")
        struct File: Decodable {
            var offset: [Int]
            var times: [Double]
            var clicks: [Double]
        }
        // The hits by their quarters: bar 12 beat 3, bar 17 beat 2.5, bar 40.
        let script = """
            import json, sys, mido
            file = mido.MidiFile(sys.argv[1])
            unit = file.ticks_per_beat * 1e6
            wanted = [quarters * file.ticks_per_beat for quarters in json.loads(sys.argv[2])]
            found, tick, time, tempo, offset = [], 0, 0.0, 500000, None
            for message in file.tracks[0]:
                while wanted and wanted[0] <= tick + message.time:
                    found.append(time + (wanted.pop(0) - tick) * tempo / unit)
                tick, time = tick + message.time, time + message.time * tempo / unit
                if message.type == "set_tempo": tempo = message.tempo
                if message.type == "smpte_offset":
                    rate = message.frame_rate
                    offset = [int(rate), message.hours, message.minutes, message.seconds, message.frames, message.sub_frames]
            clicks, time = [], 0.0
            for message in file:
                time += message.time
                if message.type == "note_on" and message.velocity > 0: clicks.append(time)
            print(json.dumps({"offset": offset, "times": found, "clicks": clicks}))
            """
        let quarters: [Double] = [46, 65.5, 155]
        let file: File = try Python.json(
            script, file: home.folder.bytes("cue.mid"), arguments: ["\(quarters)"], ofSystem: true)
        // mido takes six bits for the hours; by the standard, the rate is in bits 5 and 6: 1 is 25 frames per second.
        #expect(file.offset == [24, 1 << 5 | 1, 0, 10, 0, 0])
        // The grid of bars follows whole microseconds per quarter; the clicks are at the ticks next to their times. There
        // is no click at beat 2.5.
        for (time, hit) in zip(file.times, [28.48, 40.48, 98]) { #expect(abs(time - hit) < 100e-6) }
        #expect(file.times.count == 3)
        for hit in [28.48, 98] { #expect(file.clicks.contains { abs($0 - hit) < 15e-6 }) }
        let again = try await home.convert("cue.mid", to: "again.yaml")
        #expect(again.code == 0 && home.folder.text("again.yaml").contains("\ntimecode: 01:00:10:00 @ 25\n"))
    }
}
