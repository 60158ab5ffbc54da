internal import Foundation
internal import Testing

/// Practice by options and by keys, checked with the timing log; and the state that is kept for the next session.
@Suite struct PracticeTests {
    /// The bars in a timing log, each with its nominal time in s and its frame.
    private static func log(_ scratch: Scratch) throws -> [(bar: Int, nominal: Double, frame: Double)] {
        try String(decoding: scratch.read("log.csv"), as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
            let fields = $0.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == 11, let bar = Int(fields[0]), let nominal = Double(fields[2]),
                let frame = Double(fields[5])
            else { return nil }
            return (bar, nominal, frame)
        }
    }

    private static func practiceLog(_ scratch: Scratch) throws -> [[String]] {
        let path = (scratch.environment["HOME"] ?? "") + "/.local/state/barline/practice.csv"
        return String(decoding: try Scratch.read(path), as: UTF8.self).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test("o leaves the loop of --loop: the music goes on after it, to the end of the piece")
    func leaveLoop() async throws {
        let scratch = try Scratch()
        try scratch.write("ones.yaml", "title: Ones\nbars: [0.4 x 9]\n")
        let loop = ["--loop", "--from", "3", "--to", "5", "--timing-log", "log.csv"]
        try await TerminalSession.run(
            ["play", "ones.yaml", "--count-in", "0", "--device", "null", "--plain"] + loop, in: scratch
        ) { session in
            try session.wait(for: "Ones, until stopped")
            // In the second pass, bars have no lines.
            try session.wait(for: "    1.5 ")
            session.type("o")
            try session.wait(for: "loop or program ended")
            try session.wait(for: "    1.9 ")
            try session.expectEnd(0)
            #expect(session.text.contains("\nend"))
        }
        let bars = try Self.log(scratch).map(\.bar)
        #expect(bars.starts(with: [3, 4, 5]) && Array(bars.suffix(4)) == [6, 7, 8, 9], "\(bars)")
    }

    @Test("a note that is not kept because nothing was played, or because there is no log, is told at the end")
    func lostNotes() async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nbars: [60, 60]\n")
        let play = ["play", "long.yaml", "--device", "null", "--plain"]
        try await TerminalSession.run(play + ["--count-in", "30"], in: scratch) { session in
            try session.wait(for: "q ends")
            session.type("kgood\r")
            try session.wait(for: "noted at 1.1: good")
            session.type("q")
            try session.wait(for: "what you noted is not kept: hardly anything was played")
            try session.expectEnd(0)
        }
        try await TerminalSession.run(play, in: scratch, environment: ["BARLINE_PRACTICE_LOG": "off"]) { session in
            try session.wait(for: "    1.1 ")
            session.type("k")
            try session.wait(for: "nothing is noted: the setting practice-log is off")
            session.type("q")
            try session.expectEnd(0)
        }
    }

