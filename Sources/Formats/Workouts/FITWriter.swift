internal import Languages
internal import Running
internal import Scores

/// Writes Garmin workouts: a FIT file with file_id (0), workout (26) and workout_step (27).
///
/// A group becomes a repeat step. A group within a group is written out, because devices do not nest repeats.
enum FITWriter {
    static func write(
        _ plan: Plan, _ now: Int, _ options: WorkoutOptions, _ losses: inout Losses
    ) throws(TextError) -> [UInt8] {
        if plan.title.utf8.count >= nameSize { losses.note(localized("the title is cut to 31 bytes")) }
        for interval in plan.written {
            if FITWords.name(interval).utf8.count >= nameSize {
                losses.note(localized("a label is cut to 31 bytes"), in: interval)
            }
            if hasNoTarget(interval), interval.effort == nil, plan.extent(interval).pace != nil {
                losses.note(localized("the pace of a walk or rest is left out"), in: interval)
            }
            if let effort = interval.effort { note(effort, interval, plan, &losses) }
            if isRounded(interval, plan, options) {
                losses.note(localized("a pace is rounded to a speed in whole mm/s"), in: interval)
            }
            if interval.isOpen, plan.extent(interval).time != nil {
                losses.note(
                    localized("how long an interval until the lap button takes about is left out"), in: interval)
            }
        }
        // Checks that the plan can be laid out.
        _ = try plan.rows()
        var steps: [[UInt8]] = []
        for part in plan.parts {
            switch part {
            case .interval(let interval): steps.append(try step(interval, plan, options, index: steps.count))
            case .group(let count, let parts):
                let first = steps.count
                for interval in parts.unfolded { steps.append(try step(interval, plan, options, index: steps.count)) }
                if count > 1 { steps.append(repeatStep(first: first, count: count, index: steps.count)) }
            }
            guard steps.count <= stepLimit else {
                throw TextError(
                    localized("a FIT workout has at most 10 000 steps"), hint: localized("make it shorter"))
            }
        }
        // FIT counts seconds from 1989-12-31 00:00 UTC.
        let created = UInt32(clamping: now - 631_065_600)
        var data = definition(
            0, of: 0, [(0, 1, .enumeration), (1, 2, .uint16), (2, 2, .uint16), (3, 4, .uint32z), (4, 4, .uint32)])
        data += [0x00, 5] + FITBytes.little(255, bytes: 2) + FITBytes.little(1, bytes: 2)
        data += FITBytes.little(max(created, 1), bytes: 4) + FITBytes.little(created, bytes: 4)
        data += definition(1, of: 26, [(4, 1, .enumeration), (6, 2, .uint16), (8, UInt8(nameSize), .string)])
        data += [0x01, 1] + FITBytes.little(UInt32(steps.count), bytes: 2)
        data += name(plan.title.isEmpty ? WorkoutWords.noTitle : plan.title)
        data += definition(
            2, of: 27,
            [
                (254, 2, .uint16), (0, UInt8(nameSize), .string), (1, 1, .enumeration), (2, 4, .uint32),
                (3, 1, .enumeration), (4, 4, .uint32), (5, 4, .uint32), (6, 4, .uint32), (7, 1, .enumeration),
            ])
        data += steps.joined()
        var file: [UInt8] = [14, 0x20] + FITBytes.little(2132, bytes: 2)
        file += FITBytes.little(UInt32(data.count), bytes: 4) + Array(".FIT".utf8)
        file += FITBytes.little(UInt32(FITBytes.crc(file)), bytes: 2)
        file += data
        return file + FITBytes.little(UInt32(FITBytes.crc(file)), bytes: 2)
    }

    private static let stepLimit = 10_000
    /// The size of a name in bytes, including its final NUL.
    private static let nameSize = 32
    private static let (none16, none32) = (UInt32(0xFFFF), UInt32(0xFFFF_FFFF))

    private static func definition(
        _ local: UInt8, of message: UInt32, _ fields: [(UInt8, UInt8, FITBytes.BaseType)]
    ) -> [UInt8] {
        [0x40 | local, 0, 0] + FITBytes.little(message, bytes: 2) + [UInt8(fields.count)]
            + fields.flatMap { [$0.0, $0.1, $0.2.rawValue] }
    }

    /// A name in UTF-8, cut at a character boundary and padded with NUL.
    private static func name(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in text {
            let next = Array(String(character).utf8)
            guard bytes.count + next.count < nameSize else { break }
            bytes += next
        }
        return bytes + Array(repeating: 0, count: nameSize - bytes.count)
    }

    private static func step(
        _ interval: Interval, _ plan: Plan, _ options: WorkoutOptions, index: Int
    ) throws(TextError) -> [UInt8] {
        let extent = plan.extent(interval)
        let (type, value): (UInt8, Double)
        if interval.isOpen {
            (type, value) = (5, 0xFFFF_FFFF)
        } else if interval.measure.endsByDistance {
            (type, value) = (1, ((extent.distance?.meters ?? 0) * 100).rounded())
        } else {
            (type, value) = (0, ((extent.time?.inSeconds ?? 0) * 1000).rounded())
        }
        guard interval.isOpen || value >= 1 && value < 0xFFFF_FFFF else {
            throw TextError(localized("'\(interval.text)' is too long or too short for a FIT workout"))
        }
        let target = target(interval, plan, options)
        var step: [UInt8] = [0x02] + FITBytes.little(UInt32(index), bytes: 2) + name(FITWords.name(interval)) + [type]
        step += FITBytes.little(UInt32(value), bytes: 4) + [target.type] + FITBytes.little(target.zone, bytes: 4)
        step += FITBytes.little(target.low ?? none32, bytes: 4) + FITBytes.little(target.high ?? none32, bytes: 4)
        return step + [FITWords.intensities[interval.kind.likeness] ?? 0]
    }

