internal import Foundation
internal import Glibc
internal import Testing

/// Terminals and pipes that stop reading. The program still ends when it is asked to, and restores the terminal as far
/// as it can.
@Suite struct StoppedReaderTests {
    /// How a terminal stops taking output.
    enum Stop: CaseIterable {
        /// Ctrl-S.
        case flowControl
        /// Nobody reads the output: an emulator that hangs, a stalled connection.
        case unread

        /// Stops the terminal, and waits until it takes no more; the program has to keep drawing.
        func stop(_ session: TerminalSession) throws {
            if self == .flowControl { session.type("\u{13}") }
            try session.wait(for: "a terminal that takes nothing") { session.isFull }
        }
    }

    private static let bars = "title: Bars\nlines: [{repeat: 10000, bars: [0.2, 0.2]}]\n"

    @Test(
        "a stand whose terminal stops reading still ends, and restores the terminal", arguments: Stop.allCases,
        [SIGTERM, SIGINT, SIGHUP])
    func theStandEndsAndLeavesTheTerminalAsItWas(stop: Stop, signal: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", StoppedReaderTests.bars)
        try await TerminalSession.run(["play", "bars.yaml", "--device", "null", "--flash", "screen"], in: scratch) {
            session in
            try session.wait(for: "line 1, bar ")
            try stop.stop(session)
            session.send(signal)
            #expect(try session.endUnread() == 0)
            #expect(session.isAsBefore && session.showsCursor && !session.picture.isWhole)
        }
    }

    @Test("a crash restores a terminal that has stopped reading", arguments: Stop.allCases)
    func aCrashRestoresATerminalThatHasStoppedReading(stop: Stop) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", StoppedReaderTests.bars)
        try await TerminalSession.run(["play", "bars.yaml", "--device", "null", "--flash", "screen"], in: scratch) {
            session in
            try session.wait(for: "line 1, bar ")
            try stop.stop(session)
            session.send(SIGSEGV)
            #expect(try session.endUnread() == 128 + SIGSEGV)
            #expect(session.isAsBefore)
            #expect(session.showsCursor && !session.picture.isWhole)
        }
    }

    @Test("a stand shows the newest picture once its terminal goes on")
    func theStandShowsTheNewestPictureOnceItsTerminalGoesOn() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", StoppedReaderTests.bars)
        try await TerminalSession.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch
        ) {
            session in
            try session.wait(for: "line 1, bar ")
            try Stop.flowControl.stop(session)
            let begun = try scratch.rows("log.csv")
            try session.wait(for: "ten more bars") { try scratch.rows("log.csv") > begun + 10 }
            session.type("\u{11}")
            let shown = try scratch.rows("log.csv") / 2
            try session.wait(for: "the line that is played") {
                let lines = (shown...shown + 5).map { "line \($0), bar " }
                return lines.contains { session.picture.shows($0) }
            }
            session.type("q")
            try session.expectEnd(0)
        }
    }

    @Test(
        "other screens end, too, if their terminal stops reading",
        arguments: [["pace"], ["drone", "A4", "--device", "null"]])
    func othersEndToo(command: [String]) async throws {
        try await TerminalSession.run(command, in: try Scratch()) { session in
            try session.wait(for: command == ["pace"] ? "Tab row" : "until Ctrl-C")
            try Stop.flowControl.stop(session)
            // Keys that make the program draw.
            session.type("\td")
            session.send(SIGTERM)
            #expect([0, 128 + SIGTERM].contains(try session.endUnread()))
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    @Test("a rendering at a terminal that stops reading can be interrupted")
    func aRenderingAtATerminalThatStopsReadingCanBeInterrupted() async throws {
        let scratch = try Scratch()
        try scratch.write("day.yaml", "lines: [{repeat: 400, bars: [24:00:00]}]\n")
        try await TerminalSession.run(["render", "day.yaml", "-o", "day.wav", "--rate", "8000"], in: scratch) {
            session in
            try session.wait(for: " s left")
            try Stop.flowControl.stop(session)
            session.send(SIGINT)
            #expect(try session.endUnread() == 130)
        }
        #expect(try scratch.names == ["day.yaml"])
    }

    @Test("a pipe that nobody reads does not keep the program from ending", arguments: [SIGTERM, SIGINT])
    func aPipeThatNobodyReadsDoesNotKeepTheProgramFromEnding(signal: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 1000000, bars: [0.001, 0.001]}]\n")
        let outcome = try await Program.run(
            ["play", "bars.yaml", "--device", "null"], in: scratch, output: .unread(until: { false })
        ) { running in
            if running.isFull { running.sendOnce(signal) }
        }
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
    }

    @Test("a slow reader gets every line") func aSlowReaderGetsEveryLine() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 3000, bars: [0.001]}]\n")
        // The output is twice as long as a pipe can hold.
        let outcome = try await Program.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch,
            output: .unread(until: { (try? scratch.rows("log.csv")) == 3000 }))
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 3002)
        #expect(lines.last == "end")
        for (number, line) in lines.dropFirst().dropLast().enumerated() {
            let isNext = line.drop { $0 == " " }.hasPrefix("\(number + 1).1 ")
            #expect(isNext, "line \(number): \(line)")
            guard isNext else { break }
        }
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
    }

    @Test("a timing log that nobody reads does not stop the music") func aTimingLogThatNobodyReadsDoesNotStopTheMusic()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 3000, bars: [0.001]}]\n")
        let path = scratch.folder + "/log"
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        try #require(reader >= 0)
        let outcome = try await Program.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log"], in: scratch)
        #expect(outcome.text.hasSuffix("\nend\n"))
        #expect(outcome.errors == "barline: error: 'log' cannot be written: Resource temporarily unavailable\n")
        #expect(outcome.code == 73, "\(outcome.errors)")
    }
}

extension Scratch {
    /// How many rows a timing log has so far, without its header.
    fileprivate func rows(_ log: String) throws -> Int { try read(log).count { $0 == 0x0A } - 1 }
}
