internal import Foundation
internal import Testing

/// `report`.
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

    @Test("a log is summarized and drawn, without color in a pipe") func aLogIsSummarizedAndDrawnWithoutColorInAPipe()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log)
        let outcome = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.hasPrefix(Self.summary + "\n error in µs\n"))
        #expect(outcome.text.hasSuffix("× lost   ! late\n") && !outcome.text.contains("\u{1B}"))
        #expect(try scratch.names == ["log.csv"])
        let piped = try await Program.run(["report", "-"], in: scratch, input: Array(Self.log.utf8))
        #expect(piped.text == outcome.text && piped.code == 0)
    }

    @Test("the summary can be printed as JSON") func theSummaryCanBePrintedAsJSON() async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log)
        let outcome = try await Program.run(["report", "log.csv", "--json"], in: scratch)
        let values = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Double])
        #expect(
            values == [
                "bars": 3, "heard": 2, "lost": 1, "late": 1, "xruns": 1, "mean_us": 15, "rms_us": 5, "max_us": 5,
                "offset_us": 10, "slope_us_per_s": 5, "ppm": 102,
            ])
    }

    @Test("the picture is a complete SVG file, and replaces an older one")
    func thePictureIsACompleteSVGFileAndReplacesAnOlderOne() async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log)
        try scratch.write("picture.svg", "older")
        let outcome = try await Program.run(["report", "log.csv", "--svg", "picture.svg"], in: scratch)
        #expect(outcome.code == 0 && outcome.text.hasPrefix(Self.summary), "\(outcome.errors)")
        let svg = String(decoding: try scratch.read("picture.svg"), as: UTF8.self)
        #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("Timing error of log.csv") && svg.contains("class=\"lost\""))
        #expect(try scratch.names == ["log.csv", "picture.svg"])
    }

    @Test("a row cut off by a crash gives a warning") func aRowCutOffByACrashGivesAWarning() async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log + "4,,3.0000")
        let outcome = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(outcome.code == 0 && outcome.text.hasPrefix(Self.summary), "\(outcome.errors)")
        #expect(
            outcome.errors == """
                log.csv:5:1: warning: the last row is cut off and left out
                4,,3.0000
                ^~~~~~~~~

                """)
    }

    @Test("every place with bad data is reported") func everyPlaceWithBadDataIsReported() async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log + "0,,3,3,0,0,0,0,\n5,,x,3,0,0,0,0,\n")
        let outcome = try await Program.run(["report", "log.csv", "--svg", "picture.svg"], in: scratch)
        #expect(outcome.code == 65 && outcome.text == "", "\(outcome.errors)")
        #expect(
            outcome.errors == """
                log.csv:5:1: error: index must be a whole number from 1 to 1000000000000000
                0,,3,3,0,0,0,0,
                ^
                log.csv:6:4: error: nominal_s must be a decimal number from -4000000000 to 4000000000
                5,,x,3,0,0,0,0,
                   ^

                """)
        #expect(try scratch.names == ["log.csv"])
    }

    @Test(
        "a file that cannot be read or written gives one message",
        arguments: [
            (["missing.csv"], Int32(66), "there is no file 'missing.csv'"),
            (["."], 66, "'.' is a folder, not a timing log"),
            (["log.csv", "--svg", "no/x.svg"], 73, "'no/x.svg' cannot be written: No such file or directory"),
            (["log.csv", "--svg", "."], 73, "'.' cannot be written: Is a directory"),
            (["log.csv", "--svg", "/dev/full"], 73, "'/dev/full' cannot be written: No space left on device"),
            (["log.csv", "--svg", "./log.csv"], 73, "'./log.csv' is the log: give the picture another name"),
        ])
    func aFileThatCannotBeReadOrWrittenGivesOneMessage(arguments: [String], code: Int32, message: String) async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log)
        let outcome = try await Program.run(["report"] + arguments, in: scratch)
        #expect(outcome.code == code && outcome.text == "")
        #expect(outcome.errors == "barline: error: \(message)\n")
        #expect(try scratch.names == ["log.csv"])
        #expect(try scratch.read("log.csv") == Array(Self.log.utf8))
    }

    @Test("a file that never ends is refused") func aFileThatNeverEndsIsRefused()
        async throws
    {
        let outcome = try await Program.run(["report", "/dev/zero"], in: try Scratch())
        #expect(outcome.code == 65 && outcome.text == "", "\(outcome.errors)")
        #expect(outcome.errors == "barline: error: '/dev/zero' is not a timing log: it is larger than 256 MiB\n")
    }

    @Test("a standard output that cannot be written is an error") func aStandardOutputThatCannotBeWrittenIsAnError()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.log)
        let outcome = try await Program.run(["report", "log.csv"], in: scratch, output: .file("/dev/full"))
        #expect(outcome.code == 73, "\(outcome.errors)")
        #expect(outcome.errors == "barline: error: standard output cannot be written: No space left on device\n")
    }
}
