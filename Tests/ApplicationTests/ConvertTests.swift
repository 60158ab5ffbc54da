import Application
import Foundation
import Formats
import Scores
import Shared
import Testing

/// Scores that are written in other formats.
@Suite struct ConvertTests {
    private static let piece = """
        title: Study
        drone: B4
        lines:
          - label: A
            bars: [3, 2.7, {duration: 2, label: Hold, cue: wait}]
          - bars: [{meter: 4/4, tempo: 1/4 = 72}, {meter: 3/4}, 1.5]
        """

    private func home() throws -> Home {
        let home = Home()
        try home.folder.write("piece.yaml", Self.piece)
        return home
    }

    private func convert(
        to file: String, in home: Home, _ change: (inout ConvertRequest) throws -> Void = { _ in }
    ) async throws -> Int32 {
        var request = ConvertRequest(home.folder("piece.yaml"), to: file == "-" ? file : home.folder(file))
        try change(&request)
        let wanted = request
        return try await home.run { try wanted.convert() }
    }

    /// The start times of a score's bars.
    private func starts(_ file: String, in home: Home) async throws -> [Double] {
        var request = TimelineRequest(home.folder(file))
        request.style = .csv
        let wanted = request
        let code = try await home.run { try wanted.print() }
        try #require(code == 0, "\(home.errors)")
        return home.text.split(separator: "\n").dropFirst().compactMap { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return Double(fields[fields.count - 2])
        }
    }

    @Test("a converted score has the same timeline", arguments: ["x.csv", "x.mid"])
    func aConvertedScoreHasTheSameTimeline(file: String) async throws {
        let home = try home()
        let code = try await convert(to: file, in: home)
        #expect(code == 0 && home.text.isEmpty, "\(home.errors)")
        let (one, two) = (try await starts("piece.yaml", in: home), try await starts(file, in: home))
        #expect(one.count == 6 && two.count == 6)
        #expect(zip(one, two).allSatisfy { abs($0 - $1) <= (file == "x.mid" ? 2e-5 : 1e-6) })
    }

    @Test("features that a format does not carry are reported, on standard error only")
    func featuresThatAFormatDoesNotCarryAreReportedOnStandardErrorOnly() async throws {
        let home = try home()
        let code = try await convert(to: "-", in: home) { $0.to = .score(.csv) }
        #expect(code == 0)
        #expect(
            home.errors == """
                barline: warning: a CSV table: the title is left out
                barline: warning: a CSV table: the drone is left out
                barline: warning: a CSV table: meters and tempi are written as seconds (in 2 bars, the first is 2.1)

                """)
        #expect(
            home.text == """
                line,bar,label,cue,duration
                1,1,A,,3
                1,2,,,2.7
                1,3,Hold,wait,2
                2,1,,,3.333333333333333333
                2,2,,,2.5
                2,3,,,1.5

                """)
    }

    @Test("an excerpt at another speed begins at zero") func anExcerptAtAnotherSpeedBeginsAtZero() async throws {
        let home = try home()
        let code = try await convert(to: "-", in: home) {
            ($0.to, $0.first, $0.last) = (.score(.audacity), "1.2", "Hold")
            $0.speed = try Speed(scoreText: "50%")
        }
        #expect(code == 0)
        #expect(
            home.text == """
                0.000000000\t5.400000000\t1.2
                5.400000000\t9.400000000\t1.3 Hold

                """)
    }

    @Test("pictures are written without a warning") func picturesAreWrittenWithoutAWarning() async throws {
        let home = try home()
        for file in ["x.svg", "x.pdf"] {
            let code = try await convert(to: file, in: home)
            #expect(code == 0 && home.errors.isEmpty, "\(home.errors)")
        }
        #expect(home.folder.contents == ["piece.yaml", "x.pdf", "x.svg"])
    }

    @Test("an impossible conversion says why, and writes nothing") func impossible() async throws {
        let home = try home()
        let cases: [(file: String, code: Int32, why: String, change: (inout ConvertRequest) throws -> Void)] = [
            ("x.txt", 64, "x.txt' may be in one of several formats: add --to klick or --to audacity", { _ in }),
            (
                "x.wav", 64,
                "x.wav' has no known extension: use one of .csv, .htm, .html, .klick, .labels, .mid, .midi, .pdf, ",
                { _ in }
            ),
            (
                "x", 64, "a Click Tracker score can be read, but not written; --to takes yaml, ",
                { $0.to = .score(.clickTracker) }
            ),
            (
                "x.yaml", 64, "a Barline score always has the whole score: --first, --last and --speed ",
                { $0.speed = try Speed(scoreText: "50%") }
            ),
            (
                "x.csv", 64, "--first 2.1 comes after --last 1.1: there is nothing to play",
                { ($0.first, $0.last) = ("2.1", "1.1") }
            ),
            (
                "x.html", 64, "--each-voice: a page that plays by itself has all voices",
                { $0.eachVoice = true }
            ),
            (
                "./piece.yaml", 73, "/./piece.yaml' is the score: give the new file another name",
                { $0.to = .score(.csv) }
            ),
            ("nowhere/x.csv", 73, "nowhere/x.csv' ", { _ in }),
        ]
        for (file, code, why, change) in cases {
            let ended = try await convert(to: file, in: home, change)
            #expect(ended == code && home.errors.contains(why), "\(file): \(home.errors)")
            #expect(home.folder.contents == ["piece.yaml"])
        }
    }
}