    @Test("the practice log has the program, the silent bars, what the player noted, and the speed that sounded last")
    func notes() async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nlines: [[0.8, 60], [60, 60]]\n")
        let play = ["play", "long.yaml", "--count-in", "0", "--device", "null", "--plain"]
        try await TerminalSession.run(play + ["--silent-bars", "random 30% 42"], in: scratch) { session in
            // A session shorter than a hundredth of a minute is not logged.
            try session.wait(for: "    1.2 ")
            session.type("kgood\r")
            try session.wait(for: "noted at 1.2: good")
            session.type("Pfaster 2% every 3 to 120%\r")
            try session.wait(for: "practice program")
            session.type("g2.1\rktoo loud, here\r")
            try session.wait(for: "noted at 2.1: too loud, here")
            // A speed that is set in a pause has not sounded.
            session.type(" +")
            try session.wait(for: "speed 105%")
            session.type("q")
            try session.expectEnd(0)
        }
        let log = try await Program.run(["log", "--json"], in: scratch)
        #expect(log.text.contains("\"program\": \"faster 2% every 3 to 120%; silent random 30% 42\""), "\(log.text)")
        #expect(log.text.contains("\"marks\": \"1.2 good; 2.1 too loud, here\""), "\(log.text)")
        #expect(try Self.practiceLog(scratch).map { $0[3] } == ["100"])
    }

    @Test("a long set list keeps no files open") func aLongSetListKeepsNoFilesOpen() async throws {
        let scratch = try Scratch()
        try scratch.write("one.yaml", "title: one\nbars: [0.02]\n")
        // If each piece left two descriptors open, the limit would be exceeded.
        let pieces = Array(repeating: ["--then", "one.yaml"], count: 24).flatMap(\.self)
        let outcome = try await Program.run(
            ["play", "one.yaml"] + pieces + ["--device", "null"], in: scratch,
            wrapper: ["/usr/bin/prlimit", "--nofile=40"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count { $0.contains("1 bar") } == 25)
    }

    @Test("a key plays the next piece of a set list, and an end is the end of all") func setList() async throws {
        let scratch = try Scratch()
        try scratch.write("one.yaml", "title: one\nbars: [0.1]\n")
        try scratch.write("long.yaml", "title: long\nbars: [60]\n")
        try await TerminalSession.run(
            ["play", "long.yaml", "--then", "long.yaml", "--then", "one.yaml", "--device", "null"], in: scratch
        ) { session in
            try session.wait(for: "line 1, bar 1 of 1")
            session.type("\t")
            try session.wait(for: "the next piece") { session.text.ranges(of: "\u{1B}[?1049h").count == 2 }
            try session.wait(for: "PLAYING")
            session.type("q")
            try session.expectEnd(0)
            #expect(session.picture.rows.count { $0.hasPrefix("long: stopped") } == 2)
            #expect(!session.picture.shows("one"), "an end is the end of all")
        }
    }

    @Test("a score can be resumed where it was left") func aScoreCanBeResumedWhereItWasLeft() async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nlines: [{repeat: 5, bars: [60, 60, 60]}]\n")
        let play = ["play", "long.yaml", "--device", "null"]
        try await TerminalSession.run(play, in: scratch) { session in
            try session.wait(for: "line 1, bar 1 of 3  5")
            session.type("g3.2\r")
            try session.wait(for: "line 3, bar 2 of 3  5")
            session.type("L++")
            try session.wait(for: "110%")
            // A session shorter than a hundredth of a minute is not logged.
            try session.wait(for: "two seconds of it") {
                session.picture.rows.contains { $0.contains(#/ ([0-4]?\d|5[0-2])\.\d s of 54\.5/#) }
            }
            session.type("q")
            try session.expectEnd(0)
        }
        try await TerminalSession.run(play + ["--resume"], in: scratch) { session in
            try session.wait(for: "line 3, bar 2 of 3")
            try session.wait(for: "loop 3.1 - 3.3  pass 1")
            try session.wait(for: "110%")
            session.type("o")
            try session.wait(for: "of 15:00.0")
            session.type("q")
            try session.expectEnd(0)
        }
        try await TerminalSession.run(play + ["--resume", "--from", "2.1", "--speed", "90%"], in: scratch) { session in
            try session.wait(for: "line 2, bar 1 of 3")
            try session.wait(for: "90%")
            session.type("q")
            try session.expectEnd(0)
        }
        let log = try await Program.run(["log", "--csv"], in: scratch)
        #expect(log.text.contains(",Long,1.1-3.2,110,"), "\(log.text)")
        // A score that has become shorter.
        try scratch.write("long.yaml", "title: Long\nbars: [0.1, 0.1]\n")
        let gone = try await Program.run(play + ["--resume"], in: scratch)
        #expect(
            gone.code == 0 && gone.errors.contains("which is not played: it begins at the first bar"), "\(gone.errors)")
    }

    /// Every key that moves to another place, checked with the boundaries in the timing log.
    @Test("keys that move to another place change which bars are played")
    func keysThatMoveToAnotherPlaceChangeWhichBarsArePlayed() async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "lines: [{repeat: 6, bars: [30, 30, 0.2]}]\n")
        try await TerminalSession.run(
            ["play", "piece.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch
        ) { session in
            // The remaining time shows that a bar began a second ago: a bar that is left before it is heard, which can be
            // later than it should where threads are woken late, is not logged.
            for (key, effect) in [
                ("", "line 1, bar 1 of 3  28"), ("\u{1B}[C", "line 1, bar 2 of 3  28"),
                ("\u{1B}[B", "line 2, bar 1 of 3  28"), ("\u{1B}[B", "line 3, bar 1 of 3  28"),
                ("g2.1\r", "line 2, bar 1 of 3  28"), ("g4.2\r", "line 4, bar 2 of 3  28"),
                ("l\u{1B}[C", "loop 4.2  pass 2"), ("o", "of 6:01.2"), ("0\r", "line 4, bar 2 of 3  28"),
                ("g2:31\r", "line 3, bar 2 of 3  28"), ("g6.2\r", "line 6, bar 2 of 3  28"),
                ("\u{1B}[C", "played to the end"),
            ] {
                session.type(key)
                try session.wait(for: effect)
            }
            try session.expectEnd(0)
        }
        let bars = try PracticeTests.log(scratch).map(\.bar)
        #expect(bars == [1, 2, 4, 7, 4, 11, 11, 11, 8, 17, 18])
    }
}
