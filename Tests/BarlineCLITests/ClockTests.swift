internal import Testing

/// The start time, the timing log, and the properties of a device that are kept between runs.
@Suite struct ClockTests {
    private static let score = "bars: [0.1, {duration: 0.2, label: \"B, b\"}, 0.15]\n"

    @Test("the timing log has a row for every boundary", arguments: ["system", "card"])
    func theTimingLogHasARowForEveryBoundary(clock: String) async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let played = try await Program.run(
            ["play", "score.yaml", "--times", "2", "--device", "null", "--clock", clock, "--timing-log", "log.csv"],
            in: scratch)
        #expect(played.code == 0 && played.errors == "", "\(played.errors)")
        let rows = String(decoding: try scratch.read("log.csv"), as: UTF8.self).split(separator: "\n")
        #expect(rows.first == "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar")
        #expect(rows.count == 7)
        for (row, start) in zip(rows.dropFirst(), ["0.0", "0.1", "0.3", "0.45", "0.55", "0.75"]) {
            #expect(row.contains("," + start.padding(to: start.hasPrefix("0.") ? 11 : 0) + ","))
        }
        #expect(rows[2].hasPrefix("2,\"B, b\",0.100000000,"))
        #expect(rows.allSatisfy { !$0.contains("lost") && !$0.contains("late") })
        let report = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(report.code == 0 && report.text.hasPrefix("bars   6, heard 6, lost 0, late 0\n"))
    }

    @Test("the summary is printed after the music") func theSummaryIsPrintedAfterTheMusic() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let played = try await Program.run(["play", "score.yaml", "--device", "null", "--summary"], in: scratch)
        #expect(played.code == 0, "\(played.errors)")
        #expect(played.text.contains("\nend\nbars   3, heard 3, lost 0, late 0\n"))
    }

    @Test("a log that cannot be written ends with exit code 73, before any sound")
    func aLogThatCannotBeWrittenEndsWithExitCode73BeforeAnySound() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let outcome = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--timing-log", "none/log.csv"], in: scratch)
        #expect(outcome.errors == "barline: error: 'none/log.csv' cannot be written: No such file or directory\n")
        #expect(outcome.text == "" && outcome.code == 73)
    }

    @Test("the music plays on when the log's disk is full") func theMusicPlaysOnWhenTheLogsDiskIsFull() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let outcome = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--timing-log", "/dev/full"], in: scratch)
        #expect(outcome.text.hasSuffix("end\n"))
        #expect(outcome.errors == "barline: error: '/dev/full' cannot be written: No space left on device\n")
        #expect(outcome.code == 73, "\(outcome.errors)")
    }

    @Test(
        "an invalid time of day ends with exit code 64",
        arguments: [
            "25:00", "12:60", "12", "12:00:00:00", "-1:00", "12:00:0x", "", "1200", "12:00:60", "12:00:00.1234",
        ])
    func anInvalidTimeOfDayEndsWithExitCode64(time: String) async throws {
        let outcome = try await Program.run(["play", "metronome", "--at", time], in: try Scratch())
        #expect(
            outcome.errors.hasPrefix(
                "barline: error: --at must be a time of day such as 20:15 or 20:15:00, not '\(time)'\n")
        )
        #expect(outcome.text == "" && outcome.code == 64)
    }

    @Test("a latency is remembered for its device") func aLatencyIsRememberedForItsDevice() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let told = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--latency", "-12.5"], in: scratch)
        #expect(told.code == 0 && told.errors == "", "\(told.errors)")
        let kept = String(decoding: try scratch.captured("home/.local/state/barline/cards.csv"), as: UTF8.self)
        #expect(kept == "device,ppm,uncertainty_ppm,latency_ms\nnull,0.0,100.0,-12.5\n")
    }

    @Test("a device plays with either output policy", arguments: ["rewind", "small"])
    func aDevicePlaysWithEitherOutputPolicy(policy: String) async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let outcome = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--output-policy", policy], in: scratch)
        #expect(outcome.code == 0 && outcome.text.hasSuffix("    1.3    0:00.300    0.150 s\nend\n"))
        let wrong = try await Program.run(["play", "score.yaml", "--output-policy", "big"], in: scratch)
        #expect(
            wrong.code == 64 && wrong.errors.contains("is not a value of --output-policy; write auto, rewind or small"))
    }
}

extension String {
    /// The text, padded with zeros to `count` characters.
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: "0", count: max(count - self.count, 0))
    }
}
