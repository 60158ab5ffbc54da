internal import Glibc
internal import Shared
internal import Testing

/// `play` at a terminal with a person at the keyboard.
@Suite struct TerminalTests {
    /// Bars so long that nothing moves by itself.
    static let keys = """
        title: Keys
        lines:
          - {label: First, bars: [60, 60]}
          - bars: [60, 60, 60]

        """
    static let stopped = "Keys: stopped at line "

    @Test("every key does what the help says") func everyKeyDoesWhatTheHelpSays() async throws {
        let (code, rows, isClean) = try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            try session.wait(for: "Space pause   ←→ bar   ↑↓ line   ? keys   q end")
            for (key, effects) in [
                (" ", ["PAUSED", "First"]),
                ("\u{1B}[C", ["line 1, bar 2 of 2  60.0 s of 60.0"]),
                ("\u{1B}[B", ["line 2, bar 1 of 3  60.0 s of 60.0"]),
                ("\u{1B}OC", ["line 2, bar 2 of 3  60.0 s of 60.0"]),
                ("\u{1B}[D", ["line 2, bar 1 of 3  60.0 s of 60.0"]),
                ("\u{1B}[A", ["line 1, bar 1 of 2  60.0 s of 60.0"]),
                ("g2.3\r", ["line 2, bar 3 of 3", "  then the end"]),
                ("gFirst\r", ["line 1, bar 1 of 2"]),
                ("g3:10\r", ["line 2, bar 2 of 3"]),
                ("gX\r", ["there is no label 'X' in the piece"]),
                ("g\u{7F}", ["? keys"]), ("g1\u{1B}", ["? keys"]),
                ("\u{1B}[H", ["line 1, bar 1 of 2"]),
                ("l", ["loop 1.1  pass 1"]), ("l", ["then bar 2, 60.0 s"]),
                ("L", ["loop 1.1 - 1.2  pass 1"]), ("o", ["0:00.0 of 5:00.0"]),
                ("[", ["loop from 1.1 …"]), ("\u{1B}[B", ["line 2, bar 1 of 3"]),
                ("]", ["loop 1.1 - 2.1  pass 1"]), ("o", ["of 5:00.0"]),
                ("PX\r", ["there is no practice program 'X'"]), ("Peach 2\r", ["1 of 2  pass 1"]),
                ("Psilent 1 of 2\r", ["silent 1 of 2"]), ("Poff\r", ["of 5:00.0"]),
                ("\u{1B}[H+", ["105%   A4 440.0"]), ("x\u{1B}[15~", ["clicks -5 dB"]), ("zz", ["clicks -7 dB"]),
                ("c", ["clicks off"]), ("c", ["clicks -7 dB"]),
                ("--", ["95%   A4 440.0"]), ("=", ["100%   A4 440.0"]), (">", ["101%"]), ("<<", ["99%"]),
                ("0", ["100%   A4 440.0   no drone"]),
                ("d", ["drone B4 493.88 Hz -24 dB"]), ("mmn", ["drone B4 493.88 Hz -23 dB"]), ("d", ["drone off"]),
                ("M", ["drone C5 523.25 Hz -23 dB"]), ("N", ["drone B4 493.88 Hz -23 dB"]),
                ("pA4\r", ["drone A4 440.00 Hz"]), ("pH4\r", ["'H4' is not a pitch"]),
                ("b", ["A4 440.1   drone A4 440.10 Hz"]), ("vB", ["A4 441.0"]), ("V", ["A4 440.0"]),
                ("i", ["jumps counted in"]),
                ("?", ["go to 5.7, a label, a time", "shift 10 ms later"]), ("\u{1B}", ["line 1, bar 1 of 2"]),
            ] {
                session.type(key)
                for effect in effects { try session.wait(for: effect) }
            }
            session.type("i ")
            try session.wait(for: "the music to go on") { session.picture.shows("PLAYING") }
            #expect(session.picture.shows("line 1, bar 1 of 2  "))
            session.type("q")
            return (try session.end(), session.picture.rows, session.isAsBefore && session.showsCursor)
        }
        #expect(code == 0)
        #expect(rows.count == 2 && rows[0].hasPrefix("Keys: stopped at line 1, bar 1, 0:0"), "\(rows)")
        #expect(isClean)
    }

    @Test("every end by a key leaves the terminal as it was", arguments: ["q", "Q", "\u{03}"])
    func everyEndByAKeyLeavesTheTerminalAsItWas(key: String) async throws {
        let (code, rows) = try await play([]) { session in
            #expect(session.isAsBefore)
            // What is shown at 60.0 may not have been heard yet.
            try session.wait(for: "line 1, bar 1 of 2  59.")
            #expect(!session.isAsBefore && !session.showsCursor)
            session.type(key)
            let code = try session.end()
            #expect(session.isAsBefore && session.showsCursor)
            return (code, session.picture.rows)
        }
        #expect(code == 0)
        #expect(rows[0] == "barline: no sound card: counting silently (--require-audio makes this an error)")
        #expect(rows[1].hasPrefix(TerminalTests.stopped + "1, bar 1, 0:0"))
        #expect(rows[1].hasSuffix(" of 5:00.0; no sound: counting silently"))
        #expect(rows.count == 3)
    }

    @Test("every end by a signal leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP])
    func everyEndByASignalLeavesTheTerminalAsItWas(signal: Int32) async throws {
        try await play(["--device", "null", "--flash", "screen"]) { session in
            try session.wait(for: "line 1, bar 1 of 2  59.")
            session.send(signal)
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
            #expect(session.picture.rows.count == 2 && session.picture.shows(TerminalTests.stopped + "1, bar 1"))
        }
    }

    /// The terminal is restored whether the fade ends in time or the second signal ends the program.
    @Test("repeated signals leave the terminal as it was, too") func repeatedSignalsLeaveTheTerminalAsItWasToo()
        async throws
    {
        try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            try session.wait(for: "the end") {
                session.send(SIGINT)
                return session.isAsBefore
            }
            let code = try session.end()
            #expect([0, 128 + SIGINT].contains(code))
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    /// For seconds, the terminal takes no output; no boundary waits for it.
    @Test("a terminal that stops reading does not change the sound")
    func aTerminalThatStopsReadingDoesNotChangeTheSound() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 25, bars: [0.2, 0.2]}]\n")
        try await TerminalSession.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log.csv", "--flash", "screen"], in: scratch
        ) { session in
            // The terminal is not read before the last bar is in the log.
            try session.wait(for: "the log of 50 bars") {
                session.isFull && ((try? scratch.read("log.csv"))?.count { $0 == UInt8(ascii: "\n") } ?? 0) > 50
            }
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
        }
        let rows = try String(decoding: scratch.read("log.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
        #expect(rows.count == 50)
        let flags = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[8] }
        #expect(flags.allSatisfy { $0.isEmpty })
    }

    @Test("a crash leaves the terminal as it was") func aCrashLeavesTheTerminalAsItWas() async throws {
        for signal in [SIGSEGV, SIGABRT, SIGILL, SIGBUS] {
            try await play(["--device", "null"]) { session in
                try session.wait(for: "line 1, bar 1 of 2  ")
                #expect(!session.isAsBefore)
                session.send(signal)
                #expect(try session.end() == 128 + signal)
                #expect(session.isAsBefore)
                #expect(session.showsCursor && !session.picture.isWhole)
            }
        }
    }

    @Test("a terminal that goes away ends the music") func aTerminalThatGoesAwayEndsTheMusic() async throws {
        try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.hangUp()
            try session.expectEnd(0)
        }
    }

    @Test("a natural end leaves the terminal as it was") func aNaturalEndLeavesTheTerminalAsItWas() async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", "title: Brief\ncomposer: Nobody\nbars: [0.1, 0.2]\n")
        try await TerminalSession.run(["play", "brief.yaml", "--device", "null"], in: scratch) { session in
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
            #expect(session.picture.rows == ["Brief · Nobody: played to the end", ""])
        }
    }

    @Test("flashes come only on request, in the requested colors")
    func flashesComeOnlyWhenAskedForInTheColorsAskedFor() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 100, bars: [0.25, {duration: 0.25, flash: 00ff00}]}]\n")
        let options = ["play", "bars.yaml", "--device", "null"]
        let colors = ["COLORTERM": "truecolor"]
        try await TerminalSession.run(
            options + ["--flash", "screen", "--flash-line-color", "0000ff"], in: scratch, environment: colors
        ) { session in
            try session.wait(for: "a flash") { session.text.contains("48;2;0;0;255m") }
            try session.wait(for: "the score's flash") { session.text.contains("48;2;0;255;0m") }
            session.type("q")
            try session.expectEnd(0)
        }
        try await TerminalSession.run(
            options + ["--flash", "screen"], in: scratch, environment: ["NO_COLOR": "1"]
        ) { session in
            try session.wait(for: "a flash") { session.text.contains("\u{1B}[0;7m") }
            session.type("q")
            try session.expectEnd(0)
            #expect(!session.text.contains("48;"))
        }
        try await TerminalSession.run(options, in: scratch, environment: colors) { session in
            try session.wait(for: "line 3, bar 1 of 2")
            session.type("f")
            try session.wait(for: "a flash") { session.text.contains("48;2;0;255;0m") }
            session.type("q")
            try session.expectEnd(0)
            let first = try #require(session.text.ranges(of: "48;2;").first)
            #expect(session.text[..<first.lowerBound].contains("line 3"))
        }
    }

    @Test("a hold waits for a key at a terminal, and nowhere else") func aHoldWaitsForAKeyAtATerminalAndNowhereElse()
        async throws
    {
        let scratch = try Scratch()
        let hold = "{duration: 0.2, hold: until cue}"
        try scratch.write("hold.yaml", "title: Hold\nlines: [[\(hold)], [\(hold)], [\(hold)], [\(hold)]]\n")
        try await TerminalSession.run(["play", "hold.yaml", "--device", "null"], in: scratch) { session in
            for (line, key) in [(1, " "), (2, "\r"), (3, "\u{1B}[6~")] {
                try session.wait(for: "line \(line), bar 1 of 1  hold, ")
                try session.wait(for: "HOLDING")
                session.type(key)
            }
            try session.wait(for: "line 4, bar 1 of 1  hold, ")
            try session.wait(for: "HOLDING")
            session.type("\r")
            try session.expectEnd(0)
        }
        let alone = try await Program.run(["play", "hold.yaml", "--device", "null"], in: scratch)
        #expect(alone.code == 0, "\(alone.errors)")
        #expect(alone.text.hasSuffix("4.1    0:00.600    0.200 s\nend\n"))
    }

    @Test("a test that waits for a text fails as soon as the program has ended without it") func waitsNoLonger()
        async throws
    {
        try await TerminalSession.run(["--version"], in: try Scratch()) { session in
            try session.wait(for: "0.")
            #expect(throws: Overdue.self) { try session.wait(for: "another text") }
        }
    }

    @Test("a program that a test starts has no descriptors of other tests") func inheritsNothing() async throws {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(number) }
        let seen = try await Program.run([], in: try Scratch(), wrapper: ["/bin/sh", "-c", "ls /proc/$$/fd; exit 0"])
        #expect(number > 2 && seen.text.split(separator: "\n") == ["0", "1", "2"], "\(seen.text)")
    }

    @Test("a test sees no picture that is half drawn, as a person does not") func seesWholePictures() {
        let (begin, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
        let first = begin + "\u{1B}[1;1Hline 2  28" + end
        var written = Substring(first + begin + "\u{1B}[1;6H3\u{1B}[1;9H30" + end + "\u{1B}[2;1H").unicodeScalars
        var (picture, seen) = (Picture(), Set<[String]>())
        picture.show(&written) {
            seen.insert($0.rows)
            return false
        }
        #expect(seen == [[""], ["line 2  28"], ["line 3  30"]])
        var half = Substring(begin + "\u{1B}[1;6H4").unicodeScalars
        picture.show(&half)
        #expect(picture.rows == ["line 3  30", ""] && half.isEmpty)
    }

    @Test("a drone prints one line, and a key ends it") func aDronePrintsOneLineAndAKeyEndsIt() async throws {
        try await TerminalSession.run(["drone", "--a4", "442", "--device", "null"], in: try Scratch()) { session in
            try session.wait(for: "drone B4 496.13 Hz, until Ctrl-C")
            #expect(!session.isAsBefore)
            session.type(" +\u{1B}[Cq")
            try session.expectEnd(0)
            #expect(session.picture.rows == ["drone B4 496.13 Hz, until Ctrl-C", ""])
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    private func play<Value: Sendable>(
        _ options: [String], _ body: @escaping @Sendable (TerminalSession) throws -> Value
    ) async throws -> Value {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        return try await TerminalSession.run(["play", "keys.yaml"] + options, in: scratch, body)
    }
}
