import Running
import Shared
import Testing
import Formats

@Suite("Intervals until the lap button in files of workouts")
struct OpenEndTests {
    private static let text =
        "warm-up until lap, 3x(run 400m @ 4:30/km, rest \"Breathe\" until lap @ 9:00/km about 2:00)"

    @Test(
        "a plan, a FIT file and a table keep intervals until the lap button",
        arguments: [Format.plan, .fit, .csv])
    func kept(format: Format) throws {
        let plan = try Plan(runText: Self.text)
        let again = try workout(try format.write(plan, now: 0).bytes, format)
        let (a, b) = (try PlanTable(plan).rows, try PlanTable(again).rows)
        #expect(a.map(\.interval.isOpen) == b.map(\.interval.isOpen))
        #expect(a.map(\.interval.label) == b.map(\.interval.label))
        #expect(format == .fit || a.map(\.interval) == b.map(\.interval))
    }

    @Test("Garmin's own reader sees intervals until the lap button as open steps")
    func garmin() throws {
        let writing = try Format.fit.write(try Plan(runText: Self.text), now: 0)
        let lines = try Python.run(
            """
            import sys
            from garmin_fit_sdk import Decoder, Stream
            messages, errors = Decoder(Stream.from_file(sys.argv[1])).read()
            assert not errors
            for s in messages['workout_step_mesgs']: print(s['duration_type'], s.get('duration_value'), s['intensity'])
            """, file: writing.bytes)
        #expect(
            lines == [
                "open None warmup", "distance 40000 active", "open None rest", "repeat_until_steps_cmplt 1 active",
            ])
        #expect(
            writing.losses == [
                "the pace of a walk or rest is left out (in 'rest \"Breathe\" until lap @ 9:00/km about 2:00')",
                "how long an interval until the lap button takes about is left out "
                    + "(in 'rest \"Breathe\" until lap @ 9:00/km about 2:00')",
            ])
    }

    @Test("a workout of intervals.icu has an estimate and the words press lap")
    func intervals() throws {
        let plan = try Plan(runText: "warm-up until lap about 10:00, run 1k @ 4:30/km, rest until lap about 1:30")
        let writing = try Format.intervals.write(plan, now: 0)
        #expect(
            String(decoding: writing.bytes, as: UTF8.self) == """
                - Warm-up 10m press lap
                - Run 1km 4:30/km Pace
                - Rest 1m30s press lap

                """)
        #expect(try workout(writing.bytes, .intervals).parts == plan.parts)
        let read = try workout(Array("- Press lap Hill 2km 5:00/km\n- easy press lap\n".utf8), .intervals)
        #expect(read.parts.map(\.text) == ["run \"Hill\" until lap @ 5:00/km about 10:00", "run \"easy\" until lap"])
    }

    @Test("a Zwift workout gets the estimate, with a warning; without an estimate, both formats ask for it")
    func zwift() throws {
        let plan = try Plan(runText: "run 5:00, rest until lap about 1:00")
        let writing = try Format.zwift.write(plan, now: 0)
        #expect(
            writing.losses == [
                "an interval until the lap button ends after the time that it takes about "
                    + "(in 'rest until lap about 1:00')"
            ])
        #expect(try PlanTable(try workout(writing.bytes, .zwift)).total.time == .seconds(360))
        let open = try Plan(runText: "run 5:00, rest until lap")
        for format in [Format.zwift, .intervals] {
            do {
                _ = try format.write(open, now: 0)
                Issue.record("\(format) was written")
            } catch {
                #expect(
                    "\(error)"
                        == "'rest until lap': this interval lasts until the lap button, so its time is unknown; say how "
                        + "long it takes about, as in rest until lap about 2:00, or for all with --open 2:00")
            }
        }
    }

    @Test("columns of tables and texts of intervals.icu that plans do not have are reported")
    func named() {
        #expect(
            said(Array("kind,time,notes,hr\nrun,0:30,easy,140\n".utf8), .csv)
                == "x:1:1: warning: left out: the column 'notes', the column 'hr'")
        #expect(
            said(Array("kind,time,distance,pace\nrun,5:00,1km,5:00/km\nrun,5:00,1km,6:00/km\n".utf8), .csv)
                == "x:1:1: warning: left out: paces other than those of time and distance")
        #expect(
            said(
                Array("Warmup\n- 10m Z2 HR\n\nMain Set 3x\n- 2km 4:00-4:10/km Pace\n- 90s 60%\nEnjoy!\n".utf8),
                .intervals)
                == "x:1:1: warning: left out: text that is not a step (2 times), "
                + "targets and text after a duration, other than a pace")
        #expect(
            said(Array("kind,time,until\nrun,0:30,never\n".utf8), .csv).contains(
                "'never' is not lap; write lap or nothing"))
    }
}
