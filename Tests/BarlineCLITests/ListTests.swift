internal import Shared
internal import Testing

/// `check`, standard input, help and version.
@Suite struct ListTests {
    @Test("check reports all errors of several files, and the totals of the valid ones")
    func checkReportsAllErrorsOfSeveralFilesAndTheTotalsOfTheValidOnes() async throws {
        let scratch = try Scratch()
        try scratch.write("good.yaml", SampleTexts.small)
        try scratch.write("slow.csv", "label,duration\nA,90\n")
        try scratch.write(
            "bad.yaml",
            """
            tilte: Three mistakes
            lines:
              - bars: [3, -1]
              - bars: [2, x]

            """)
        try scratch.write("half.yaml", "speed: 50%\nbars: [1.5]\n")
        try scratch.write(
            "spring.plan",
            "week 1: {tue: 2x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)}\nweek 2: {wed: run 5k in 25:00}\n")
        try scratch.write("unknown.plan", "week 1: {\n  tue: run 1:00, run 400m\n}\n")
        try scratch.write(
            "cue.yaml", "tempo: 96\nbars:\n  - 4/4 x 11\n  - {meter: 4/4, hit: {time: 0:28.48, beat: 3}}\n")
        let files = [
            "good.yaml", "bad.yaml", "slow.csv", "half.yaml", "none.yaml", "spring.plan", "unknown.plan", "-",
            "cue.yaml",
            "run 0:05, rest until lap, run 0:05", "sequenza-vii",
        ]
        let outcome = try await Program.run(["check"] + files, in: scratch, input: Array("bars: [3, 2.7]\n".utf8))
        #expect(
            outcome.text == """
                good.yaml: 2 lines, 4 bars, 0:01.5
                slow.csv: 1 line, 1 bar, 1:30
                half.yaml: 1 line, 1 bar, 0:01.5, at 50% 0:03.000
                spring.plan: 2 weeks, 2 workouts, 31:36, 6.1 km, 5:11 /km
                unknown.plan: 1 week, 1 workout
                standard input: 1 line, 2 bars, 0:05.7
                cue.yaml: 1 line, 12 bars, 0:29.730
                  bars  written tempo  fitted tempo         change  hit at              time
                  1–12  1/4 = 96       1/4 = 96.91   +0.95%, +0.91  bar 12, beat 3  0:28.480
                plan: 3 intervals, at least 0:10, 1 until lap
                sequenza-vii.yaml: 13 lines, 169 bars, 4:53.8

                """)
        #expect(
            outcome.errors == """
                bad.yaml:1:1: error: a score has no key 'tilte'; did you mean 'title'?
                tilte: Three mistakes
                ^~~~~
                bad.yaml:3:15: error: a duration cannot be negative
                  - bars: [3, -1]
                              ^~
                bad.yaml:4:15: error: 'x' is not a duration, for example 2.7 or 1:30
                  - bars: [2, x]
                              ^
                barline: error: there is no file 'none.yaml'
                unknown.plan:2:18: error: the time of this interval is unknown; give it a pace, as in 400m @ 5:00/km, or set one for its kind, as in run: 5:00/km
                  tue: run 1:00, run 400m
                                 ^~~~~~~~

                """)
        #expect(outcome.code == 66, "\(outcome.errors)")
        let bad = try await Program.run(["timeline", "-"], in: scratch, input: Array("bars: [x]\n".utf8))
        #expect(
            bad.errors == """
                standard input:1:8: error: 'x' is not a duration, for example 2.7 or 1:30
                bars: [x]
                       ^

                """)
        #expect(bad.text == "" && bad.code == 65)
        #expect(try await Program.run(["check", "unknown.plan"], in: scratch).code == 65)
        // A file of another program on standard input is recognized, too.
        let written = try await Program.run(["plan", "2x(run 1:00, walk 1:00)", "-o", "x.fit"], in: scratch)
        #expect(written.code == 0)
        let piped = try await Program.run(["check", "-"], in: scratch, input: try scratch.read("x.fit"))
        #expect(piped.text.hasSuffix(": 4 intervals, 4:00\n"), "\(piped)")
    }

    @Test("every command has a help page, as has barline itself, and the version is three numbers")
    func helpAndVersion() async throws {
        let scratch = try Scratch()
        func fine(_ arguments: [String]) async throws -> String {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors == "" && outcome.code == 0, "\(arguments): \(outcome.errors)")
            return outcome.text
        }
        let all = try await fine(["--help"])
        for command in ["play", "render", "timeline", "check", "scores", "drone", "devices"] {
            let help = try await fine([command, "--help"])
            #expect(help.hasPrefix("OVERVIEW: ") && help.contains("\nUSAGE: barline \(command)"))
            #expect(all.contains("\n  \(command)  "))
        }
        #expect(try await fine(["help", "play"]) == (try await fine(["play", "--help"])))
        #expect(try await fine([]) == all)
        let version = try await fine(["--version"])
        let numbers = version.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        #expect(numbers.count == 3 && numbers.allSatisfy { Int($0) != nil } && version.last == "\n")
    }
}
