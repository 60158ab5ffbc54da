import Foundation
import Running
import Shared
import Testing
import Formats

/// Workouts that one library writes (fit-tool) and another reads (fitdecode); neither is Garmin's or ours.
@Suite("FIT workouts of other programs")
struct WildFITTests {
    private static let script = """
        import base64, io, random, sys
        from fit_tool.fit_file_builder import FitFileBuilder
        from fit_tool.profile.messages.file_id_message import FileIdMessage
        from fit_tool.profile.messages.workout_message import WorkoutMessage
        from fit_tool.profile.messages.workout_step_message import WorkoutStepMessage
        from fit_tool.profile.profile_type import (FileType, Intensity, Sport, WorkoutStepDuration as D,
                                                   WorkoutStepTarget as T)
        import fitdecode
        random.seed(int(sys.argv[2]))
        names = ['Übung', 'Côte', '丘を走る', 'Бег', 'Hill', 'Subida', 'Salita', None]
        steps = []
        def step(**fields):
            s = WorkoutStepMessage()
            s.message_index = len(steps)
            for key, value in fields.items(): setattr(s, key, value)
            steps.append(s)
        def simple():
            name = random.choice(names)
            fields = {'workout_step_name': name} if name else {}
            fields['intensity'] = random.choice([Intensity.ACTIVE, Intensity.REST, Intensity.RECOVERY, Intensity.INTERVAL])
            if random.random() < 0.3: fields |= {'notes': 'keep tall'}
            end = random.choice('tdo')
            if end == 't': fields |= {'duration_type': D.TIME, 'duration_time': random.randint(5, 1200) + random.choice([0, 0.5])}
            if end == 'd': fields |= {'duration_type': D.DISTANCE, 'duration_distance': random.randint(50, 5000)}
            if end == 'o': fields |= {'duration_type': D.OPEN}
            target = random.choice(['open', 'speed', 'zone', 'heart', 'power', 'cadence'])
            if target == 'open': fields |= {'target_type': T.OPEN}
            if target == 'speed':
                low = random.randint(2000, 5000) / 1000
                fields |= {'target_type': T.SPEED, 'target_value': 0, 'custom_target_speed_low': low,
                           'custom_target_speed_high': low + random.choice([0, 0.125])}
            if target == 'zone': fields |= {'target_type': T.SPEED, 'target_speed_zone': random.randint(1, 5)}
            if target == 'heart': fields |= {'target_type': T.HEART_RATE, 'target_hr_zone': random.randint(1, 5)}
            if target == 'power': fields |= {'target_type': T.POWER, 'target_value': 0, 'custom_target_power_low': 1200,
                                             'custom_target_power_high': 1250}
            if target == 'cadence': fields |= {'target_type': T.CADENCE, 'target_value': 0,
                                               'custom_target_cadence_low': 85, 'custom_target_cadence_high': 95}
            step(**fields)
        def group(depth):
            first = len(steps)
            for _ in range(random.randint(1, 3)):
                if depth < 2 and random.random() < 0.35: group(depth + 1)
                else: simple()
            step(duration_type=D.REPEAT_UNTIL_STEPS_CMPLT, duration_step=first, target_repeat_steps=random.randint(2, 5))
        step(intensity=Intensity.WARMUP, duration_type=D.OPEN, target_type=T.OPEN)
        for _ in range(random.randint(1, 4)):
            random.choice([simple, lambda: group(0)])()
        step(intensity=Intensity.COOLDOWN, duration_type=D.TIME, duration_time=300.0, target_type=T.OPEN)
        builder = FitFileBuilder(auto_define=True, min_string_size=50)
        head = FileIdMessage()
        head.type, head.manufacturer, head.product, head.time_created, head.serial_number = FileType.WORKOUT, 255, 0, 1_600_000_000_000, 7
        workout = WorkoutMessage()
        workout.workout_name, workout.sport, workout.num_valid_steps = 'Tuesday ' + sys.argv[2], Sport.RUNNING, len(steps)
        builder.add(head)
        builder.add(workout)
        builder.add_all(steps)
        data = builder.build().to_bytes()
        print(base64.b64encode(data).decode())
        # The other reader.
        found = []
        with fitdecode.FitReader(io.BytesIO(data)) as reader:
            for frame in reader:
                if not isinstance(frame, fitdecode.FitDataMessage): continue
                if frame.name == 'workout': print(frame.get_value('wkt_name'))
                if frame.name != 'workout_step': continue
                def raw(name): return frame.get_field(name).raw_value if frame.has_field(name) else None
                kind, value = raw('duration_type'), raw('duration_value')
                if kind == 6:
                    first = next(i for i, (index, _) in enumerate(found) if index >= value)
                    found[first:] = [(value, sum((s for _, s in found[first:]), []) * raw('target_value'))]
                    continue
                end = {0: f'{(value or 0) / 1000} s', 1: f'{(value or 0) / 100} m', 5: 'until lap'}[kind]
                low, high = raw('custom_target_value_low'), raw('custom_target_value_high')
                pace = '-'
                if raw('target_type') == 0 and low: pace = round((1e6 / low + 1e6 / high) / 2, 3)
                found.append((raw('message_index'), [(end, str(pace), frame.get_value('wkt_step_name', fallback=None) or '')]))
        for end, pace, name in sum((s for _, s in found), []): print(f'{end};{pace};{name}')
        """

