import Application
import Running
import Scores
import Shared
import Testing
import Timing
import UserSettings

/// Numbers as large as a user can type: each is accepted, or reported in one error. Nothing traps.
@Suite struct ExtremeValueTests {
    fileprivate static let numbers = ["9223372036854775807", "-9223372036854775808", "999999999999999"]

    /// Carries out requests into which `set` puts a text with each of the numbers in place of #. A text that cannot be
    /// read is refused by the command line.
    fileprivate static func expectNoTrap<Request: Sendable>(
        _ request: Request, in home: Home, _ carryOut: @escaping @Sendable (Request) async throws -> Void,
        _ cases: [(text: String, set: (inout Request, String) throws -> Void)]
    ) async throws {
        for (text, set) in cases {
            for number in numbers {
                var changed = request
                let value = text.replacing("#", with: number)
                do { try set(&changed, value) } catch {
                    #expect(!"\(error)".isEmpty)
                    continue
                }
                let wanted = changed
                let told = try await home.told { try await carryOut(wanted) }
                #expect([0, 64, 65, 69].contains(told.code), "\(value): \(told)")
                #expect(told.code == 0 || told.errors.hasPrefix("barline: error: "), "\(value): \(told.errors)")
            }
        }
    }

    @Test("extreme numbers do not crash timeline") func ofAWalk() async throws {
        let home = Home()
        let request = TimelineRequest(try home.write("small.yaml", SampleTexts.small))
        try await Self.expectNoTrap(
            request, in: home, { try $0.print() },
            [
                ("#", { $0.passage.from = $1 }), ("2.#", { $0.passage.from = $1 }), ("#.1", { $0.passage.to = $1 }),
                ("#.#", { $0.passage.to = $1 }), ("#", { $0.passage.speed = try Speed(scoreText: $1) }),
                ("#%", { $0.passage.speed = try Speed(scoreText: $1) }),
                ("#", { $0.passage.version.realize = try Score.realization(scoreText: $1) }),
            ])
    }

    @Test("extreme numbers do not crash splits and plans") func ofRuns() async throws {
        let home = Home()
        try await Self.expectNoTrap(
            SplitsRequest("5k in 25:00"), in: home, { try $0.print() },
            [
                ("#km", { $0.every = try Distance(runText: $1) }),
                ("#s", { $0.step = try Duration(runText: $1) * -1 }),
                ("#", { $0.changes = [(try #require(Int($1)), .seconds(1), false)] }),
                ("#s", { $0.changes = [(1, try Duration(runText: $1), false)] }),
            ])
        try await Self.expectNoTrap(
            PlanRequest("5x(run 1m, rest 1000h), walk 1:00"), in: home, { try $0.show() },
            [
                ("#km", { $0.fill = .distance(try Distance(runText: $1)) }),
                ("#s", { $0.target = try Duration(runText: $1) }),
                ("#m/s", { $0.paces[.run] = try Pace(runText: $1) }),
            ])
    }

    /// More than can be played or listed: pieces of 10 000 h, up to a million times, at down to a twentieth of the speed.
    @Test("a performance that would last too long is refused") func tooLong() async throws {
        let home = Home()
        let long = try home.write("long.yaml", "lines: [{repeat: 416, bars: [24:00:00]}]\n")
        let order = Array(repeating: "A", count: 10_000).joined(separator: ", ")
        let orders = try home.write(
            "orders.yaml",
            "order: o\norders: {o: [\(order)]}\nsections: [{label: A, lines: [{repeat: 416, bars: [24:00:00]}]}]\n")
        let (slow, ladder) = (try Speed(scoreText: "5%"), try PracticeProgram(scoreText: "ladder 5% 0.1% 1000%"))
        func render(_ score: String, times: Int?) async throws -> Told {
            try await home.told {
                var request = RenderRequest(score, to: home.folder("x.wav"))
                request.performance.passage.times = times
                try request.render()
            }
        }
        let refused = [
            try await home.timelineTold("long.yaml") { ($0.passage.times, $0.passage.speed) = (1_000_000, slow) },
            try await render(long, times: 1_000_000),
            try await home.play(long) { $0.performance.passage.times = 11 },
            try await home.play(long) { $0.practice.program = ladder },
        ]
        for told in refused {
            #expect(told.errors.hasSuffix("this would last more than 100 000 h; play less of it, or fewer times\n"))
            #expect(told.code == 64 && told.text == "", "\(told)")
        }
        let unread = [
            try await home.timelineTold("orders.yaml"), try await render(orders, times: nil),
            try await home.convert(orders, to: "x.csv"),
        ]
        for told in unread {
            #expect(told.errors.hasPrefix("orders.yaml:2:10: error: this order would last more than 100 000 h\n"))
            #expect(told.code == 65 && told.text == "", "\(told)")
        }
        #expect(home.files == ["long.yaml", "orders.yaml"])
    }

    @Test("the longest allowed performance is listed to its end") func longest() async throws {
        let home = Home()
        try home.folder.write("day.yaml", "lines: [[24:00:00]]\n")
        let text = try await home.timeline("day.yaml") {
            ($0.style, $0.passage.times, $0.passage.speed) = (.csv, 4166, try Speed(scoreText: "5%"))
        }
        #expect(text.hasSuffix("\n1,,1,1,,7197120000.000000000,1728000.000000000,1\n"))
    }
}

extension LiveTests {
    @Suite struct ExtremeValueTests {
        @Test("extreme numbers do not crash play") func ofAPlay() async throws {
            let home = Home()
            var request = PlayRequest(try home.write("small.yaml", SampleTexts.small))
            request.device[Setting.device] = "nowhere"
            let programs = ["column #", "column 1-#", "each #", "ladder # 1", "ladder 5 #"]
            try await ApplicationTests.ExtremeValueTests.expectNoTrap(
                request, in: home, { try await $0.play() },
                programs.map { ($0, { $0.practice.program = try PracticeProgram(scoreText: $1) }) } + [
                    ("1 of #", { $0.practice.silentBars = try Performance.Silence(scoreText: $1) }),
                    ("#", { $0.performance.countIn = try Setting.countIn.value($1) }),
                    (
                        "#/min",
                        {
                            let grid = try Grid(scoreText: $1)
                            $0.performance.clicks.others.add { $0.grid = grid }
                        }
                    ),
                    ("A#", { $0.performance.drone = try DroneChoice(text: $1) }),
                    ("#/1 of A4", { $0.performance.drone = try DroneChoice(text: $1) }),
                ])
        }
    }
}
