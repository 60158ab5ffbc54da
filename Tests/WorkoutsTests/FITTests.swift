import Foundation
import Running
import Shared
import Testing
import Formats

struct FITTests {
    /// A workout by Garmin's own writer, to whose encoder `e` a script adds messages with the numbers `n`.
    private func made(_ script: String) throws -> [UInt8] {
        let head = """
            import base64
            from garmin_fit_sdk import Encoder, Profile
            n = Profile['mesg_num']
            e = Encoder()
            e.write_mesg({'mesg_num': n['FILE_ID'], 'type': 'workout', 'manufacturer': 'garmin', 'product': 1,
                          'serial_number': 7, 'time_created': 1_000_000_000})

            """
        let lines = try Python.run(head + script + "\nprint(base64.b64encode(e.close()).decode())")
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }

    @Test("Garmin's own reader finds the right checksums, kinds, lengths, repeats and speeds")
    func independent() throws {
        let plan = try Plan(
            runText: """
                title: Düsseldorf
                run: 5:00/km
                warm-up 10:00, 6x(run 400m, walk 1:30), run 2k @ 4:30/km, rest 0:45.5, cool-down 5:00
                """)
        let lines = try Python.run(
            """
            import sys
            from garmin_fit_sdk import Decoder, Stream
            assert Decoder(Stream.from_file(sys.argv[1])).check_integrity()
            messages, errors = Decoder(Stream.from_file(sys.argv[1])).read()
            assert not errors, errors
            assert messages['file_id_mesgs'][0]['type'] == 'workout'
            print(messages['file_id_mesgs'][0]['time_created'].isoformat())
            workout = messages['workout_mesgs'][0]
            print(workout['sport'], workout['num_valid_steps'], workout['wkt_name'])
            for s in messages['workout_step_mesgs']:
                print(s['message_index'], s['wkt_step_name'], s['intensity'], s['duration_type'], s['duration_value'],
                      s['target_type'], s['target_value'], s.get('custom_target_value_low'),
                      s.get('custom_target_value_high'))
            """, file: try Format.fit.write(plan, now: 1_800_000_000).bytes)
        #expect(
            lines == [
                "2027-01-15T08:00:00+00:00", "running 7 Düsseldorf", "0 Warm-up warmup time 600000 open 0 None None",
                "1 Run active distance 40000 speed 0 3279 3390", "2 Walk recovery time 90000 open 0 None None",
                "3 Repeat active repeat_until_steps_cmplt 1 open 6 None None",
                "4 Run active distance 200000 speed 0 3636 3774",
                "5 Rest rest time 45500 open 0 None None", "6 Cool-down cooldown time 300000 open 0 None None",
            ])
    }

    @Test("a target that is wider or narrower than usual is reported when the file is read")
    func width() throws {
        let plan = try Plan(runText: "run 1km @ 5:00/km, run 1km @ 5:00/km, run 1km @ 9:59/km")
        for (seconds, count) in [(5, 0), (15, 3), (0, 3)] {
            let bytes = try Format.fit.write(plan, now: 0, WorkoutOptions(tolerance: .seconds(seconds))).bytes
            let said = Format.fit.plan(bytes, file: "x").diagnostics.map(\.message)
            #expect(
                said == (count > 0 ? ["left out: how much slower or faster than its pace a step may be (3 times)"] : [])
            )
        }
    }

    @Test("a workout that Garmin's own writer made is read with the same totals")
    func others() throws {
        let bytes = try made(
            """
            e.write_mesg({'mesg_num': n['WORKOUT'], 'wkt_name': 'Track', 'sport': 'running', 'num_valid_steps': 6})
            def step(index, **fields):
                e.write_mesg({'mesg_num': n['WORKOUT_STEP'], 'message_index': index, **fields})
            step(0, duration_type='time', duration_value=600000, target_type='open', intensity='warmup')
            step(1, wkt_step_name='Fast', duration_type='distance', duration_value=40000, target_type='speed',
                 target_value=0, custom_target_value_low=4000, custom_target_value_high=5000, intensity='active')
            step(2, duration_type='time', duration_value=60000, target_type='open', intensity='rest')
            step(3, duration_type='repeat_until_steps_cmplt', duration_value=1, target_value=4)
            step(4, duration_type='repeat_until_steps_cmplt', duration_value=1, target_value=2)
            step(5, duration_type='open', intensity='cooldown')
            """)
        let reading = Format.fit.plan(bytes, file: "track.fit")
        #expect(reading.diagnostics.isEmpty)
        let plan = try #require(reading.plan)
        #expect(plan.title == "Track")
        let table = try PlanTable(plan)
        #expect(table.rows.count == 1 + 2 * 4 * 2 + 1)
        // 400 m at the middle of 4:10 and 3:20 per kilometer, eight times.
        let seconds = try #require(table.rows[16].total.time).inSeconds
        #expect((seconds - (600 + 8 * (0.4 * 225 + 60))).magnitude < 1e-6)
        #expect(plan.written[1].text == "run \"Fast\" 400m @ 3:20-4:10/km")
        #expect(plan.written.map(\.name) == ["Warm-up", "Fast", "Rest", "Cool-down"])
        #expect(plan.written.last?.measure == .open(OpenEnd()))
    }

    @Test("whatever its label, a step keeps its kind and label, and a plan without a title stays without")
    func labels() throws {
        let labels = [
            "", "Recovery", "Walk the hill", "Rest pace", "Walk", "Run", "Warm-up drill", "warm up", "Cooldown", "Jog",
            "stand", "Easy", "Runner", "Cool-down", "Hügel",
        ]
        let plan = Plan(
            Interval.Kind.allCases.flatMap { kind in
                labels.map { .interval(Interval(kind, .time(.seconds(60)), label: $0)) }
            })
        let writing = try Format.fit.write(plan, now: 0)
        #expect(writing.losses == [])
        #expect(try workout(writing.bytes, .fit) == plan)
    }

    @Test("a file that is not a workout is refused, and a wrong checksum is reported")
    func refused() throws {
        let good = try Format.fit.write(try Plan(runText: "run 0:30"), now: 0).bytes
        var bad = good
        bad[bad.count - 1] ^= 1
        #expect(said(bad, .fit) == "x:1:1: warning: the checksum of the FIT file is wrong: it may be damaged")
        #expect(said(Array(good.dropLast(20)), .fit) == "x:1:1: error: the FIT file is cut off")
        #expect(said([1, 2, 3], .fit) == "x:1:1: error: this is not a FIT file")
        // The type of the file is right after the first definition.
        var activity = good
        let place = 14 + 6 + 3 * 5 + 1
        #expect(activity[place] == 5)
        activity[place] = 4
        #expect(said(activity, .fit).contains("this FIT file is not a workout"))
    }

    @Test("a file of thousands of nested repeats is refused with one error")
    func nested() throws {
        let bytes = try made(
            """
            e.write_mesg({'mesg_num': n['WORKOUT'], 'wkt_name': 'Deep', 'sport': 'running', 'num_valid_steps': 3})
            e.write_mesg({'mesg_num': n['WORKOUT_STEP'], 'duration_type': 'time', 'duration_value': 1000})
            for _ in range(20000):
                e.write_mesg({'mesg_num': n['WORKOUT_STEP'], 'duration_type': 'repeat_until_steps_cmplt',
                              'duration_value': 0, 'target_value': 1})
            """)
        let reading = Format.fit.plan(bytes, file: "x")
        #expect(reading.plan == nil)
        #expect(reading.diagnostics.map(\.message) == ["groups can be nested at most 16 deep"])
    }

    @Test("a heart rate is rounded to a whole number with a warning, and the target of a walk is lost once")
    func heartRates() throws {
        let plan = try Plan(runText: "run 1:00 @ 140.5 bpm, walk 1:00 @ 8:00/km, walk 1:00 @ 90-110 bpm")
        let writing = try Format.fit.write(plan, now: 0)
        #expect(
            writing.losses == [
                "a heart rate is rounded to a whole number (in 'run 1:00 @ 140.5 bpm')",
                "the pace of a walk or rest is left out (in 'walk 1:00 @ 8:00/km')",
                "the target of a walk or rest is left out (in 'walk 1:00 @ 90-110 bpm')",
            ])
        let again = try workout(writing.bytes, .fit)
        #expect(again.written.map(\.effort?.text) == ["141 bpm", nil, nil])
    }

    @Test("the target of a run is as wide as the tolerance, a walk has none, and the middle is read back")
    func tolerance() throws {
        let plan = try Plan(runText: "run: 5:00/km, walk: 10:00/km\nrun 10:00, walk 200m, rest 1:00, run 9.58s @ 10m/s")
        for seconds in [0, 1, 5, 30, 600, 1_000_000] {
            let writing = try Format.fit.write(plan, now: 0, WorkoutOptions(tolerance: .seconds(seconds)))
            #expect(writing.losses == ["the pace of a walk or rest is left out (in 'walk 200m')"])
            let rows = try PlanTable(try workout(writing.bytes, .fit, warns: true)).rows
            let paces = rows.map { $0.extent.pace?.value(in: .perKilometer) }
            #expect(((paces[0] ?? 0) - 300).magnitude < 0.2 && paces[1] == nil && paces[2] == nil)
            #expect(((paces[3] ?? 0) - 100).magnitude < 0.2)
        }
    }
}
