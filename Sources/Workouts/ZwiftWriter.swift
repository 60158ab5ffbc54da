internal import Running
internal import Scores

/// Writes Zwift workouts (.zwo): running, in time, or in distance where every interval is one.
enum ZwiftWriter {
    static func write(_ plan: Plan) throws(WorkoutError) -> [UInt8] {
        let plan = try plan.forFile()
        let rows = try plan.rows()
        let isDistance = plan.written.allSatisfy { if case .distance = $0.measure { true } else { false } }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <workout_file>
                <author>Barline</author>
                <name>\((plan.title.isEmpty ? "Plan" : plan.title).escapedForXML)</name>
                <description></description>
                <sportType>run</sportType>
                <durationType>\(isDistance ? "distance" : "time")</durationType>
                <tags></tags>
                <workout>

            """
        var steps: [Step] = []
        var (written, isExact) = (Int64(0), true)
        for row in rows {
            let end: Double
            if isDistance {
                end = row.total.distance?.meters ?? 0
            } else {
                guard let time = row.total.time else { throw WorkoutError(.noTime(row.written), plan) }
                end = time.inSeconds
            }
            // Whole seconds or meters, so that the sum is right: each is the difference of two rounded sums.
            let rounded = Int64(end.rounded())
            let wasExact = isExact
            isExact = abs(end - Double(rounded)) < 1e-6
            guard rounded > written else { continue }
            steps.append(
                Step(
                    interval: row.interval, written: row.written, length: rounded - written,
                    isExact: wasExact && isExact))
            written = rounded
        }
        while let step = steps.first {
            let count = repeats(steps)
            if count > 1 {
                text += repeated(step, steps[1], count)
            } else {
                text += element(step.interval, length: step.length, isDistance)
            }
            steps.removeFirst(count > 1 ? 2 * count : 1)
        }
        text += "    </workout>\n</workout_file>\n"
        return Array(text.utf8)
    }

    /// An interval in whole seconds or meters.
    private struct Step {
        var interval: Interval
        /// Which of the plan's written intervals it is.
        var written: Int
        var length: Int64
        /// Whether nothing is rounded.
        var isExact: Bool

        /// Whether it is the same interval again.
        func isAlike(_ other: Step) -> Bool {
            written == other.written && length == other.length && isExact && other.isExact
        }
    }

    /// How often a run and what is between two runs are repeated from the first step on, as Zwift's own element for that
    /// says it; 1 for not.
    private static func repeats(_ steps: [Step]) -> Int {
        guard steps.count >= 4, steps[0].interval.kind == .run, steps[1].written == steps[0].written + 1,
            [.walk, .rest].contains(steps[1].interval.kind),
            steps[0].interval.label.isEmpty, steps[1].interval.label.isEmpty
        else { return 1 }
        var count = 1
        while 2 * count + 1 < steps.count, steps[2 * count].isAlike(steps[0]), steps[2 * count + 1].isAlike(steps[1]) {
            count += 1
        }
        return count
    }

    private static func repeated(_ on: Step, _ off: Step, _ count: Int) -> String {
        """
                <IntervalsT Repeat="\(count)" OnDuration="\(on.length)" OffDuration="\(off.length)" OnPower="1" \
        OffPower="\(off.interval.kind == .rest ? "0.3" : "0.5")" pace="0"/>

        """
    }

    private static func element(_ interval: Interval, length: Int64, _ isDistance: Bool) -> String {
        let (name, power) =
            switch interval.kind {
            case .warmUp: ("Warmup", "PowerLow=\"0.5\" PowerHigh=\"0.75\"")
            case .coolDown: ("Cooldown", "PowerLow=\"0.75\" PowerHigh=\"0.5\"")
            case .run: ("SteadyState", "Power=\"1\"")
            case .walk: ("SteadyState", "Power=\"0.5\"")
            case .rest: ("SteadyState", "Power=\"0.3\"")
            }
        let offset = isDistance ? "distoffset" : "timeoffset"
        // The kind comes first, so that a reader of this program finds it again.
        let message = interval.label.isEmpty ? interval.kind.name : interval.label
        return """
                    <\(name) Duration="\(length)" \(power) pace="0">
                        <textevent \(offset)="0" message="\(message.escapedForXML)"/>
                    </\(name)>

            """
    }
}
