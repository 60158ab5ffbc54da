import Application
import Foundation
import Shared
import Testing

/// Summaries of timing logs.
@Suite struct ReportTests {
    private static let log = """
        index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags
        1,A,0.000000000,0.000010000,10.000,24000.000000,100.000,4.000,
        2,"b, c",1.000000000,,,72004.800000,102.000,4.000,lost
        3,,2.000000000,2.000020000,20.000,120009.600000,104.000,4.000,late xrun

        """
    private static let summary = """
        bars   3, heard 2, lost 1, late 1
        error  mean +15.000 µs, rms 5.000 µs and maximum 5.000 µs about it
        trend  +5.000000 µs per second, from +10.000 µs at time zero
        card   +102.000 ppm, 1 xrun

        """

    private static let tapped = """
        index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar
        1,A,0,0,0,0,0,0,,1,1
        1,A,0,0.01,0,0,0,0,tap,1,1
        2,,2,2,0,0,0,0,,1,2
        2,,2,2.11,0,0,0,0,tap,1,2
        3,,3,3,0,0,0,0,,2,1
        3,,3,3.01,0,0,0,0,tap,2,1
        4,,5,5,0,0,0,0,,2,2
        4,,5,5.31,0,0,0,0,tap,2,2
        5,,6,6,0,0,0,0,muted,3,1
        5,,6,6.21,0,0,0,0,tap,3,1

        """

    /// Reports about a log in this home; returns the exit code.
    private func report(
        _ file: String = "log.csv", in home: Home, _ change: (inout ReportRequest) -> Void = { _ in }
    ) async throws -> Int32 {
        var request = ReportRequest(file.hasPrefix("/") ? file : home.folder(file))
        change(&request)
        return try await home.run(request) { try $0.print() }
    }

    private func home(_ log: String = ReportTests.log) throws -> Home {
        let home = Home()
        try home.folder.write("log.csv", log)
        return home
    }

    @Test("a recording of a passage with too few clicks to be recognized is not denied")
    func few() async throws {
        let home = Home()
        let (score, recording) = (try home.write("few.yaml", "bars: [0.2 x 4]\n"), home.folder("few.wav"))
        #expect(try await home.run(RenderRequest(score, to: recording)) { try $0.render() } == 0, "\(home.errors)")
        #expect(try await report(score, in: home) { $0.recording = recording } == 65)
        #expect(home.errors.contains("by 5 clicks at least, and here the score has 4: "), "\(home.errors)")
    }

    @Test("a recording that fits several places of the score is set on the first, and a note says so")
    func several() async throws {
        let home = Home()
        let line = "{repeat: 4, bars: [0.7, 0.5, 0.9, 0.4, 0.8]}"
        let (score, recording) = (try home.write("lines.yaml", "lines: [\(line)]\n"), home.folder("lines.wav"))
        var rendering = RenderRequest(score, to: recording)
        rendering.performance.passage.from = "2.1"
        rendering.performance.passage.to = "3.5"
        #expect(try await home.run(rendering) { try $0.render() } == 0, "\(home.errors)")
        #expect(try await report(score, in: home) { $0.recording = recording } == 0)
        #expect(home.errors.contains("fits 3 places of the score equally well; the first is taken"), "\(home.errors)")
        #expect(home.text.hasPrefix("clicks 10, heard 10, lost 0, late 0\n") && !home.text.contains("card"))
    }

    @Test("a log is summarized and drawn, without color in a pipe") func aLogIsSummarizedAndDrawnWithoutColorInAPipe()
        async throws
    {
        let home = try home()
        #expect(try await report(in: home) == 0 && home.errors == "", "\(home.errors)")
        #expect(home.text.hasPrefix(Self.summary + "\n error in µs\n"))
        #expect(home.text.hasSuffix("× lost   ! late\n") && !home.text.contains("\u{1B}"))
        #expect(home.folder.contents == ["log.csv"])
    }

