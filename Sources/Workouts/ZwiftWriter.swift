internal import Running
internal import Scores

/// Writes Zwift workouts (.zwo): running, by time, or by distance if every interval is a distance.
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
            // Lengths are whole seconds or meters. Each is the difference of two rounded totals, so that their sum is
            // right.
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
        /// The index of the plan's written interval.
        var written: Int
        var length: Int64
        /// Whether no rounding was needed.
        var isExact: Bool

        /// Whether the other step repeats the same interval exactly.
        func isAlike(_ other: Step) -> Bool {
            written == other.written && length == other.length && isExact && other.isExact
        }
    }

    /// The number of times that a run and a walk or rest are repeated from the first step on, for Zwift's element for
    /// repeats; 1 if they are not.
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
        // Without a label the message is the name of the kind, which `ZwiftReader` recognizes.
        let message = interval.label.isEmpty ? interval.kind.name : interval.label
        return """
                    <\(name) Duration="\(length)" \(power) pace="0">
                        <textevent \(offset)="0" message="\(message.escapedForXML)"/>
                    </\(name)>

            """
    }
}
