import CSndFile
import Foundation
import Playback
import Scores
import Shared
import Testing
import Timing

@Suite("File types")
struct FileTypeTests {
    static func piece(_ change: (inout Performance) -> Void = { _ in }) -> Performance {
        var score = Score.ofMilliseconds([[400, 300], [350, 250]], drone: Score.Drone(level: .init(decibels: -20)))
        score.title = "Étude № 1"
        score.composer = "N. N."
        return score.performance(change)
    }

    /// Reads a file with libsndfile.
    private static func read(_ path: String) throws -> (samples: [Double], info: SF_INFO) {
        var info = SF_INFO()
        let handle = try #require(sf_open(path, Int32(SFM_READ), &info))
        defer { sf_close(handle) }
        var samples = [Double](repeating: 0, count: Int(info.frames) * Int(info.channels))
        #expect(sf_readf_double(handle, &samples, info.frames) == info.frames)
        return (samples, info)
    }

    /// The tags that mutagen, which shares no code with Barline, finds in a file, by their names in capitals.
    private static func mutagen(_ path: String) throws -> [String: String] {
        let script = """
            import json, sys, mutagen
            tags = mutagen.File(sys.argv[1]).tags
            def text(v):
                if hasattr(v, "start_time"): return "%d-%d %s" % (v.start_time, v.end_time, v.sub_frames["TIT2"])
                if hasattr(v, "child_element_ids"): return ",".join(v.child_element_ids)
                return str(v[0]) if isinstance(v, list) else str(v)
            print(json.dumps({k.upper(): text(v) for k, v in dict(tags).items()}))
            """
        let (text, code) = try Child.output(of: ["/usr/bin/python3", "-c", script, path])
        #expect(code == 0, "python3-mutagen is there: make test installs it")
        return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }

