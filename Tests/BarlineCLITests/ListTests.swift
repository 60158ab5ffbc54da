internal import Foundation
internal import Shared
internal import Testing

/// `check`, `scores`, help and version.
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
        let outcome = try await Program.run(
            ["check", "good.yaml", "bad.yaml", "slow.csv", "half.yaml", "sequenza-vii"], in: scratch)
        #expect(
            outcome.text == """
                good.yaml: 2 lines, 4 bars, 0:01.5
                slow.csv: 1 line, 1 bar, 1:30
                half.yaml: 1 line, 1 bar, 0:01.5, at 50% 0:03.000
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

                """)
        #expect(outcome.code == 65, "\(outcome.errors)")
    }

    @Test("check goes on after a missing file") func checkGoesOnAfterAMissingFile() async throws {
        let outcome = try await Program.run(["check", "nosuch.yaml", "metronome"], in: try Scratch())
        #expect(outcome.text == "metronome.yaml: 900 lines, 3600 bars, 1:00:00\n")
        #expect(outcome.errors == "barline: error: there is no file 'nosuch.yaml'\n")
        #expect(outcome.code == 66, "\(outcome.errors)")
    }

    @Test("scores lists the names and titles of the bundled scores")
    func scoresListsTheNamesAndTitlesOfTheBundledScores() async throws {
        let outcome = try await Program.run(["scores"], in: try Scratch())
        #expect(
            outcome.text == """
                irrational-meters  Irrational meters, after the notation of Mahnkopf's Prospero-Fragmente
                metronome          Metronome
                open-form          Open form, after the notation of Brown's Cross Sections
                run-walk-run       Run walk run
                sequenza-vii       Sequenza VII (1969)
                time-brackets      Time brackets, after the notation of Cage's Number Pieces
                until-the-sign     Until the sign, after the notation of Lutoslawski's Jeux venitiens

                """)
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("a copied score belongs to the user, and takes precedence over the bundled one")
    func aCopiedScoreBelongsToTheUserAndReplacesTheBundledOne() async throws {
        let scratch = try Scratch()
        let path = scratch.data + "/barline/scores/sequenza-vii.yaml"
        let copied = try await Program.run(["scores", "--copy", "sequenza-vii"], in: scratch)
        #expect(copied.text == path + "\n")
        #expect(copied.errors == "" && copied.code == 0)
        let bundled = try await Program.run(["check", "sequenza-vii"], in: scratch)
        #expect(bundled.text == "\(path): 13 lines, 169 bars, 4:53.8\n")

        try "title: Mine\nbars: [{duration: 7.5, label: Hold}]\n".write(
            toFile: path, atomically: false, encoding: .utf8)
        let again = try await Program.run(["scores", "--copy", "sequenza-vii"], in: scratch)
        #expect(again.errors == "barline: error: '\(path)' cannot be written: File exists\n")
        #expect(again.text == "" && again.code == 73)
        let timeline = try await Program.run(["timeline", "sequenza-vii", "--csv"], in: scratch)
        #expect(
            timeline.text
                == "index,section,line,bar,label,start_s,duration_s,number\n1,,1,1,Hold,0.000000000,7.500000000,1\n")
        let list = try await Program.run(["scores"], in: scratch)
        #expect(
            list.text.contains("sequenza-vii       Mine  (\(path))\n"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.data + "/barline/scores")
                == ["sequenza-vii.yaml"])
    }

    @Test("a copy that fails says why") func aCopyThatFailsSaysWhy() async throws {
        let scratch = try Scratch()
        let unknown = try await Program.run(["scores", "--copy", "sequenza"], in: scratch)
        #expect(
            unknown.errors
                == "barline: error: there is no bundled score 'sequenza'; did you mean 'sequenza-vii'?\n")
        #expect(unknown.text == "" && unknown.code == 66)
        try scratch.write("file", "")
        let blocked = try await Program.run(
            ["scores", "--copy", "metronome"], in: scratch, environment: ["XDG_DATA_HOME": scratch.folder + "/file"])
        #expect(
            blocked.errors
                == "barline: error: '\(scratch.folder)/file/barline/scores/metronome.yaml' cannot be written: "
                + "Not a directory\n")
        #expect(blocked.text == "" && blocked.code == 73)
        #expect(try scratch.names == ["file"])
    }

    @Test("a score that cannot be read is listed as such") func aScoreThatCannotBeReadIsListedAsSuch() async throws {
        let scratch = try Scratch()
        let folder = scratch.data + "/barline/scores"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "bars: [x]\n".write(toFile: folder + "/broken.yaml", atomically: false, encoding: .utf8)
        let outcome = try await Program.run(["scores"], in: scratch)
        let broken = "broken             cannot be read; `barline check broken` says why  (\(folder)/broken.yaml)\n"
        #expect(outcome.text.hasPrefix(broken + "irrational-meters  "))
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test(
        "every command has a help page",
        arguments: ["play", "render", "timeline", "check", "scores", "drone", "devices"])
    func everyCommandHasAHelpPage(command: String) async throws {
        let scratch = try Scratch()
        let help = try await Program.run([command, "--help"], in: scratch)
        #expect(help.text.hasPrefix("OVERVIEW: "))
        #expect(help.text.contains("\nUSAGE: barline \(command)"))
        #expect(help.errors == "" && help.code == 0)
        let other = try await Program.run(["help", command], in: scratch)
        #expect(other.text == help.text && other.code == 0)
        let all = try await Program.run(["--help"], in: scratch)
        #expect(all.text.contains("\n  \(command)  "))
        #expect(all.errors == "" && all.code == 0)
    }

    @Test("barline without arguments shows its help") func barlineWithoutArgumentsShowsItsHelp() async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run([], in: scratch)
        let help = try await Program.run(["--help"], in: scratch)
        #expect(outcome.text == help.text)
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("the version is three numbers") func theVersionIsThreeNumbers() async throws {
        let outcome = try await Program.run(["--version"], in: try Scratch())
        let numbers = outcome.text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        #expect(numbers.count == 3 && numbers.allSatisfy { Int($0) != nil } && outcome.text.last == "\n")
        #expect(outcome.errors == "" && outcome.code == 0)
    }
}
