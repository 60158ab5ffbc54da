internal import Glibc
internal import Shared
internal import Testing

/// `play` at a terminal with a person at the keyboard. What each key does is tested with `Stand` and `Conductor`; here, that it
/// does so at a terminal.
@Suite struct TerminalTests {
    /// Bars so long that nothing moves by itself.
    static let keys = """
        title: Keys
        lines:
          - {label: First, bars: [60, 60]}
          - bars: [60, 60, 60]

        """

    @Test("keys and their sequences do what the help says, and the addresses of the pages are on the stand")
    func keys() async throws {
        let pages = ["--serve", "--lan", "--port", "0"]
        let (rows, isClean) = try await play("keys.yaml", ["--device", "null"] + pages, columns: 110) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            for (key, effects) in [
                (" ", ["PAUSED", "First"]),
                ("\u{1B}[C", ["line 1, bar 2 of 2  60.0 s of 60.0"]),
                ("\u{1B}[B", ["line 2, bar 1 of 3  60.0 s of 60.0"]),
                ("\u{1B}OC", ["line 2, bar 2 of 3  60.0 s of 60.0"]),
                ("\u{1B}[D", ["line 2, bar 1 of 3  60.0 s of 60.0"]),
                ("\u{1B}[A", ["line 1, bar 1 of 2  60.0 s of 60.0"]),
                ("g2.3\r", ["line 2, bar 3 of 3", "  then the end"]), ("gFirst\r", ["line 1, bar 1 of 2"]),
                ("gX\r", ["there is no label 'X' in the piece"]),
                ("l", ["loop 1.1  pass 1"]), ("l", ["then bar 2, 60.0 s"]), ("Peach 2\r", ["1 of 2  pass 1"]),
                ("Psilent 1 of 2\r", ["silent 1 of 2"]), ("o", ["of 5:00.0"]),
                ("\u{1B}[H+", ["105%   A4 440.0"]), ("x\u{1B}[15~", ["clicks -5 dB"]), ("c", ["clicks off"]),
                ("d", ["drone B4 493.88 Hz -24 dB"]), ("pA4\r", ["drone A4 440.00 Hz"]), ("B", ["A4 441.0"]),
                ("?", ["go to 5.7, a label, a time", "shift 10 ms later"]), ("\u{1B}", ["line 1, bar 1 of 2"]),
                ("a", ["only watch (address 1 of 2)", "█▀", "http://"]), ("a", ["control (address 2 of 2)", "█▀"]),
                ("\u{1B}", ["line 1, bar 1 of 2"]),
            ] {
                session.type(key)
                for effect in effects { try session.wait(for: effect) }
            }
            session.type(" ")
            try session.wait(for: "the music to go on") { session.picture.shows("PLAYING") }
            #expect(session.picture.shows("line 1, bar 1 of 2  "))
            session.type("q")
            try session.expectEnd(0)
            return (session.picture.rows.filter { !$0.isEmpty }, session.isAsBefore && session.showsCursor)
        }
        #expect(rows.last?.hasPrefix("Keys: stopped at line 1, bar 1, 0:0") == true, "\(rows)")
        #expect(isClean)
    }

    /// How a play ends.
    enum End: Sendable {
        case key(String)
        case signal(Int32)
        /// Until the terminal is as it was, whether the fade ends in time or the second signal ends the program.
        case signals
        case crash(Int32)

        static let all: [End] =
            ["q", "Q", "\u{03}"].map { .key($0) } + [SIGINT, SIGTERM, SIGHUP].map { .signal($0) } + [.signals]
            + [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGQUIT, SIGUSR1].map { .crash($0) }
    }

    @Test("however a play ends, the terminal is as it was", arguments: End.all)
    func ends(end: End) async throws {
        let isKey = if case .key = end { true } else { false }
        try await play("keys.yaml", isKey ? [] : ["--device", "null", "--flash", "screen"]) { session in
            // What is shown at 60.0 may not have been heard yet.
            try session.wait(for: "line 1, bar 1 of 2  5")
            #expect(!session.isAsBefore && !session.showsCursor)
            switch end {
            case .key(let key): session.type(key)
            case .signal(let number): session.send(number)
            case .signals:
                try session.wait(for: "the end") {
                    session.send(SIGINT)
                    return session.isAsBefore
                }
            case .crash(let number): session.send(number)
            }
            let code = try session.end()
            #expect(session.isAsBefore && session.showsCursor && !session.picture.isWhole)
            switch end {
            case .signals: return #expect([0, 128 + SIGINT].contains(code))
            case .crash(let number): return #expect(code == 128 + number)
            case .key, .signal: #expect(code == 0)
            }
            var rows = session.picture.rows
            #expect(rows.removeLast() == "" && rows.last?.hasPrefix("Keys: stopped at line 1, bar 1, 0:0") == true)
            guard isKey else { return #expect(rows.count == 1) }
            #expect(rows.last?.hasSuffix(" of 5:00.0; no sound: counting silently") == true, "\(rows)")
            #expect(
                rows.dropLast() == [
                    "barline: no sound card: counting silently (--require-audio makes this an error)"
                ])
        }
    }

    @Test("a terminal that goes away ends the music, and so does the end of the piece, which leaves one line")
    func naturalEnds() async throws {
        try await play("keys.yaml", ["--device", "null"]) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.hangUp()
            try session.expectEnd(0)
        }
        try await play("brief.yaml", ["--device", "null"]) { session in
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
            #expect(session.picture.rows == ["Brief · Nobody: played to the end", ""])
        }
    }

    @Test("a drone and calculators draw at a terminal, and at a plain one they only print what changes")
    func others() async throws {
        let drone = ["drone", "--a4", "442", "--device", "null"]
        try await TerminalSession.run(drone, in: try Scratch()) { session in
            try session.wait(for: "drone B4 496.13 Hz, until Ctrl-C")
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            session.type(" +\u{1B}[Cq")
            try session.expectEnd(0)
            #expect(session.picture.rows == ["drone B4 496.13 Hz, until Ctrl-C", ""])
            #expect(session.isAsBefore && session.showsCursor)
        }
        let scratch = try Scratch()
        for (command, steps) in [
            (drone, [("drone B4 496.13 Hz", "M"), ("drone C5 525.63 Hz", "d"), ("muted", "q")]),
            (["pace"], [("= time", "10\r"), ("0010.000 km", "q")]),
            (["plan", "edit", "new.plan"], [("a add", "arun 0:30\r"), ("> Run", "sq")]),
        ] {
            try await TerminalSession.run(command, in: scratch, environment: ["TERM": "dumb"]) { session in
                for (text, key) in steps {
                    try session.wait(for: text)
                    session.type(key)
                }
                try session.expectEnd(0)
                #expect(!session.text.contains("\u{1B}") && session.isAsBefore)
            }
        }
        #expect(String(decoding: try scratch.read("new.plan"), as: UTF8.self).contains("run 0:30"))
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

    private func play<Value: Sendable>(
        _ score: String, _ options: [String], columns: Int = 80,
        _ body: @escaping @Sendable (TerminalSession) throws -> Value
    ) async throws -> Value {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try scratch.write("brief.yaml", "title: Brief\ncomposer: Nobody\nbars: [0.1, 0.2]\n")
        return try await TerminalSession.run(["play", score] + options, in: scratch, columns: columns, body)
    }
}