    @Test("a file's name determines its type")
    func names() {
        for (name, type) in [
            ("a.wav", FileType.wav), ("a.FLAC", .flac), ("x/b.c/a.ogg", .ogg), ("a.oga", .ogg), ("a.opus", .opus),
            ("a.mp3", .mp3), ("a.rf64", .rf64), ("a.aiff", .aiff), ("a.AIF", .aiff), ("a", .wav), ("mp3", .wav),
            (".flac", .wav), ("v1.2/a", .wav),
        ] { #expect(FileType(path: name) == type, "\(name)") }
        for name in ["a.txt", "a.m4a", "a.wav.xyz", "a.wave"] { #expect(FileType(path: name) == nil, "\(name)") }
    }

    @Test(
        "lossless files have the same samples as the WAV file", arguments: [SampleFormat.bits16, .bits24], [1, 2])
    func lossless(samples: SampleFormat, channels: Int) throws {
        let folder = TemporaryFolder()
        let renderer = Renderer(Self.piece(), format: SoundFormat(channels: channels, samples: samples))
        for type in [FileType.wav, .rf64, .flac, .aiff] { try renderer.write(to: folder(type.rawValue), as: type) }
        let wanted = try Self.read(folder("wav")).samples
        #expect(wanted.contains { $0 != 0 })
        for type in ["flac", "rf64", "aiff"] {
            let isSame = try Self.read(folder(type)).samples == wanted
            #expect(isSame)
        }
        #expect(Array(folder.bytes("rf64")[0..<4]) == Array("RF64".utf8))
    }

    @Test("lossy files have the right length and nearly the same level", arguments: [FileType.ogg, .opus, .mp3])
    func lossy(type: FileType) throws {
        let folder = TemporaryFolder()
        let renderer = Renderer(Self.piece { $0.clickLevel = .off }, format: SoundFormat(channels: 1))
        try renderer.write(to: folder("a"), as: type)
        let (samples, info) = try Self.read(folder("a"))
        #expect(info.frames == sf_count_t(try #require(renderer.frames)))
        let middle = samples[20_000..<40_000]
        let level = (middle.reduce(0) { $0 + $1 * $1 } / 20_000).squareRoot()
        #expect(abs(level - 0.1 / 2.0.squareRoot()) < 0.004)
    }

    @Test("another program reads title, composer and chapters", arguments: [FileType.flac, .ogg, .opus])
    func comments(type: FileType) throws {
        let folder = TemporaryFolder()
        let performance = Self.piece()
        let markers = try #require(Marker.all(of: performance, rate: 48_000, .bars, limit: 99))
        try Renderer(performance, format: SoundFormat()).write(to: folder("a"), as: type, markers: markers)
        let tags = try Self.mutagen(folder("a"))
        #expect(tags["TITLE"] == "Étude № 1" && tags["COMPOSER"] == "N. N.")
        let chapters = ["00:00:00.000", "00:00:00.400", "00:00:00.700", "00:00:01.050"]
        for (n, (time, name)) in zip(chapters, ["1.1", "1.2", "2.1", "2.2"]).enumerated() {
            #expect(tags["CHAPTER00\(n + 1)"] == time)
            #expect(tags["CHAPTER00\(n + 1)NAME"] == name)
        }
        #expect(tags["CHAPTER005"] == nil)
        #expect(try Self.read(folder("a")).info.frames > 0)
    }

    @Test("an MP3 has ID3v2 chapters and a table of contents")
    func id3() throws {
        let folder = TemporaryFolder()
        let performance = Self.piece()
        let markers = try #require(Marker.all(of: performance, rate: 48_000, .lines, limit: 99))
        try Renderer(performance, format: SoundFormat()).write(to: folder("a"), as: .mp3, markers: markers)
        let tags = try Self.mutagen(folder("a"))
        #expect(tags["TIT2"] == "Étude № 1" && tags["TCOM"] == "N. N.")
        #expect(tags["CHAP:CHP0"] == "0-700 1.1" && tags["CHAP:CHP1"] == "700-1300 2.1")
        #expect(tags["CTOC:TOC"] == "chp0,chp1")
    }

    @Test("if there are too many intervals of a plan, its rounds have markers with their numbers and lengths")
    func rounds() throws {
        func bar(_ line: Int, _ number: Int) -> Score.Bar {
            var bar = Score.Bar(.seconds(1))
            bar.details.announcement = Announcement(name: "Run", number: number, of: 5)
            return bar
        }
        let lines = [[bar(1, 1), bar(1, 2)], [bar(2, 3), bar(2, 4)], [bar(3, 5)]]
        let performance = Score(lines: lines.map { Score.Line(bars: $0) }).performance()
        func names(_ limit: Int) -> [String] {
            Marker.groups(of: performance, rate: 48_000, limit: limit).markers.map(\.name)
        }
        #expect(names(4) == ["Round 1, 0:02", "Round 2, 0:02", "Run 5 of 5, 0:01"])
        #expect(names(2) == ["Rounds 1 to 2, 0:04", "Run 5 of 5, 0:01"])
    }

    @Test("if there are too many markers for each bar, the lines have them, or every second line")
    func groups() {
        let performance = Self.piece()
        #expect(Marker.all(of: performance, rate: 48_000, .bars, limit: 3) == nil)
        let lines = Marker.groups(of: performance, rate: 48_000, limit: 3)
        #expect(
            lines.markers == [Marker(frame: 0, name: "1.1"), Marker(frame: 33_600, name: "2.1")] && lines.step == 1)
        let halves = Marker.groups(of: performance, rate: 48_000, limit: 1)
        #expect(halves.markers == [Marker(frame: 0, name: "1.1")] && halves.step == 2)
        for rate in [Int.min, 0, .max] { #expect(Marker.groups(of: performance, rate: rate, limit: 9).markers.isEmpty) }
        #expect(Marker.groups(of: performance, rate: 48_000, limit: .min).markers.isEmpty)
        #expect(Marker.groups(of: performance, rate: 48_000, limit: .max).markers.count == 2)
    }

    @Test("a WAV has cue points at the right frames, with labels of any length", arguments: [FileType.wav, .rf64])
    func cuePoints(type: FileType) throws {
        let folder = TemporaryFolder()
        let names = ["a", "ab", "abc", "abcd", "Höhe", ""]
        let markers = names.enumerated().map { Marker(frame: Int64($0.offset) * 1000 + 1, name: $0.element) }
        let renderer = Renderer(Self.piece(), format: SoundFormat())
        try renderer.write(to: folder("a"), as: type, markers: markers)
        let bytes = folder.bytes("a")
        func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        // An independent reader: chunk after chunk.
        var (frames, labels, data) = ([Int: Int](), [Int: String](), 0)
        var at = 12
        while at + 8 <= bytes.count {
            let (id, size) = (String(decoding: bytes[at..<(at + 4)], as: UTF8.self), word(at + 4))
            let body = at + 8
            if id == "cue " {
                for n in 0..<word(body) {
                    frames[word(body + 4 + 24 * n)] = word(body + 24 + 24 * n)
                    #expect(word(body + 8 + 24 * n) == word(body + 24 + 24 * n), "dwPosition is the frame, too")
                }
            } else if id == "LIST", bytes[body..<(body + 4)].elementsEqual("adtl".utf8) {
                var label = body + 4
                while label < body + size {
                    let text = bytes[(label + 12)..<(label + 8 + word(label + 4))].prefix { $0 != 0 }
                    labels[word(label + 8)] = String(decoding: text, as: UTF8.self)
                    label += 8 + word(label + 4)
                }
            } else if id == "data" {
                data = body
            }
            // RF64 files have the size of the samples in their chunk `ds64`.
            let length = size == 0xFFFF_FFFF ? word(28) : size
            at = body + length + length % 2
        }
        #expect(frames == Dictionary(uniqueKeysWithValues: (1...6).map { ($0, ($0 - 1) * 1000 + 1) }))
        #expect(labels == Dictionary(uniqueKeysWithValues: zip(1...6, names)))
        #expect(try Array(bytes[data...].prefix(4096)) == Array(renderer.samples().prefix(4096)))
        #expect(try Self.read(folder("a")).info.frames == sf_count_t(try #require(renderer.frames)))
    }

    @Test(
        "a WAV or AIFF file holds as many markers as it may have, and its samples",
        arguments: [FileType.wav, .rf64, .aiff])
    func manyMarkers(type: FileType) throws {
        let folder = TemporaryFolder()
        let count = type.markerLimit
        let markers = (1...count).map { Marker(frame: Int64($0), name: "\($0).1 Höhe") }
        // 24 bits of one channel: the number of bytes can be odd.
        let renderer = Renderer(Self.piece(), format: SoundFormat(rate: 44_101, channels: 1, samples: .bits24))
        try renderer.write(to: folder("a"), as: type, markers: markers)
        var info = SF_INFO()
        let handle = try #require(sf_open(folder("a"), Int32(SFM_READ), &info))
        defer { sf_close(handle) }
        #expect(info.frames == sf_count_t(try #require(renderer.frames)))
    }

    @Test(
        "an AIFF file has its markers at their frames, title and composer", arguments: [SampleFormat.bits16, .float32])
    func aiff(samples: SampleFormat) throws {
        let folder = TemporaryFolder()
        let names = ["a", "ab", "Höhe", "", String(repeating: "é", count: 200)]
        let markers = names.enumerated().map { Marker(frame: Int64($0.offset) * 1000 + 1, name: $0.element) }
        try Renderer(Self.piece(), format: SoundFormat(samples: samples)).write(
            to: folder("a.aiff"), markers: markers)
        let bytes = folder.bytes("a.aiff")
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) } }
        #expect(bytes[0..<4].elementsEqual("FORM".utf8) && number(4, 4) == bytes.count - 8)
        #expect(bytes[8..<12].elementsEqual((samples == .float32 ? "AIFC" : "AIFF").utf8))
        var texts: [String: String] = [:]
        var marks: [Marker] = []
        var at = 12
        while at + 8 <= bytes.count {
            let (id, size, body) = (String(decoding: bytes[at..<(at + 4)], as: UTF8.self), number(at + 4, 4), at + 8)
            texts[id] = String(decoding: bytes[body..<(body + min(size, 40))], as: UTF8.self)
            if id == "MARK" {
                var place = body + 2
                for n in 1...number(body, 2) {
                    #expect(number(place, 2) == n)
                    let length = number(place + 6, 1)
                    let name = String(decoding: bytes[(place + 7)..<(place + 7 + length)], as: UTF8.self)
                    marks.append(Marker(frame: Int64(number(place + 2, 4)), name: name))
                    place += 7 + length + (1 - length % 2)
                }
                #expect(place == body + size)
            }
            at = body + size + size % 2
        }
        #expect(at == bytes.count)
        #expect(marks.dropLast() == markers.dropLast())
        #expect(marks.last == Marker(frame: 4001, name: String(repeating: "é", count: 127)))
        #expect(texts["NAME"]?.hasPrefix("Étude № 1") ?? false)
        #expect(texts["AUTH"]?.hasPrefix("N. N.") ?? false)
    }

    @Test("an unknown extension is an error that lists the known ones")
    func unknownExtension() {
        let folder = TemporaryFolder()
        let known = ".wav, .rf64, .flac, .ogg, .oga, .opus, .mp3, .aiff or .aif"
        #expect(
            throws: RenderError.unsuitable("'\(folder("a.m4a"))' has no known extension: use \(known)")
        ) { try Renderer(Self.piece(), format: SoundFormat()).write(to: folder("a.m4a")) }
        #expect(folder.contents.isEmpty)
    }

    @Test("stems are as long as the whole and add up to it; either all are written, or none")
    func stems() throws {
        let folder = TemporaryFolder()
        let renderer = Renderer(Self.piece(), format: SoundFormat(channels: 1, samples: .float32))
        let parts: [(path: String, parts: SoundParts)] = [
            (folder("all.wav"), .all), (folder("click.wav"), .click), (folder("drone.wav"), .drone),
        ]
        try renderer.write(parts)
        let (all, click, drone) = try (
            Self.read(folder("all.wav")).samples, Self.read(folder("click.wav")).samples,
            Self.read(folder("drone.wav")).samples
        )
        #expect(all.count == click.count && all.count == drone.count)
        for n in all.indices { #expect(abs(all[n] - click[n] - drone[n]) < 1e-6) }
        let other = TemporaryFolder()
        #expect(throws: RenderError.self) {
            try renderer.write([(other("all.wav"), .all), (other("none/click.wav"), .click)])
        }
        #expect(other.contents.isEmpty)
    }

    @Test("a format that a type cannot hold is refused before anything is written")
    func refusals() {
        for (type, format) in [
            (FileType.flac, SoundFormat(samples: .float32)), (.opus, SoundFormat(rate: 44_100)),
            (.mp3, SoundFormat(rate: 96_000)), (.mp3, SoundFormat(channels: 3)), (.flac, SoundFormat(channels: 9)),
        ] {
            let folder = TemporaryFolder()
            #expect(throws: RenderError.self) {
                try Renderer(Self.piece(), format: format).write(to: folder("a"), as: type)
            }
            #expect(folder.contents.isEmpty)
        }
    }
}
