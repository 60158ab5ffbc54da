internal import Glibc
internal import Shared
internal import Testing

/// How a performance whose output is a pipe ends, and the lines that it prints.
@Suite struct PlayEndTests {
    private static let title = "Metronome, 3600 bars, 1:00:00.0, 100%, no drone\n"

    @Test("a signal ends a performance normally", arguments: [SIGINT, SIGTERM, SIGHUP], [["--device", "null"], []])
    func aSignalEndsAPerformanceNormally(signal: Int32, device: [String]) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(["play", "metronome"] + device, in: scratch) { running in
            if running.text.contains("\n    1.1    0:00.000    1.000 s\n") { running.sendOnce(signal) }
        }
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix(PlayEndTests.title))
        #expect(outcome.text.contains("\nstopped at line 1, bar "))
        #expect(outcome.errors.contains("no sound card") == device.isEmpty)
    }

    @Test("a signal during the count-in is a normal end, too") func aSignalDuringTheCountInIsANormalEndToo()
        async throws
    {
        let outcome = try await Program.run(
            ["play", "metronome", "--count-in", "60", "--device", "null"], in: try Scratch()
        ) { running in
            if running.text.hasSuffix("\n") { running.sendOnce(SIGINT) }
        }
        // The signal may come before the first beat.
        let last = outcome.text.dropFirst(PlayEndTests.title.count)
        #expect(outcome.text.hasPrefix(PlayEndTests.title))
        #expect(["stopped in the count-in\n", "stopped before the start\n"].contains(last))
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    /// Bars of a millisecond, more than can be queued or printed in time.
    @Test("a score that is too dense for the queue still ends on request")
    func aScoreThatIsTooDenseForTheQueueStillEndsWhenItIsAskedTo() async throws {
        let scratch = try Scratch()
        try scratch.write("dense.yaml", "lines: [{repeat: 1000000, bars: [0.001]}]\n")
        let outcome = try await Program.run(["play", "dense.yaml", "--device", "null"], in: scratch) { running in
            if running.text.contains("\n 1000.1 ") { running.sendOnce(SIGINT) }
        }
        let last = outcome.text.split(separator: "\n").suffix(2)
        let line = last.first?.split(separator: " ").first?.split(separator: ".").first ?? "no line"
        #expect(last.last?.hasPrefix("stopped at line \(line), bar 1, ") == true)
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("in a pipe, a stop in a pause or in a hold ends where the music stood", arguments: [SIGTERM, SIGINT, SIGHUP])
    func stopWhileStanding(signal: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("hold.yaml", "bars: [0.2, {duration: 0.2, hold: until cue at 0.1}, 0.2, 0.2]\n")
        let arguments = ["play", "hold.yaml", "--wait", "--device", "null"]
        let outcome = try await Program.run(arguments, in: scratch) { running in
            if running.text.hasSuffix("holding\n") { running.sendOnce(signal) }
        }
        #expect(outcome.text.contains("    1.2 ") && !outcome.text.contains("    1.3 "))
        #expect(outcome.text.contains("holding\nstopped at line 1, bar 2, "))
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("the lines tell the time in the score, and how long a bar lasts at the speed")
    func theLinesTellTheTimeInTheScore() async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", "bars: [{duration: 0.1, cue: Go}, 0.2]\n")
        let outcome = try await Program.run(
            ["play", "brief.yaml", "--device", "null", "--speed", "50%", "--times", "2"], in: scratch)
        #expect(
            outcome.text == """
                4 bars, 0:01.2, 50%, no drone
                    1.1    0:00.000    0.200 s  Go
                    1.2    0:00.100    0.400 s
                    1.1    0:00.000    0.200 s  Go
                    1.2    0:00.100    0.400 s
                end

                """)
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("no escape sequence is written to a pipe") func noEscapeSequenceIsWrittenToAPipe() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        try scratch.write("bad.yaml", "bars: [x]\n")
        for command in [
            ["play", "small.yaml", "--flash", "screen"], ["render", "small.yaml", "-o", "x.wav"],
            ["check", "bad.yaml"],
            ["scores"],
            ["devices"], ["--help"],
        ] {
            let outcome = try await Program.run(command, in: scratch)
            #expect(!(outcome.text + outcome.errors).contains("\u{1B}"), "\(command)")
            #expect(!(outcome.text + outcome.errors).isEmpty || command[0] == "render", "\(command)")
        }
    }
}