    /// The target of an interval: type 0 is a range of speeds in mm/s or a zone, 1 a heart rate, and 2 means no target.
    private static func target(
        _ interval: Interval, _ plan: Plan, _ options: WorkoutOptions
    ) -> (type: UInt8, zone: UInt32, low: UInt32?, high: UInt32?) {
        let none: (UInt8, UInt32, UInt32?, UInt32?) = (2, 0, nil, nil)
        if hasNoTarget(interval) { return none }
        if let effort = interval.effort {
            if !effort.isPace { return FITWords.fields(effort).map { (1, $0.zone, $0.low, $0.high) } ?? none }
            if let (first, last) = effort.paces(plan.threshold), first != last {
                let speeds = [first, last].map { max(UInt32(clamping: Int(($0.metersPerSecond * 1000).rounded())), 1) }
                return (0, 0, speeds.min(), speeds.max())
            }
            if plan.threshold == nil, effort.scale == .zone, effort.first == effort.last {
                return (0, UInt32(effort.first), nil, nil)
            }
        }
        guard let pace = plan.extent(interval).pace else { return none }
        let around = speeds(around: pace, options.tolerance)
        return (0, 0, around.low, around.high)
    }

    /// Notes what a step does not carry of an effort.
    private static func note(_ effort: Effort, _ interval: Interval, _ plan: Plan, _ losses: inout Losses) {
        if hasNoTarget(interval) {
            return losses.note(localized("the target of a walk or rest is left out"), in: interval)
        }
        guard effort.isPace else {
            if FITWords.fields(effort) == nil {
                losses.note(
                    localized("a heart rate is left out if it is not in beats, in percent of the maximum, or one zone"),
                    in: interval)
            } else if plan.extent(interval).pace != nil {
                losses.note(localized("the pace beside a heart rate is left out"), in: interval)
            }
            if effort.first != effort.first.rounded() || effort.last != effort.last.rounded() {
                losses.note(localized("a heart rate is rounded to a whole number"), in: interval)
            }
            return
        }
        if effort.isRamp { losses.note(localized("a ramp becomes the range of its paces"), in: interval) }
        guard effort.needsThreshold else { return }
        if plan.threshold != nil {
            losses.note(localized("a share of the threshold becomes its pace"), in: interval)
        } else if effort.scale != .zone || effort.first != effort.last {
            losses.note(localized("a share of a threshold that the plan does not have is left out"), in: interval)
        }
    }

    /// Whether an interval has no target: a watch would sound an alarm at every stop of a walk.
    private static func hasNoTarget(_ interval: Interval) -> Bool { [.walk, .rest].contains(interval.kind.likeness) }

    /// The speeds in mm/s at which a pace is that much slower and faster, but never twice as fast.
    static func speeds(around pace: Pace, _ tolerance: Duration) -> (low: UInt32, high: UInt32) {
        let seconds = pace.value(in: .perKilometer)
        let width = min(tolerance.inSeconds, seconds / 2)
        func speed(_ seconds: Double) -> UInt32 {
            max(UInt32(clamping: Int((Pace(seconds, .perKilometer).metersPerSecond * 1000).rounded())), 1)
        }
        return (speed(seconds + width), speed(seconds - width))
    }

    /// Whether the pace of an interval is printed otherwise after it has been read back, because speeds are whole numbers of mm/s.
    private static func isRounded(_ interval: Interval, _ plan: Plan, _ options: WorkoutOptions) -> Bool {
        guard case (0, 0, let low?, let high?) = target(interval, plan, options) else { return false }
        let unit = (plan.unit ?? .kilometers).paceUnit
        func texts(_ paces: [Pace]) -> [String] { paces.map { $0.text(in: unit) } }
        if let effort = interval.effort, effort.isPace, let (first, last) = effort.paces(plan.threshold), first != last
        {
            let ends = [first, last].sorted { $0.metersPerSecond < $1.metersPerSecond }
            return texts(ends) != texts([low, high].map { Pace(metersPerSecond: Double($0) / 1000) })
        }
        return plan.extent(interval).pace.map { texts([$0]) != texts([FITWords.pace(low, high)]) } ?? false
    }

    private static func repeatStep(first: Int, count: Int, index: Int) -> [UInt8] {
        [0x02] + FITBytes.little(UInt32(index), bytes: 2) + name("Repeat") + [6]
            + FITBytes.little(UInt32(first), bytes: 4) + [2] + FITBytes.little(UInt32(count), bytes: 4)
            + FITBytes.little(none32, bytes: 4) + FITBytes.little(none32, bytes: 4) + [0]
    }
}
