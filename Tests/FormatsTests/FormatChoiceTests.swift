import Formats
import Scores
import Testing

struct FormatChoiceTests {
    @Test(
        "the content of a sample determines its format if the name does not",
        arguments: [
            ("tempo-map.klick", ["x.txt", "standard input"]), ("etude-latin1.txt", ["x.txt", "standard input"]),
            ("etude-utf16.txt", ["x.txt", "standard input"]), ("points.txt", ["x.txt", "standard input"]),
            ("regions.csv", ["x.csv", "standard input"]), ("timeline.csv", ["x.csv", "standard input"]),
            ("tempo-map.mid", ["standard input", "x"]), ("study.soap", ["x.txt", "standard input"]),
        ])
    func content(name: String, files: [String]) throws {
        let right = try sampleScore(name).score
        for file in files { #expect(Score.read(try sample(name), file: file).score == right, "\(file)") }
    }

    @Test("every format has file extensions, and readable formats are recognized by them")
    func endings() {
        for format in Format.allCases {
            #expect(!format.extensions.isEmpty)
            for ending in format.extensions {
                #expect(
                    Format.candidates(fileName: "a.b.\(ending.uppercased())").contains(format) == format.canRead)
            }
        }
        #expect(Format.candidates(fileName: "x.txt", writing: true) == [.klick, .audacity])
        #expect(Format.candidates(fileName: "x.csv", writing: true) == [.csv])
        #expect(Format.candidates(fileName: "txt").isEmpty)
    }

    @Test("a picture cannot be read as a score", arguments: [Format.svg, .pdf])
    func pictures(format: Format) {
        let reading = Score.read(Array("x".utf8), file: "x.\(format.rawValue)", format: format)
        #expect(reading.score == nil)
        #expect(reading.diagnostics[0].message.hasSuffix("can be written, but not read"))
    }
}
