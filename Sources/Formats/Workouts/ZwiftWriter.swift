internal import Languages
internal import Running
internal import Scores

/// Writes Zwift workouts (.zwo): running, by time, or by distance if every interval is a distance.
///
/// A pace is a power, as a share of a threshold pace that the description states; a cadence is a text event.
enum ZwiftWriter {
    static func write(
        _ open: Plan, _ options: WorkoutOptions, _ losses: inout Losses
    ) throws(TextError) -> [UInt8] {
        for interval in open.written where interval.isOpen {
            losses.note(
                localized("an interval until the lap button ends after the time that it takes about"), in: interval)
        }
        let plan: Plan
        do throws(PlanError) { plan = try open.closed() } catch { throw TextError(error, open) }
        let threshold = ZwiftPower.threshold(of: plan, options)
        if let threshold, options.threshold == nil, plan.threshold == nil, !threshold.isOfPlan {
            losses.note(
                localized(
                    "paces are shares of a threshold pace of \(threshold.text), which Zwift takes for your pace over 10 km"
                )
                    + (options.namesOptions ? "; " + localized("--threshold sets yours") : ""))
        }
        for interval in plan.written {
            if threshold == nil, !(interval.effort?.isPace ?? false), plan.extent(interval).pace != nil {
                losses.note(
                    localized("a pace is left out: there is no threshold of which it could be a share"), in: interval)
            }
            let power = ZwiftPower(interval, plan.extent(interval).pace, threshold)
            guard let effort = interval.effort, !power.says(effort) else { continue }
            losses.note(
                effort.isPace
                    ? localized("a range, zone or ramp becomes one power and a message")
                    : localized("a heart rate becomes a message"), in: interval)
        }
        let rows = try plan.rows()
        let isDistance = plan.written.allSatisfy(\.measure.endsByDistance)
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <workout_file>
                <author>Barline</author>
                <name>\((plan.title.isEmpty ? WorkoutWords.noTitle : plan.title).escapedForXML)</name>
                <description>\(threshold?.description ?? "")</description>
                <sportType>run</sportType>\(threshold?.element ?? "")
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
                guard let time = row.total.time else { throw TextError(plan.unknownTime(row.written), plan) }
                end = time.inSeconds
            }
            // Lengths are whole seconds or meters. Each is the difference of two rounded totals, so that their sum is
            // right.
            let rounded = Int64(end.rounded())
            let wasExact = isExact
            isExact = abs(end - Double(rounded)) < 1e-6
            guard rounded > written else {
                losses.note(localized("an interval shorter than a second or meter is left out"), in: row.interval)
                continue
            }
            if !isExact {
                losses.note(
                    isDistance
                        ? localized("the end of an interval is rounded to a whole meter")
                        : localized("the end of an interval is rounded to a whole second"), in: row.interval)
            }
            if !isDistance, row.interval.measure.endsByDistance {
                losses.note(localized("a distance becomes the time that it takes"), in: row.interval)
            }
            steps.append(
                Step(
                    interval: row.interval, written: row.written,
                    power: ZwiftPower(row.interval, row.extent.pace, threshold), length: rounded - written,
                    isExact: wasExact && isExact))
            written = rounded
        }
        let groups = plan.parts.writtenInGroups()
        var rest = steps[...]
        while let step = rest.first {
            let count = repeats(rest)
            let cadence = step.interval.kind.isRunning ? plan.cadence : nil
            if count > 1 {
                text += repeated(step, rest[rest.startIndex + 1], count, cadence, isDistance)
            } else {
                text += element(step, cadence, isDistance)
                if groups.contains(step.written) {
                    losses.note(
                        localized("a group that IntervalsT cannot hold is written out"), in: step.interval)
                }
            }
            rest = rest.dropFirst(count > 1 ? 2 * count : 1)
        }
        text += "    </workout>\n</workout_file>\n"
        return Array(text.utf8)
    }

    /// An interval in whole seconds or meters.
    private struct Step {
        var interval: Interval
        /// The index of the plan's written interval.
        var written: Int
        var power: ZwiftPower
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
    private static func repeats(_ steps: ArraySlice<Step>) -> Int {
        let first = steps.startIndex
        guard steps.count >= 4 else { return 1 }
        let (on, off) = (steps[first], steps[first + 1])
        guard on.interval.kind == .run, off.written == on.written + 1, [.walk, .rest].contains(off.interval.kind),
            on.interval.label.isEmpty, off.interval.label.isEmpty, on.power.ramp == nil, off.power.ramp == nil,
            on.power.says(on.interval.effort), off.power.says(off.interval.effort),
            off.power.kind == off.interval.kind
        else { return 1 }
        var count = 1
        while 2 * count + 1 < steps.count, steps[first + 2 * count].isAlike(on),
            steps[first + 2 * count + 1].isAlike(off)
        {
            count += 1
        }
        return count
    }

    private static func repeated(_ on: Step, _ off: Step, _ count: Int, _ cadence: Int?, _ isDistance: Bool) -> String {
        let element = """
            IntervalsT Repeat="\(count)" OnDuration="\(on.length)" OffDuration="\(off.length)" \
            OnPower="\(on.power.text)" OffPower="\(off.power.text)"\((on.power.isPace ? on : off).power.mark)
            """
        guard let cadence else { return "        <\(element)/>\n" }
        return "        <\(element)>\n" + event(cadence, on.length, isDistance) + "        </IntervalsT>\n"
    }

    private static func element(_ step: Step, _ cadence: Int?, _ isDistance: Bool) -> String {
        let (interval, own) = (step.interval, step.power.text)
        let (low, high) = step.power.ramp ?? (own, own)
        let ramp = "PowerLow=\"\(low)\" PowerHigh=\"\(high)\""
        let (name, power) =
            switch interval.kind {
            case .warmUp where step.power.isPace: ("Warmup", ramp)
            case .warmUp: ("Warmup", "PowerLow=\"0.5\" PowerHigh=\"0.75\"")
            case .coolDown where step.power.isPace: ("Cooldown", ramp)
            case .coolDown: ("Cooldown", "PowerLow=\"0.75\" PowerHigh=\"0.5\"")
            default: step.power.ramp == nil ? ("SteadyState", "Power=\"\(own)\"") : ("Ramp", ramp)
            }
        let isTold =
            switch name {
            case "SteadyState": step.power.kind == interval.kind
            case "Ramp": interval.kind == .run
            default: true
            }
        let message = ZwiftPower.message(interval, isTold: isTold)
        var events: [String] = []
        if let effort = interval.effort, !step.power.says(effort) {
            let place = min(isDistance ? 20 : 5, step.length / 3)
            events.append(
                "            <textevent \(offset(isDistance))=\"\(place)\" message=\"\(ZwiftPower.text(effort))\"/>\n")
        }
        if let cadence { events.append(event(cadence, step.length, isDistance)) }
        return """
                    <\(name) Duration="\(step.length)" \(power)\(step.power.mark)>
                        <textevent \(offset(isDistance))="0" message="\(message.escapedForXML)"/>

            """ + events.joined() + "        </\(name)>\n"
    }

    /// The text event that tells the cadence, once the name of the interval has been shown.
    private static func event(_ cadence: Int, _ length: Int64, _ isDistance: Bool) -> String {
        let after = min(isDistance ? 50 : 10, length / 2)
        return "            <textevent \(offset(isDistance))=\"\(after)\" message=\"\(ZwiftPower.text(cadence))\"/>\n"
    }

    private static func offset(_ isDistance: Bool) -> String { isDistance ? "distoffset" : "timeoffset" }
}

extension [Plan.Part] {
    /// The indices of the written intervals that are in repeated groups.
    fileprivate func writtenInGroups(from first: Int = 0, isRepeated: Bool = false) -> Set<Int> {
        var (index, found) = (first, Set<Int>())
        for part in self {
            switch part {
            case .interval: if isRepeated { found.insert(index) }
            case .group(let count, let parts):
                found.formUnion(parts.writtenInGroups(from: index, isRepeated: isRepeated || count > 1))
            }
            index += part.written.count
        }
        return found
    }
}
