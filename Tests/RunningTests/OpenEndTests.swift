import Languages
import Running
import Scores
import Shared
import Testing

@Suite("Intervals until the lap button")
struct OpenEndTests {
    @Test(
        "several wordings of the lap button are read, and one is written",
        arguments: [
            ("run until lap", "run until lap"), ("rest until the lap button", "rest until lap"),
            ("run open", "run until lap"), ("until lap", "run until lap"), ("until lap walk", "walk until lap"),
            ("warm-up until lap", "warm-up until lap"), ("warm up UNTIL LAP", "warm-up until lap"),
            ("run \"Hill\" until cue", "run \"Hill\" until lap"), ("run until lap \"Hill\"", "run \"Hill\" until lap"),
            ("jog until lap @ 6:00/km", "run \"Jog\" until lap @ 6:00/km"),
            ("rest open ~ 2:00", "rest until lap about 2:00"),
            ("run until lap about 10:00 at 5:00/km", "run until lap @ 5:00/km about 10:00"),
            ("2x(run until lap, rest until lap)", "2x(run until lap, rest until lap)"),
        ])
    func words(text: String, written: String) throws {
        let read = try plan(text)
        #expect(read.parts.map(\.text) == [written])
        #expect(try plan(read.text) == read)
        #expect(Plan.isLikely(written))
    }

    @Test("a mistake is marked, and the message says what would be right")
    func faults() {
        #expect(
            RunningTests.faults("run until dawn") == """
                plan:1:11: error: an interval lasts until the lap button, or has a time or a distance, for example rest \
                until lap
                run until dawn
                          ^~~~
                """)
        #expect(RunningTests.faults("run until lap about 5:00/km").contains("this is not a time"))
        #expect(RunningTests.faults("run until lap @ 400m").contains("this is not a pace"))
        #expect(RunningTests.faults("run until lap about 1:00 about 2:00").contains("the time is given twice"))
    }

    @Test("time and distance are unknown unless the plan says about how long; a rest covers no distance")
    func extents() throws {
        let table = try PlanTable(
            plan("run: 5:00/km\nrun 10:00, rest until lap, run until lap, run until lap @ 4:00/km about 4:00"))
        #expect(table.rows.map(\.extent.time) == [.seconds(600), nil, nil, .seconds(240)])
        #expect(table.rows.map { $0.extent.distance?.meters.rounded() } == [2000, 0, nil, 1000])
        #expect(table.rows.map { $0.extent.pace?.value(in: .perKilometer).rounded() } == [300, nil, 300, 240])
        #expect(table.total.time == nil && table.total.distance == nil)
    }

    @Test("if a time is needed, the error says which interval has none")
    func unknown() throws {
        let open = try plan("run 1:00 @ 5:00/km, rest until lap")
        #expect(throws: PlanError.open(1)) { try open.score() }
        #expect(throws: PlanError.open(1)) { try Filling(.seconds(600), with: open) }
        #expect(throws: PlanError.open(1)) { try open.runPace(forTime: .seconds(600)) }
        #expect(RunningTests.faults("run 1:00, rest until lap, for 1:00:00").contains("rest until lap about 2:00"))
        #expect(
            message { try open.fitted(to: Distance(5, .kilometers), in: .seconds(1500)) }
                == "'rest until lap' ends with the lap button; give it a time, so that the plan can be fitted")
        #expect(try Filling(.seconds(600), with: open.estimating(.seconds(60))).repetitions == 5)
        #expect(try plan("run until lap, rest 0:30, forever").score(waits: true).isEndless)
    }

    @Test("live, an interval until the lap button is a hold until a cue; elsewhere it lasts about its time")
    func scores() throws {
        let open = try plan("cadence: 180\nrun 0:30, rest until lap, run until lap, walk 0:30")
        let bars = try open.score(waits: true).lines.flatMap(\.bars)
        #expect(bars.map { $0.details.holds } == [[], [Hold(.zero, waits: true)], [Hold(.zero, waits: true)], []])
        #expect(bars[1].duration == .milliseconds(1))
        #expect(
            bars.map(\.details.say) == [
                "Run, 30 seconds. Interval 1 of 4.", "Rest, until the lap button. Interval 2 of 4.",
                "Run, until the lap button. Interval 3 of 4.", "Walk, 30 seconds. Interval 4 of 4.",
            ])
        let closed = try open.estimating(.seconds(60)).score().lines.flatMap(\.bars)
        #expect(closed.map(\.duration) == [30, 60, 60, 30].map { .seconds($0) })
        #expect(closed.allSatisfy { $0.details.holds.isEmpty })
        #expect(closed[1].details.say == "Rest, 1 minute. Interval 2 of 4.")
    }

    @Test("the voice announces the lap button in five languages")
    func languages() throws {
        let said = try Language.allCases.map { language in
            try plan("run until lap").score(spoken: language, waits: true).lines[0].bars[0].details.say
        }
        #expect(
            Set(said) == [
                "Run, until the lap button.", "Laufen, bis zur Rundentaste.", "Courez, jusqu’à la touche Lap.",
                "Corre, hasta el botón de vuelta.", "Corri, fino al tasto Lap.",
            ])
    }

    @Test("random plans with open ends are written and read again, and closed by any time")
    func random() throws {
        var numbers = Seeded(state: 31)
        for _ in 0..<300 {
            var made = randomPlan(&numbers)
            made.parts += (0..<3).map { _ in
                var interval = randomInterval(&numbers)
                let about =
                    Bool.random(using: &numbers) ? Duration.seconds(Int.random(in: 1...999, using: &numbers)) : nil
                let pace = Bool.random(using: &numbers) ? Pace(.seconds(300), per: .kilometers) : nil
                interval.measure = .open(OpenEnd(about: about, pace: pace))
                return .group(2, [.interval(interval)])
            }
            #expect(try plan(made.text) == made)
            let closed = try made.estimating(.seconds(90)).closed()
            #expect(!closed.hasOpenEnds)
            #expect(try PlanTable(closed).rows.count == PlanTable(made).rows.count)
        }
    }
}
