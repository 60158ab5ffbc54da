internal import Running
internal import Score

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
                <name>\(escaped(plan.title.isEmpty ? "Plan" : plan.title))</name>
                <description></description>
                <sportType>run</sportType>
                <durationType>\(isDistance ? "distance" : "time")</durationType>
                <tags></tags>
                <workout>

            """
        var written = Int64(0)
        for row in rows {
            let end: Double
            if isDistance {
                end = row.total.distance?.metres ?? 0
            } else {
                guard let time = row.total.time else { throw WorkoutError(.noTime(row.written), plan) }
                end = time.inSeconds
            }
            // Whole seconds or metres, so that the sum is right: each is the difference of two rounded sums.
            let rounded = Int64(end.rounded())
            guard rounded > written else { continue }
            text += element(row.interval, length: rounded - written, isDistance)
            written = rounded
        }
        text += "    </workout>\n</workout_file>\n"
        return Array(text.utf8)
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
                        <textevent \(offset)="0" message="\(escaped(message))"/>
                    </\(name)>

            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
