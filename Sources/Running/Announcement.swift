package import Languages
internal import Scores

/// The announcements to a runner, in words that a voice can read.
extension Language {
    /// A distance in words: "400 meters", "1.5 kilometers", "1 mile".
    package func words(_ distance: Distance) -> String {
        let isMiles =
            Rounding.short(distance.count(in: .miles), decimals: 6).utf8.count
            < Rounding.short(distance.count(in: .kilometers), decimals: 6).utf8.count
        let unit: DistanceUnit = isMiles ? .miles : distance.meters < 1000 ? .meters : .kilometers
        let number = Rounding.short(distance.count(in: unit), decimals: 2)
        return count(number, unit == .miles ? .miles : unit == .meters ? .meters : .kilometers)
    }

    /// The name of an interval: its label, or the name of its kind.
    func name(_ interval: Interval) -> String {
        guard interval.label.isEmpty else { return interval.label }
        return switch interval.kind {
        case .run: spoken("Run")
        case .walk: spoken("Walk")
        case .rest: spoken("Rest")
        case .warmUp: spoken("Warm-up")
        case .coolDown: spoken("Cool-down")
        }
    }

    /// The length of an interval that lasts until the lap button.
    var untilLap: String { spoken("until the lap button") }

    /// What is announced before a row of a plan of `count` intervals, nil if they are endless.
    func announcement(of row: PlanTable.Row, of count: Int?, in unit: DistanceUnit) -> Announcement {
        let length: String? =
            switch row.interval.measure {
            case .time: nil
            case .distance(let distance): words(distance)
            case .run(let run): run.result == .distance ? nil : words(run.distance)
            case .open: untilLap
            }
        var announcement = Announcement(
            name: name(row.interval), length: length, number: row.number, of: count,
            metersPerSecond: row.extent.pace?.metersPerSecond, isInMiles: unit == .miles)
        // A plan that a program builds may have any numbers, also none.
        if let end = row.total.distance?.meters, let begin = row.before?.meters, begin <= end, end.isFinite {
            announcement.meters = begin..<end
        }
        return announcement
    }
}
