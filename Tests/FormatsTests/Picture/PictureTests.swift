import Formats
import Foundation
import SampleScores
import Scores
import Shared
import Testing
import Timing

struct PictureTests {
    /// The numeric values of an attribute of all elements of a kind in an SVG picture.
    private func values(_ name: String, of element: String, in svg: String) -> [Double] {
        svg.components(separatedBy: "<\(element) ").dropFirst().compactMap { part in
            let tag = part.prefix { $0 != ">" }
            guard let range = tag.range(of: "\(name)=\"") else { return nil }
            return Double(tag[range.upperBound...].prefix { $0 != "\"" })
        }
    }

    private func picture(_ text: String, _ format: Format = .svg) throws -> String {
        String(decoding: try format.write(played(try score(text))).bytes, as: UTF8.self)
    }

    /// The texts of an SVG picture.
    private func texts(_ svg: String) -> [String] {
        svg.components(separatedBy: "<text ").dropFirst().map { part in
            String(part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
        }
    }

    @Test("Sequenza VII is drawn as thirteen lines of thirteen bars on one sheet, with numbers, starts and lengths")
    func sequenza() throws {
        let bundled = try #require(BundledScore.named("sequenza-vii"))
        let score = try #require(Score.read(bundled.bytes, file: "x.yaml").score)
        let svg = String(decoding: try Format.svg.write(played(score)).bytes, as: UTF8.self)
        #expect(svg.contains("width=\"210mm\" height=\"297mm\""))
        let words = texts(svg)
        #expect(words.count { $0 == "2.7" } == 13)
        #expect(words.count { $0 == "1.8" } == 13)
        #expect(words.contains("Sequenza VII (1969)"))
        #expect(words.contains("Luciano Berio"))
        #expect(words.contains("4:31.2"))
    }

    @Test("the width of a bar is proportional to its duration, with one scale for all lines")
    func scale() throws {
        let svg = try picture("lines: [[3, 2.7, 2], [1, 5, 4], [10, 1]]")
        let widths = values("width", of: "rect", in: svg)
        let unit = (595.276 - 36 - 58) / 11
        #expect(widths.count == 3)
        for (width, seconds) in zip(widths, [2.7, 5, 1]) { #expect(abs(width - seconds * unit) < 0.02) }
    }

    @Test(
        "a picture of a random score is entirely on its sheet",
        arguments: [(Picture.Paper.a4, 595.28, 841.89), (.letter, 612, 792)])
    func inside(paper: Picture.Paper, width: Double, height: Double) throws {
        var random = Seeded(state: 21)
        var options = WritingOptions()
        options.paper = paper
        for _ in 0..<60 {
            let svg = String(decoding: try Format.svg.write(played(try random.score()), options).bytes, as: UTF8.self)
            let count = svg.components(separatedBy: "<g transform").count - 1
            #expect(svg.contains("viewBox=\"0 0 \(width.roundedText) \((height * Double(count)).roundedText)\""))
            for x in values("x", of: "text", in: svg) { #expect((0...width).contains(x)) }
            for y in values("y", of: "text", in: svg) { #expect((0...height).contains(y)) }
            for x in values("x", of: "rect", in: svg) { #expect((0...width).contains(x)) }
        }
    }

    @Test("meters, labels, tempi, cues, holds and sections are shown")
    func words() throws {
        let svg = try picture(
            """
            sections:
              - label: Slow & calm
                bars:
                  - {meter: 3+2/8, tempo: 1/4 = 50, label: A, cue: breathe}
                  - {duration: 12, hold: 4, say: listen}
              - label: B
                bars: [{duration: 9, hold: until cue}]
            """)
        let words = texts(svg)
        for word in [
            "Slow &amp; calm", "3+2/8", "1/4 = 50", "A", "breathe", "12", "4", "&quot;listen&quot;", "B", "cue",
        ] {
            #expect(words.contains(word), "\(word)")
        }
    }

    @Test("time brackets are drawn as windows to scale")
    func brackets() throws {
        let svg = try picture(
            "brackets: [{start: 0:00 - 0:30, end: 1:00 - 2:00}, {label: B, start: 1:15, end: 2:00, cue: soft}]")
        let unit = (595.276 - 36 - 58) / 120
        let widths = values("width", of: "rect", in: svg)
        #expect(widths.count == 6)
        #expect(zip(widths, [30, 60, 30, 0, 0, 45]).allSatisfy { abs($0 - $1 * unit) < 0.02 })
        #expect(texts(svg).contains("1:15 - 2:00 \u{B7} soft"))
    }

    @Test("the rows of time brackets have the names of their players")
    func players() throws {
        let svg = try picture(
            "brackets: [{player: flute, start: 0:00, end: 1:00}, {player: a very long name, label: B, start: 1:15, end: 2:00}]"
        )
        #expect(texts(svg).contains("flute 1"))
        #expect(texts(svg).contains("a very long name B \u{B7} 1:15 - 2:00"))
    }

    @Test("pictures show the tempi that are played, where they change, with ramps")
    func tempi() throws {
        let text = """
            tempo: 96
            bars:
              - 4/4 x 4
              - {meter: 4/4, hit: 0:09}
              - 4/4 x 3
              - {meter: 3/4, hit: 0:20 by ramp}
              - 3/4 x 4
              - {meter: 4/4, hit: 0:30}
              - 4/4
              - {meter: 6/8, tempo: 1/4. = 60, hit: "0:42.5 at beat 4"}
            """
        let film = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let svg = String(decoding: try Format.svg.write(played(film)).bytes, as: UTF8.self)
        // As `check` tells them; the last bar changes at its fourth beat.
        #expect(
            Set(texts(svg).filter { $0.contains("1/4") })
                == [
                    "1/4 = 106.67", "to 1/4 = 70.39", "1/4 = 90", "1/4 = 46.08", "1/4. = 28.8", "1/4. = 60",
                ])
    }

    @Test("at another speed, a hit has the time at which it is heard, as its row has")
    func hitsAtSpeed() throws {
        for (hit, start, shown) in [
            ("0:04", "", "hit 0:08"), ("\"01:00:04:00\"", "timecode: 01:00:00:00 @ 25\n", "hit 01:00:08:00"),
        ] {
            let text = "tempo: 60\n\(start)bars: [4/4, {meter: 4/4, hit: \(hit)}]\n"
            let film = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
            let half = try #require(Speed(millionths: 500_000))
            let slow = PlayedScore(film, passage: Passage(Timeline(film)), speed: half)
            #expect(texts(String(decoding: try Format.svg.write(slow).bytes, as: UTF8.self)).contains(shown))
        }
    }

    @Test("tempi of sections and lines keep their note values and decimals, and lengths theirs where there is room")
    func asWritten() throws {
        let svg = try picture(
            """
            sections:
              - {label: A, tempo: 1/4. = 47.5, bars: [6/8 x 2]}
              - {label: B, lines: [{tempo: 1/8 = 151.125, bars: [6/8]}, {tempo: 1/4. = 47.5, bars: [6/8, 6.625]}]}
            """)
        #expect(texts(svg).filter { $0.contains(" = ") } == ["1/4. = 47.5", "1/8 = 151.125", "1/4. = 47.5"])
        #expect(texts(svg).contains("6.625"))
    }

    @Test("repeated lines are drawn once, with the number of repeats")
    func repeats() throws {
        let words = texts(try picture("lines: [{repeat: 900, bars: [1, 1, 1, 1]}]"))
        #expect(words.contains("\u{D7}900"))
        #expect(words.count { $0 == "1" } < 12)
    }

    @Test("a PDF has a page for every sheet and correct object offsets, and reports letters that it lacks")
    func pdf() throws {
        let text =
            "title: Étude für 日\nlines: [" + (1...40).map { "[1, 2, \($0)]" }.joined(separator: ",") + ", [4]]"
        let writing = try Format.pdf.write(played(try score(text)))
        #expect(writing.losses.contains("letters that the standard fonts of PDF lack are shown as ? (SVG has all)"))
        let bytes = writing.bytes
        let pdf = String(decoding: bytes.map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
        let pages = pdf.components(separatedBy: "/Type /Page /").count - 1
        #expect(pages > 1)
        #expect(pdf.contains("/Count \(pages) "))
        let table = try #require(pdf.components(separatedBy: "xref\n").dropFirst().first).split(separator: "\n")
        let places = table.dropFirst(2).prefix { $0.hasSuffix(" n ") }.compactMap { Int($0.prefix(10)) }
        #expect(places.count == 5 + 2 * pages)
        for (index, place) in places.enumerated() {
            #expect(String(decoding: bytes[place...].prefix(8), as: UTF8.self).hasPrefix("\(index + 1) 0 obj"))
        }
        #expect(pdf.hasSuffix("%%EOF\n"))
    }

    @Test("two thousand bars, every second of which is several rows long, make a small file")
    func size() throws {
        let bars = (0..<2000).map { Score.Bar(.seconds($0 % 2 == 0 ? 1 : 90)) }
        let score = Score(lines: [Score.Line(bars: bars)])
        #expect(try Format.svg.write(played(score)).bytes.count < 6_000_000)
        #expect(try Format.pdf.write(played(score)).bytes.count < 1_000_000)
    }

    @Test("a PDF's sheets contain the lines and words of the SVG")
    func packed() throws {
        let score = try score("title: Study\nlines: [[3, {duration: 2.7, hold: 4, cue: breathe}], [2, 5]]")
        let script = """
            import re, sys, zlib
            data = open(sys.argv[1], 'rb').read()
            page = b''.join(zlib.decompress(s) for s in re.findall(rb'FlateDecode >>\\nstream\\n(.*?)\\nendstream', data, re.S))
            words = [bytes.fromhex(w.decode()).decode('cp1252') for w in re.findall(rb'<([0-9a-f]*)> Tj', page)]
            print(len(re.findall(rb' l$', page, re.M)), len(re.findall(rb' re$', page, re.M)))
            print('\\n'.join(words))
            """
        let folder = TemporaryFolder()
        try Data(try Format.pdf.write(played(score)).bytes).write(to: URL(fileURLWithPath: folder.path + "/a.pdf"))
        let said = try Child.output(of: ["/usr/bin/python3", "-c", script, folder.path + "/a.pdf"]).text
        let lines = said.split(separator: "\n").map(String.init)
        let svg = String(decoding: try Format.svg.write(played(score)).bytes, as: UTF8.self)
        #expect(Array(lines.dropFirst()) == texts(svg))
        let strokes = svg.components(separatedBy: "<path stroke=").dropFirst().map { $0.prefix { $0 != ">" } }
        let counts = [
            strokes.map { $0.count { $0 == "M" } }.reduce(0, +), svg.components(separatedBy: "<rect x").count - 1,
        ]
        #expect(lines.first == "\(counts[0]) \(counts[1])")
    }

    @Test("a picture with too many bars is refused")
    func tooMany() throws {
        let lines = (0..<7000).map { Score.Line(bars: [1, 2, Double($0 % 5 + 1)].map { .init(.seconds($0)) }) }
        #expect(
            message { try Format.svg.write(played(Score(lines: lines))) }
                == "a picture has at most 20 000 bars; show a part of the piece")
    }
}