    @Test("an independent reader sees the same title, steps, paces and totals", arguments: 1...8)
    func same(seed: Int) throws {
        let lines = try Python.run(Self.script, arguments: ["\(seed)"])
        let bytes = Array(try #require(Data(base64Encoded: lines[0])))
        let reading = Format.fit.plan(bytes, file: "x.fit")
        let plan = try #require(reading.plan, "\(reading.diagnostics.map { $0.rendered() })")
        #expect(reading.diagnostics.allSatisfy { $0.severity == .warning && $0.message.hasPrefix("left out: ") })
        #expect(plan.title == lines[1])
        let rows = try PlanTable(plan).rows
        let steps = lines.dropFirst(2).map {
            $0.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(try endings(plan) == steps.map { $0[0] })
        #expect(rows.map(\.interval.label) == steps.map { $0[2] })
        for (row, step) in zip(rows, steps) {
            let pace = row.extent.pace?.value(in: .perKilometer)
            #expect(((pace ?? 0) - (Double(step[1]) ?? 0)).magnitude < 0.01)
        }
        let seconds = steps.compactMap { $0[0].hasSuffix(" s") ? Double($0[0].dropLast(2)) : nil }.reduce(0, +)
        let timed = zip(rows, steps).compactMap { row, step in step[0].hasSuffix(" s") ? row.extent.time : nil }
        #expect((timed.reduce(Duration.zero, +).inSeconds - seconds).magnitude < 1e-6)
        // What is read can be written and read again.
        let again = try #require(
            Format.fit.plan(try Format.fit.write(plan, now: 0).bytes, file: "y").plan)
        #expect(try endings(again) == endings(plan))
    }

    /// A file by Garmin's writer with one step before the given one.
    private func read(_ steps: [String], sport: String = "running") throws -> Document {
        let lines = try Python.run(
            """
            import base64
            from garmin_fit_sdk import Encoder, Profile
            n = Profile['mesg_num']
            e = Encoder()
            e.write_mesg({'mesg_num': n['FILE_ID'], 'type': 'workout', 'manufacturer': 'garmin', 'product': 1,
                          'serial_number': 7, 'time_created': 1_000_000_000})
            e.write_mesg({'mesg_num': n['WORKOUT'], 'wkt_name': 'W', 'sport': '\(sport)', 'num_valid_steps': 2})
            def step(**fields): e.write_mesg({'mesg_num': n['WORKOUT_STEP'], **fields})
            step(message_index=0, duration_type='time', duration_value=60000, target_type='open')
            \(steps.enumerated().map { "step(message_index=\($0 + 1), \($1))" }.joined(separator: "\n"))
            print(base64.b64encode(e.close()).decode())
            """)
        return Format.fit.plan(Array(try #require(Data(base64Encoded: lines.joined()))), file: "x")
    }

    @Test(
        "a repeat that does not end after a number of times is refused with a reason",
        arguments: [
            ("repeat_until_distance", "some distance is done"),
            ("repeat_until_calories", "some calories are burnt"),
            ("repeat_until_hr_less_than", "the heart rate is below a limit"),
            ("repeat_until_power_greater_than", "the power is above a limit"),
        ])
    func repeats(type: String, why: String) throws {
        let reading = try read(["duration_type='\(type)', duration_value=0, target_value=600000"])
        #expect(reading.plan == nil)
        #expect(
            reading.diagnostics.map(\.message) == [
                "step 2 repeats earlier steps until \(why), which a plan cannot do"
            ])
    }

    @Test("a repeat until a time or a distance is written out as whole rounds, if it is known how long a round is")
    func repeatsUntil() throws {
        func texts(_ steps: String...) throws -> [String] {
            let reading = try read(steps)
            return (reading.plan?.parts.map(\.text) ?? []) + reading.diagnostics.map(\.message)
        }
        let run = "duration_type='time', duration_value=120000, target_type='open'"
        let repeated = "duration_type='repeat_until_time', duration_value=0, target_value="
        #expect(try texts(run, repeated + "540000") == ["3x(run 1:00, run 2:00)"])
        #expect(
            try texts(run, repeated + "600000") == [
                "4x(run 1:00, run 2:00)", "step 3 repeats earlier steps until 10:00; they are read as 4 rounds, 12:00",
            ])
        let way = "duration_type='distance', duration_value=40000, target_type='open'"
        let until = "duration_type='repeat_until_distance', duration_value=1, target_value=120000"
        #expect(try texts(way, until) == ["run 1:00", "3x(run 400m)"])
        #expect(
            try texts(way, repeated + "540000") == [
                "step 3 repeats earlier steps until some time has passed, which a plan cannot do"
            ])
        #expect(
            try texts(way, "duration_type='repeat_until_distance', duration_value=0, target_value=120000") == [
                "step 3 repeats earlier steps until some distance is done, which a plan cannot do"
            ])
    }

    @Test("zones and limits of speed and heart rate are read, and written as they were")
    func efforts() throws {
        let steps = [
            "target_type='speed', target_value=2", "target_type='heart_rate', target_value=3",
            "target_type='heart_rate', target_value=0, custom_target_value_low=240, custom_target_value_high=250",
            "target_type='heart_rate', target_value=0, custom_target_value_low=70, custom_target_value_high=80",
            "target_type='speed', target_value=0, custom_target_value_low=2500, custom_target_value_high=4000",
        ]
        let reading = try read(steps.map { "duration_type='time', duration_value=60000, " + $0 })
        #expect(reading.diagnostics.isEmpty)
        let plan = try #require(reading.plan)
        #expect(
            plan.written.compactMap(\.effort?.text) == ["Z2", "Z3 HR", "140-150 bpm", "70-80% HR", "4:10-6:40/km"])
        let writing = try Format.fit.write(plan, now: 0)
        #expect(writing.losses.isEmpty)
        #expect(try workout(writing.bytes, .fit) == plan)
    }

    @Test("a step that ends by a measurement becomes one until the lap button, with a warning")
    func measured() throws {
        let reading = try read([
            "duration_type='hr_greater_than', duration_value=250, target_type='heart_rate', target_value=3",
            "duration_type='calories', duration_value=100, target_type='open'",
        ])
        #expect(
            reading.diagnostics.map(\.message) == [
                "step 2 ends when the heart rate is above a limit; it is read as one until the lap button",
                "step 3 ends when some calories are burnt; it is read as one until the lap button",
            ])
        let plan = try #require(reading.plan)
        #expect(try endings(plan) == ["60.0 s", "until lap", "until lap"])
        #expect(plan.written[1].effort == Effort(.heartZone, 3))
    }

    @Test("targets that plans do not have, notes and other sports are reported")
    func named() throws {
        let reading = try read(
            [
                "duration_type='time', duration_value=1000, target_type='power', target_value=2, notes='Push'",
                "duration_type='time', duration_value=1000, target_type='cadence', target_value=0, notes='Push'",
                "duration_type='distance', duration_value=5000, target_type='swim_stroke', target_value=1",
            ], sport: "swimming")
        #expect(
            reading.diagnostics.map(\.message) == [
                "the workout is for swimming; it is read as one for runners",
                "left out: notes (2 times), targets of power, targets of cadence, targets of swim stroke",
            ])
        #expect(reading.plan != nil)
    }
}
