internal import Shared
internal import Testing

/// Numbers as large as a user can type: each is accepted, or reported in one error. Nothing traps.
@Suite struct ExtremeValueTests {
    private static let numbers = ["9223372036854775807", "-9223372036854775808", "999999999999999"]

    /// Options in which # stands for the number; others are values of requests.
    @Test("extreme numbers do not crash the parser") func options() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let (timeline, play) = (["timeline", "small.yaml"], ["play", "small.yaml", "--device", "nowhere"])
        let splits = ["splits", "5k", "in", "25:00"]
        let cases = [
            (timeline, "--times=#"), (timeline, "--realize=#"), (timeline, "--speed=#"), (play, "--count-in=#"),
            (play, "--grid=#/min"), (play, "--drone=A#"), (play, "--latency=#"), (play, "--at=12:00:#"),
            (play, "--click-channels=#"), (splits, "--step=-#s"), (splits, "--change=#=1s"), (splits, "--change=1=#s"),
            (["plan", "run 1:00"], "--fill=#km"), (["plan", "run 1:00", "-o", "x.fit"], "--tolerance=#"),
        ]
        for (command, option) in cases {
            for number in ExtremeValueTests.numbers {
                let option = option.replacing("#", with: number)
                let outcome = try await Program.run(command + [option], in: scratch)
                #expect([0, 64, 65, 69].contains(outcome.code), "\(option): \(outcome.code), \(outcome.errors)")
                let isTold = outcome.errors.hasPrefix("barline: error: ")
                #expect(outcome.code == 0 || isTold, "\(option): \(outcome.errors)")
            }
        }
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
}
