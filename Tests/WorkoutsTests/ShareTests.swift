import Foundation
import Running
import Scores
import Shared
import Testing
import Formats

/// Workouts with shares of a threshold pace, against sums that this file computes from their numbers alone.
struct ShareTests {
    /// A step as numbers: whole seconds, or else meters, and percents of the threshold, as a range or a ramp.
    private struct Step {
        var seconds: Int?
        var meters: Int
        var first: Int
        var last: Int
        var isRamp: Bool

        /// The speed as a share of that at the threshold: the mean of the two.
        var share: Double { Double(first + last) / 200 }
        var length: String { seconds.map { "\($0 / 60)m\($0 % 60)s" } ?? "\(meters)mtr" }

        func time(_ threshold: Int) -> Double {
            seconds.map(Double.init) ?? Double(meters) / 1000 * Double(threshold) / share
        }
        func way(_ threshold: Int) -> Double {
            seconds.map { Double($0) * 1000 / Double(threshold) * share } ?? Double(meters)
        }
    }

    private struct Made {
        var threshold: Int
        var steps: [Step]
        /// How often all steps are done.
        var count: Int
        var time: Double { Double(count) * steps.reduce(0) { $0 + $1.time(threshold) } }
        var way: Double { Double(count) * steps.reduce(0) { $0 + $1.way(threshold) } }

        /// The workout as a plan, without its threshold.
        var plan: String {
            let parts = steps.map { step in
                let length = step.seconds.map { "\($0)s" } ?? "\(step.meters)m"
                let share =
                    step.first == step.last
                    ? "\(step.first)%" : step.isRamp ? "\(step.first)% to \(step.last)%" : "\(step.first)-\(step.last)%"
                return "run \(length) @ \(share)"
            }
            return "\(count)x(\(parts.joined(separator: ", ")))"
        }

        var setting: String { "threshold: \(threshold / 60):\(threshold % 60 < 10 ? "0" : "")\(threshold % 60)/km\n" }

        /// The workout as other programs write it for Zwift.
        var zwift: String {
            let steps = steps.map { step in
                let length = "Duration='\(step.seconds ?? step.meters)' pace='2'"
                let (a, b) = (Double(step.first) / 100, Double(step.last) / 100)
                return step.isRamp
                    ? "<Ramp \(length) PowerLow='\(a)' PowerHigh='\(b)'/>" : "<SteadyState \(length) Power='\(a)'/>"
            }
            let unit = self.steps[0].seconds == nil ? "distance" : "time"
            let all = (0..<count).flatMap { _ in steps }.joined(separator: "\n")
            return
                "<workout_file><sportType>run</sportType><durationType>\(unit)</durationType><workout>\(all)</workout></workout_file>"
        }

        /// The workout as intervals.icu writes it.
        var intervals: String {
            "\(count)x\n"
                + steps.map { step in
                    let share = step.first == step.last ? "\(step.first)%" : "\(step.first)-\(step.last)%"
                    return "- \(step.length) \(step.isRamp ? "ramp " : "")\(share) Pace\n"
                }.joined()
        }
    }

