internal import Shared
internal import Testing

/// Numbers as large as a user can type: each is accepted, or reported in one error. Nothing traps.
@Suite struct ExtremeValueTests {
    private static let numbers = ["9223372036854775807", "-9223372036854775808", "999999999999999"]

    /// Options in which # stands for the number.
    @Test(
        "extreme numbers do not crash timeline",
        arguments: [
            "--from=#", "--from=2.#", "--to=#.1", "--to=#.#", "--speed=#", "--speed=#%", "--times=#", "--realize=#",
        ])
    func ofAWalk(option: String) async throws {
        try await expectNoTrap(["timeline", "small.yaml"], option)
    }

    @Test(
        "extreme numbers do not crash play",
        arguments: [
            "--program=column #", "--program=column 1-#", "--program=each #", "--program=ladder # 1",
            "--program=ladder 5 #", "--silent-bars=1 of #", "--count-in=#", "--grid=#/min", "--drone=A#",
            "--drone=#/1 of A4",
            "--latency=#", "--at=12:00:#", "--click-channels=#",
        ])
    func ofAPlay(option: String) async throws {
        try await expectNoTrap(["play", "small.yaml", "--device", "nowhere"], option)
    }

    @Test(
        "extreme numbers do not crash splits",
        arguments: ["--every=#km", "--step=-#s", "--change=#=1s", "--change=1=#s"])
    func ofSplits(option: String) async throws {
        try await expectNoTrap(["splits", "5k", "in", "25:00"], option)
    }

    @Test("extreme numbers do not crash plan", arguments: ["--fill=#km", "--target=#s", "--run=#m/s"])
    func ofAPlan(option: String) async throws {
        try await expectNoTrap(["plan", "show", "5x(run 1m, rest 1000h), walk 1:00"], option)
    }

    /// Numbers and times typed on the stand, for a piece that ends and for one that loops.
    @Test("extreme numbers do not crash the stand", arguments: [[], ["--loop"]])
    func onTheStand(options: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        try await TerminalSession.run(["play", "small.yaml", "--device", "null"] + options, in: scratch) { session in
            try session.wait(for: "line 1, bar 1")
            let typed = ExtremeValueTests.numbers.flatMap { number in
                ["g2.#", "g#", "g#:59:59", "g9999:59:59", "Pcolumn 1-#", "Peach #", "Psilent 1 of #", "p#", "pA4+#c"]
                    .map { $0.replacing("#", with: number) }
            }
            for text in typed { session.type(text + "\r") }
            session.type("gnowhere\r")
            try session.wait(for: "there is no label 'nowhere'")
            session.type("q")
            try session.expectEnd(0)
        }
    }

    private func expectNoTrap(_ command: [String], _ option: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        for number in ExtremeValueTests.numbers {
            let option = option.replacing("#", with: number)
            let outcome = try await Program.run(command + [option], in: scratch)
            #expect([0, 64, 65, 69].contains(outcome.code), "\(option): \(outcome.code), \(outcome.errors)")
            #expect(outcome.code == 0 || outcome.errors.hasPrefix("barline: error: "), "\(option): \(outcome.errors)")
        }
    }

    /// More than can be played or listed: pieces of 10 000 h, up to a million times, at down to a twentieth of the
    /// speed.
    @Test(
        "a performance that would last too long is refused",
        arguments: [
            ["timeline", "long.yaml", "--times", "1000000", "--speed", "5%"],
            ["render", "long.yaml", "-o", "x.wav", "--times", "1000000"],
            ["play", "long.yaml", "--times", "11"],
            ["play", "long.yaml", "--program", "ladder 5% 0.1% 1000%"],
            ["timeline", "orders.yaml"], ["render", "orders.yaml", "-o", "x.wav"], ["convert", "orders.yaml", "x.csv"],
        ])
    func aPerformanceThatWouldLastTooLongIsRefused(arguments: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "lines: [{repeat: 416, bars: [24:00:00]}]\n")
        let order = Array(repeating: "A", count: 10_000).joined(separator: ", ")
        try scratch.write(
            "orders.yaml",
            "order: o\norders: {o: [\(order)]}\nsections: [{label: A, lines: [{repeat: 416, bars: [24:00:00]}]}]\n")
        let outcome = try await Program.run(arguments, in: scratch)
        #expect(outcome.errors.hasSuffix("this would last more than 100 000 h; play less of it, or fewer times\n"))
        #expect(outcome.code == 64 && outcome.text == "", "\(outcome.errors)")
        #expect(try scratch.names == ["long.yaml", "orders.yaml"])
    }

    @Test("the longest allowed performance is listed to its end") func theLongestAllowedPerformanceIsListedToItsEnd()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("day.yaml", "lines: [[24:00:00]]\n")
        let outcome = try await Program.run(
            ["timeline", "day.yaml", "--times", "4166", "--speed", "5%", "--csv"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.hasSuffix("\n1,,1,1,,7197120000.000000000,1728000.000000000,1\n"))
    }
}
