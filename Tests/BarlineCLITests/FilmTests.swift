internal import Foundation
internal import Shared
internal import Testing

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

    /// What a Python program prints as JSON.
    private func python<Value: Decodable>(_ program: String, _ script: String, _ arguments: [String]) throws -> Value {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", script] + arguments
        let output = Foundation.Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode(Value.self, from: data)
    }

    private struct Row: Decodable {
        var start_s: Double
        var duration_s: Double
        var timecode: String?
        var frames_per_beat: Double?
    }

    private func timeline(_ text: String, _ options: [String] = []) async throws -> [Row] {
        let scratch = try Scratch()
        try scratch.write("x.yaml", text)
        let outcome = try await Program.run(["timeline", "x.yaml", "--json"] + options, in: scratch)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Row].self, from: Data(outcome.output))
    }

    @Test("check prints the tempo up to each hit, and its difference from the written tempo")
    func check() async throws {
        let scratch = try Scratch()
        try scratch.write("cue.yaml", Self.cue)
        let outcome = try await Program.run(["check", "cue.yaml"], in: scratch)
        #expect(outcome.errors == "" && outcome.code == 0)
        #expect(
            outcome.text == """
                cue.yaml: 1 line, 40 bars, 1:39.500
                  bars   written tempo  fitted tempo                 change  hit at                time     timecode  label
                  1–12   1/4 = 96       1/4 = 96.91           +0.95%, +0.91  bar 12, beat 3    0:28.480  01:00:38:12  the door slams
                  12–17  1/4 = 96       1/4 = 96.91 to 98.09  +2.18%, +2.09  bar 17, beat 2.5  0:40.480  01:00:50:12
                  17–39  1/4 = 96       1/4 = 93.36           -2.75%, -2.64  bar 40            1:38.000  01:01:48:00

                """, "\(outcome.text)")
    }

    @Test("the timeline has timecode and frames per beat at the played speed, in the table, in CSV and in JSON")
    func timeline() async throws {
        let text =
            "timecode: 00:59:58:00 @ 24\ntempo: 96\nbars: [4/4, {meter: 6/8, tempo: 1/4. = 60, hold: 1}, 2.5, 2/4]"
        let rows = try await timeline(text)
        #expect(rows.map(\.timecode) == ["00:59:58:00", "01:00:00:12", "01:00:03:12", "01:00:06:00"])
        // An eighth of a dotted quarter at 60 is a third of a second.
        #expect(rows.map(\.frames_per_beat) == [15, 8, nil, 16])
        let slow = try await timeline(text, ["--speed", "50%", "--from", "2"])
        #expect(slow.map(\.timecode) == ["01:00:03:00", "01:00:09:00", "01:00:14:00"])
        #expect(slow.map(\.frames_per_beat) == [16, nil, 32])
        let scratch = try Scratch()
        try scratch.write("x.yaml", text)
        let csv = try await Program.run(["timeline", "x.yaml", "--csv"], in: scratch)
        #expect(csv.text.hasPrefix("index,section,line,bar,label,start_s,duration_s,number,timecode,frames_per_beat\n"))
        #expect(csv.text.contains("\n3,,1,3,,5.500000000,2.500000000,3,01:00:03:12,\n"))
        try scratch.write("x.csv", csv.text)
        let again = try await Program.run(["check", "x.csv"], in: scratch)
        #expect(again.text == "x.csv: 1 line, 4 bars, 0:09.333333333\n" && again.code == 0)
        let table = try await Program.run(["timeline", "x.yaml"], in: scratch)
        #expect(table.text.contains("timecode  frames/beat  label\n"))
        #expect(table.text.contains("     00:59:58:00       15.000\n"))
        try scratch.write("plain.yaml", "bars: [4/4]")
        let plain = try await Program.run(["timeline", "plain.yaml", "--csv"], in: scratch)
        #expect(plain.text.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n"))
    }

    @Test("a place can be a timecode: the bar at that time")
    func place() async throws {
        let rows = try await timeline(Self.cue, ["--from", "01:00:38:12", "--to", "01:00:45:00"])
        #expect(rows.first?.timecode == "01:00:37:06.04" && rows.count == 4)
        let scratch = try Scratch()
        try scratch.write("x.yaml", Self.cue)
        for (place, message) in [
            ("01:00:09:24", "01:00:09:24 is outside of the piece, which goes from 01:00:10:00 to 01:01:49:12.50"),
            ("01:00:10:25", "there is no frame 25 at 25 frames per second; write 00 to 24"),
        ] {
            let outcome = try await Program.run(["timeline", "x.yaml", "--from", place], in: scratch)
            #expect(outcome.code == 64 && outcome.errors == "barline: error: --from: \(message)\n")
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
        let rows = try await timeline("timecode: \(start) @ \(rate)\nbars: [\(bars.joined(separator: ", "))]")
        let script = """
            import json, sys
            from timecode import Timecode
            rate = sys.argv[1].split()[0]
            options = {"force_non_drop_frame": True} if "ndf" in sys.argv[1] else {}
            start = Timecode(rate, sys.argv[2], **options)
            at, found = start.frames, []
            for length in json.loads(sys.argv[3]):
                found.append(str(Timecode(rate, frames=at, **options)))
                at += length
            print(json.dumps(found))
            """
        let found: [String] = try python(try Python.path(), script, [rate, start, "\(lengths)"])
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
        let scratch = try Scratch()
        try scratch.write("cue.yaml", Self.cue)
        let script = """
            import json, sys, wavinfo
            info = wavinfo.WavInfoReader(sys.argv[1], info_encoding="utf-8")
            bext = info.bext
            cues = info.cues
            print(json.dumps({"reference": bext.time_reference, "description": bext.description,
                "originator": bext.originator, "date": bext.originator_date + bext.originator_time,
                "version": bext.version, "chunks": [cues.label_and_note(n)[0] for n, at in cues.each_cue()]}))
            """
        for (options, reference) in [
            (["--rate", "48000"], 3608 * 48_000), (["--count-in", "0", "--rate", "44100"], 3610 * 44_100),
            (["--from", "40", "--rate", "48000", "--type", "rf64"], (3610 + 98 - 2) * 48_000),
        ] {
            let outcome = try await Program.run(["render", "cue.yaml", "-o", "cue.wav"] + options, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "")
            let stamp: Stamp = try python(try Python.path(), script, [scratch.folder + "/cue.wav"])
            #expect(stamp.reference == reference)
            #expect(stamp.description.hasPrefix("The door") && stamp.originator.hasPrefix("Barline"))
            #expect(stamp.date.allSatisfy { $0 == "\0" }, "two renderings are the same")
            #expect(stamp.version == 1 || stamp.version == 2)
            if options.first == "--rate" { #expect(stamp.chunks == ["1.1", "1.12 the door slams"]) }
        }
        try scratch.write("plain.yaml", "bars: [1]")
        _ = try await Program.run(["render", "plain.yaml", "-o", "plain.wav"], in: scratch)
        #expect(try WaveFile(scratch.read("plain.wav")).chunks.contains("bext") == false)
        _ = try await Program.run(["render", "cue.yaml", "-o", "1.wav"], in: scratch)
        #expect(try WaveFile(scratch.read("1.wav")).chunks.contains("bext"))
    }

    @Test("in MIDI, each hit is within its tick and the start has its timecode, by the library mido")
    func midi() async throws {
        let scratch = try Scratch()
        try scratch.write("cue.yaml", Self.cue)
        let outcome = try await Program.run(["convert", "cue.yaml", "cue.mid"], in: scratch)
        #expect(outcome.code == 0)
        #expect(!outcome.errors.contains("hit"), "hits are markers")
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
        let file: File = try python("/usr/bin/python3", script, [scratch.folder + "/cue.mid", "\(quarters)"])
        // mido takes six bits for the hours; by the standard, the rate is in bits 5 and 6: 1 is 25 frames per second.
        #expect(file.offset == [24, 1 << 5 | 1, 0, 10, 0, 0])
        // The grid of bars follows whole microseconds per quarter; the clicks are at the ticks next to their times. There
        // is no click at beat 2.5.
        for (time, hit) in zip(file.times, [28.48, 40.48, 98]) { #expect(abs(time - hit) < 100e-6) }
        #expect(file.times.count == 3)
        for hit in [28.48, 98] { #expect(file.clicks.contains { abs($0 - hit) < 15e-6 }) }
        let again = try await Program.run(["convert", "cue.mid", "again.yaml"], in: scratch)
        #expect(again.code == 0)
        #expect(
            String(decoding: try scratch.read("again.yaml"), as: UTF8.self).contains("\ntimecode: 01:00:10:00 @ 25\n"))
    }
}