    @Test("the summary can be printed as JSON") func theSummaryCanBePrintedAsJSON() async throws {
        let home = try home()
        #expect(try await report(in: home) { $0.style = .json } == 0)
        let values = try #require(try JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Double])
        #expect(
            values == [
                "bars": 3, "heard": 2, "muted": 0, "lost": 1, "late": 1, "xruns": 1, "mean_us": 15, "rms_us": 5,
                "max_us": 5,
                "offset_us": 10, "slope_us_per_s": 5, "ppm": 102,
            ])
    }

    @Test("the picture is a complete SVG file, and replaces an older one")
    func thePictureIsACompleteSVGFileAndReplacesAnOlderOne() async throws {
        let home = try home()
        let picture = try home.write("picture.svg", "older")
        #expect(try await report(in: home) { $0.svg = picture } == 0)
        #expect(home.text.hasPrefix(Self.summary), "\(home.errors)")
        let svg = home.folder.text("picture.svg")
        #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("Timing error of log.csv") && svg.contains("class=\"lost\""))
        #expect(home.folder.contents == ["log.csv", "picture.svg"])
    }

    @Test("a row cut off by a crash gives a warning") func aRowCutOffByACrashGivesAWarning() async throws {
        let home = try home(Self.log + "4,,3.0000")
        #expect(try await report(in: home) == 0 && home.text.hasPrefix(Self.summary), "\(home.errors)")
        #expect(
            home.errors == """
                \(home.folder("log.csv")):5:1: warning: the last row is cut off and left out
                4,,3.0000
                ^~~~~~~~~

                """)
    }

    @Test("every place with bad data is reported") func everyPlaceWithBadDataIsReported() async throws {
        let home = try home(Self.log + "0,,3,3,0,0,0,0,\n5,,x,3,0,0,0,0,\n")
        #expect(try await report(in: home) { $0.svg = home.folder("picture.svg") } == 65 && home.text == "")
        #expect(
            home.errors.replacing(home.folder.path + "/", with: "") == """
                log.csv:5:1: error: index must be a whole number from 1 to 1000000000000000
                0,,3,3,0,0,0,0,
                ^
                log.csv:6:4: error: nominal_s must be a decimal number from -4000000000 to 4000000000
                5,,x,3,0,0,0,0,
                   ^

                """)
        #expect(home.folder.contents == ["log.csv"])
    }

    @Test(
        "a file that cannot be read or written gives one message",
        arguments: [
            ("missing.csv", nil, Int32(66), "error: there is no file '"),
            (".", nil, 66, "' is a folder\n"),
            ("/dev/zero", nil, 65, "'/dev/zero' is not a timing log: it is larger than 256 MiB"),
            ("log.csv", "no/x.svg", 73, "'HOME/no/x.svg' cannot be written: No such file or directory"),
            ("log.csv", ".", 73, "'HOME/.' cannot be written: Is a directory"),
            ("log.csv", "/dev/full", 73, "'/dev/full' cannot be written: No space left on device"),
            ("log.csv", "./log.csv", 73, "'HOME/./log.csv' is the log: give the picture another name"),
            ("log.csv", "x.png", 64, "'HOME/x.png' has no known extension: a picture of --svg is .svg"),
        ])
    func aFileThatCannotBeReadOrWrittenGivesOneMessage(file: String, svg: String?, code: Int32, message: String)
        async throws
    {
        let home = try home()
        let ended = try await report(file, in: home) { $0.svg = svg.map { $0.hasPrefix("/") ? $0 : home.folder($0) } }
        #expect(ended == code && home.text == "")
        #expect(home.errors.contains(message.replacing("HOME", with: home.folder.path)), "\(home.errors)")
        #expect(home.errors.hasPrefix("barline: error: ") && home.errors.count { $0 == "\n" } == 1)
        #expect(home.folder.contents == ["log.csv"] && home.folder.text("log.csv") == Self.log)
    }

    @Test("taps in a timing log show how long each bar was held, as text, JSON, CSV and a picture")
    func taps() async throws {
        let home = try home(Self.tapped)
        let code = try await report(in: home) { ($0.taps, $0.svg) = (true, home.folder("held.svg")) }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
        let lines = home.text.split(separator: "\n").map(String.init)
        #expect(
            lines[1].hasPrefix("       1.1  A        0.00    0.01  +0.01     2.00  2.10       +0.10   +5"),
            "\(lines[1])")
        #expect(lines.contains { $0.hasPrefix("       1     2              +0.20  +10") }, "\(home.text)")
        #expect(
            lines.last
                == "4 of 5 bars are measured, taps +110 ms from their boundaries, spread 148 ms, tempo 96.8 % of what is written"
        )
        #expect(home.folder.text("held.svg").hasSuffix("</svg>\n"))
        _ = try await report(in: home) { ($0.taps, $0.style) = (true, .json) }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Any])
        let bars = try #require(object["bars"] as? [[String: Any]])
        #expect(bars.count == 5 && object["measured"] as? Int == 4 && object["spare_taps"] as? Int == 0)
        #expect(bars[3]["held_s"] as? Double == 0.9 && bars[3]["place"] as? String == "2.2")
        _ = try await report(in: home) { ($0.taps, $0.style) = (true, .csv) }
        #expect(
            home.text.hasPrefix(
                "place,label,begins_s,tapped_s,late_s,written_s,held_s,difference_s,percent,begins_again\n"))
        #expect(home.text.contains("\n1.2,,2.000000,2.110000,0.110000,1.000000,0.900000,-0.100000,-10.00,false\n"))
        // The timing of the clicks is that of the boundaries alone.
        _ = try await report(in: home)
        #expect(home.text.hasPrefix("bars   5, heard 4, muted 1, lost 0, late 0\n"))
        #expect(home.text.contains("taps   5; --taps shows how long each bar was held\n"))
    }

    @Test("a log without taps is refused") func noTaps() async throws {
        let home = try home()
        #expect(try await report(in: home) { $0.taps = true } == 65)
        #expect(home.errors.contains("'log.csv' has no bar that was tapped"), "\(home.errors)")
    }
}