    /// The workout of a seed: each third by distances alone.
    private static func made(_ seed: Int, ranges: Bool = true) -> Made {
        var numbers = Seeded(state: UInt64(seed))
        let isWay = seed % 3 == 0
        let steps = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
            let first = Int.random(in: 55...110, using: &numbers)
            let kind = Int.random(in: 0..<3, using: &numbers)
            let last = kind == 0 || kind == 1 && !ranges ? first : first + Int.random(in: 4...20, using: &numbers)
            return Step(
                seconds: isWay ? nil : Int.random(in: 10...900, using: &numbers),
                meters: Int.random(in: 1...40, using: &numbers) * 100, first: first, last: last, isRamp: kind == 2)
        }
        return Made(
            threshold: Int.random(in: 200...420, using: &numbers), steps: steps,
            count: Int.random(in: 1...4, using: &numbers))
    }

    private static func totals(_ plan: Plan) throws -> (time: Double, way: Double) {
        let total = try PlanTable(plan).total
        return (try #require(total.time).inSeconds, try #require(total.distance).meters)
    }

    @Test("thirty workouts are as long as their numbers say, in every format that has shares", arguments: 1...30)
    func thirty(seed: Int) throws {
        let made = Self.made(seed)
        func check(_ plan: Plan, _ tolerance: Double, _ format: Format) throws {
            let (time, way) = try Self.totals(plan)
            #expect(abs(time / made.time - 1) < tolerance, "\(format): \(time) s, not \(made.time)")
            #expect(abs(way / made.way - 1) < tolerance, "\(format): \(way) m, not \(made.way)")
        }
        let plan = try Plan(runText: made.setting + made.plan)
        try check(plan, 1e-9, .plan)
        for format in Format.writtenPlans {
            let bytes = try format.write(plan, now: 0).bytes
            var again = try workout(bytes, format, warns: true)
            // A text of intervals.icu has no threshold.
            if format == .intervals { again.threshold = plan.threshold }
            if format == .csv { #expect(again.threshold == plan.threshold) }
            // FIT has speeds in whole mm/s, and the middle of a range of times per kilometer.
            try check(again, format == .fit ? 0.02 : 1e-6, format)
            if format != .fit { #expect(again.written.map(\.effort).allSatisfy { $0 != nil }, "\(format)") }
            if [.plan, .csv, .intervals].contains(format) {
                let efforts = try [plan, again].map { try PlanTable($0).rows.map(\.interval.effort?.text) }
                #expect(efforts[0] == efforts[1])
            }
        }
    }

    @Test(
        "thirty workouts of other programs have their paces with a threshold, and keep their shares without",
        arguments: 1...30)
    func others(seed: Int) throws {
        for (format, made) in [(Format.zwift, Self.made(seed, ranges: false)), (.intervals, Self.made(seed))] {
            let text = format == .zwift ? made.zwift : made.intervals
            var plan = try workout(Array(text.utf8), format)
            #expect(plan.lacksThreshold)
            let bytes = try format.write(plan, now: 0).bytes
            #expect(try workout(bytes, format, warns: true).written.map(\.effort) == (try plan.unfolded(format)))
            plan.threshold = Pace(.seconds(made.threshold), per: .kilometers)
            let (time, way) = try Self.totals(plan)
            #expect(abs(time - made.time) < 1e-6 * made.time && abs(way - made.way) < 1e-6 * made.way)
        }
    }

    @Test("an independent reader finds the shares of a Zwift file, and the speeds of a FIT file")
    func independent() throws {
        let text = "threshold: 5:00/km\nwarm-up 600s @ 60% to 80%, run 60s @ 95%, run 60s @ 78-82%, run 60s @ 140 bpm"
        let plan = try Plan(runText: text)
        let writing = try Format.zwift.write(plan, now: 0)
        let lines = try Python.run(
            """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            print(root.findtext('thresholdSecPerKm'))
            for e in root.find('workout'):
                print(e.tag, e.get('Power'), e.get('PowerLow'), e.get('PowerHigh'), e.get('pace'), *(t.get('message') for t in e))
            """, file: writing.bytes)
        #expect(
            lines == [
                "300.000", "Warmup None 0.60000 0.80000 2 Warm-up", "SteadyState 0.95000 None None 2 Run",
                "SteadyState 0.80000 None None 2 Run Target: 78-82%", "SteadyState 1 None None 4 Run Target: 140 bpm",
            ])
        #expect(
            writing.losses == [
                "a range, zone or ramp becomes one power and a message (in 'run 1:00 @ 78-82%')",
                "a heart rate becomes a message (in 'run 1:00 @ 140 bpm')",
            ])
        let again = try workout(writing.bytes, .zwift)
        #expect(again.parts == plan.parts && again.threshold == plan.threshold)
        let fit = try Python.run(
            """
            import sys
            from garmin_fit_sdk import Decoder, Stream
            for s in Decoder(Stream.from_file(sys.argv[1])).read()[0]['workout_step_mesgs']:
                print(s['target_type'], s['target_value'], s.get('custom_target_value_low'), s.get('custom_target_value_high'))
            """, file: try Format.fit.write(plan, now: 0).bytes)
        #expect(
            fit == ["speed 0 2000 2667", "speed 0 3117 3218", "speed 0 2600 2733", "heart_rate 0 240 240"])
    }

    @Test("heart rates, zones and ranges stay in every format, as targets or as words")
    func words() throws {
        let plan = try Plan(
            runText:
                "run 10:00 @ 140-150 bpm, run 10:00 @ Z2 HR, run 5:00 @ 70-80% HR, run 5:00 @ 85% LTHR, run 5:00 @ Z3, "
                + "run 5:00 @ 5:00-5:40/km, run 5:00 @ 6:00/km to 5:00/km, walk 1:00 @ 40%")
        for format in [Format.plan, .zwift, .intervals, .csv] {
            let again = try workout(try format.write(plan, now: 0).bytes, format, warns: true)
            #expect(again.written.map(\.effort?.text) == plan.written.map(\.effort?.text), "\(format)")
            #expect(again.written.map(\.kind) == plan.written.map(\.kind))
        }
        let writing = try Format.fit.write(plan, now: 0)
        #expect(
            writing.losses == [
                "a heart rate is left out if it is not in beats, in percent of the maximum, or one zone (in 'run 5:00 @ 85% LTHR')",
                "a ramp becomes the range of its paces (in 'run 5:00 @ 6:00/km to 5:00/km')",
                "the target of a walk or rest is left out (in 'walk 1:00 @ 40%')",
            ])
    }

    @Test("shares of other races than 10 km become those of 10 km by Riegel's formula, and a warning says so")
    func races() throws {
        let steps = (0...4).map { "<SteadyState Duration='60' Power='1' pace='\($0)'/>" }.joined()
        let text = "<workout_file><sportType>run</sportType><workout>\(steps)</workout></workout_file>"
        let reading = Format.zwift.plan(Array(text.utf8), file: "x")
        // (distance / 10 km) to the power of -0.06.
        #expect(
            reading.plan?.written.map(\.effort?.first) == [111.6, 104.2, 100, 95.6, 91.7])
        #expect(
            reading.diagnostics.map(\.message) == [
                "left out: shares of other races than 10 km, but for an estimate by Riegel's formula (4 times)"
            ])
    }
}

extension Plan {
    /// The efforts of the intervals as a format lists them: Zwift has no groups other than a run with a walk.
    fileprivate func unfolded(_ format: Format) throws -> [Effort?] {
        format == .zwift ? try PlanTable(self).rows.map(\.interval.effort) : written.map(\.effort)
    }
}
