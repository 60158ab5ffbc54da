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
        "a stand whose terminal stops reading still ends, also by a crash, and restores the terminal",
        arguments: Stop.allCases, [SIGTERM, SIGSEGV])
    func ends(stop: Stop, signal: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", StoppedReaderTests.bars)
        try await TerminalSession.run(["play", "bars.yaml", "--device", "null", "--flash", "screen"], in: scratch) {
            session in
            try session.wait(for: ", bar ")
            try stop.stop(session)
            session.send(signal)
            #expect(try session.endUnread() == (signal == SIGTERM ? 0 : 128 + SIGSEGV))
            #expect(session.isAsBefore && session.showsCursor && !session.picture.isWhole)
        }
    }

    @Test("no boundary waits for a terminal that has stopped reading; once it goes on, it shows the newest picture")
    func goesOn() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", StoppedReaderTests.bars)
        try await TerminalSession.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch
        ) {
            session in
            try session.wait(for: ", bar ")
            try Stop.flowControl.stop(session)
            let begun = try scratch.rows("log.csv").count
            try session.wait(for: "ten more bars") { try scratch.rows("log.csv").count > begun + 10 }
            session.type("\u{11}")
            let played = try scratch.rows("log.csv").count / 2
            try session.wait(for: "the line that is played") {
                let lines = session.picture.rows.compactMap { try? #/line (\d+), bar /#.firstMatch(in: $0) }
                return lines.contains { Int($0.1).map { $0 >= played } == true }
            }
            session.type("q")
            try session.expectEnd(0)
        }
        let flags = try scratch.rows("log.csv").map { $0.split(separator: ",", omittingEmptySubsequences: false)[8] }
        #expect(flags.count > 10 && flags.allSatisfy(\.isEmpty), "\(flags)")
    }

    @Test(
        "other screens end, too, if their terminal stops reading, and a rendering can be interrupted",
        arguments: [
            (["pace"], "Tab row", [0, 128 + SIGTERM]), (["drone", "A4", "--device", "null"], "until Ctrl-C", [0]),
            (["render", "day.yaml", "-o", "day.wav", "--rate", "8000"], " s left", [130]),
        ])
    func othersEndToo(command: [String], shown: String, codes: [Int32]) async throws {
        let scratch = try Scratch()
        try scratch.write("day.yaml", "lines: [{repeat: 400, bars: [24:00:00]}]\n")
        try await TerminalSession.run(command, in: scratch) { session in
            try session.wait(for: shown)
            try Stop.flowControl.stop(session)
            // Keys that make the program draw.
            session.type("\td")
            session.send(codes == [130] ? SIGINT : SIGTERM)
            #expect(codes.contains(try session.endUnread()))
            #expect(session.isAsBefore && session.showsCursor)
        }
        #expect(try scratch.names == ["day.yaml"])
    }

    @Test("a pipe that nobody reads does not keep the program from ending")
    func aPipeThatNobodyReadsDoesNotKeepTheProgramFromEnding() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 1000000, bars: [0.001, 0.001]}]\n")
        let outcome = try await Program.run(
            ["play", "bars.yaml", "--device", "null"], in: scratch, output: .unread(until: { false })
        ) { running in
            if running.isFull { running.sendOnce(SIGTERM) }
        }
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
    }

    @Test("a slow reader gets every line") func aSlowReaderGetsEveryLine() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 3000, bars: [0.001]}]\n")
        // The output is twice as long as a pipe can hold.
        let outcome = try await Program.run(
            ["play", "bars.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch,
            output: .unread(until: { (try? scratch.rows("log.csv").count) == 3000 }))
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
}

extension Scratch {
    /// The rows of a timing log so far, without its header.
    fileprivate func rows(_ log: String) throws -> [Substring] {
        Array(String(decoding: try read(log), as: UTF8.self).split(separator: "\n").dropFirst())
    }
}
