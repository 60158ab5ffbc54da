import Formats
import Foundation
import Scores
import Testing

/// Files that music21 has written, and its times of every measure: `Samples/musicxml/generate`.
struct MusicXMLSampleTests {
    static let names: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Samples/musicxml").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".musicxml") || $0.hasSuffix(".mxl") }.sorted()
    }()

    @Test("measures begin within 1 ms of where music21 has them, with repeats and jumps taken", arguments: names)
    func times(name: String) throws {
        let reading = Score.read(try sample("musicxml/\(name)"), file: name)
        let score = try #require(reading.score, "\(reading.diagnostics)")
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics.map { $0.rendered() })")
        let stem = String(name.prefix { $0 != "." })
        let expected = String(decoding: try sample("musicxml/\(stem).times"), as: UTF8.self)
            .split(separator: "\n").compactMap { Double($0) }.map { Duration.nanoseconds(Int64($0 * 1e9)) }
        let actual = starts(score)
        #expect(actual.count == expected.count)
        #expect(farthest(actual, expected) < .milliseconds(1))
    }

    @Test("a score that is read from MusicXML is written as YAML and read back unchanged", arguments: names)
    func yaml(name: String) throws {
        let score = try #require(Score.read(try sample("musicxml/\(name)"), file: name).score)
        #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
    }

    @Test("there are samples of every kind")
    func count() { #expect(Self.names.count >= 18) }

    @Test("the content determines the format, whatever the name", arguments: ["standard input", "x"])
    func recognized(file: String) throws {
        for name in ["inside.musicxml", "piece-1.mxl"] {
            let right = Score.read(try sample("musicxml/\(name)"), file: name).score
            #expect(Score.read(try sample("musicxml/\(name)"), file: file).score == right)
        }
    }

    @Test("UTF-16 and Windows-1252 are read")
    func encodings() throws {
        let text = String(decoding: musicXML([direction("<rehearsal>Größe</rehearsal>")]), as: UTF8.self)
        let utf16 = [UInt8]([0xFF, 0xFE]) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let windows = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        for bytes in [utf16, windows] {
            #expect(try #require(musicXMLReading(bytes).score).lines[0].label == "Größe")
        }
    }
}
