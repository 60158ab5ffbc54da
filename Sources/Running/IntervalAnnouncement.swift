package import Languages
package import Scores

extension Distance {
    /// Whether it is a whole multiple of `step` units.
    fileprivate func isWhole(in unit: DistanceUnit, of step: Double) -> Bool {
        let count = count(in: unit) / step
        return (count - count.rounded()).magnitude < 1e-6
    }
}

/// The announcements to a runner, in words that a voice can read.
extension Language {
    /// A distance in words: "400 meters", "1.5 kilometers", "1 mile". One that nobody wrote is told in `unit`, unless it is
    /// rounder in the other one.
    package func words(_ distance: Distance, in unit: DistanceUnit = .kilometers) -> String {
        let isMiles =
            switch distance.written {
            case .miles: true
            case .meters, .kilometers: false
            case nil where unit == .miles: !distance.isWhole(in: .meters, of: 50)
            case nil: distance.isWhole(in: .miles, of: 0.01) && !distance.isWhole(in: .meters, of: 10)
            }
        let isShort = distance.meters < (isMiles ? 0.005 * DistanceUnit.miles.meters : 1000)
        let unit: DistanceUnit = isShort ? .meters : isMiles ? .miles : .kilometers
        let number = Rounding.short(distance.count(in: unit), decimals: 2)
        return count(number, unit)
    }

    /// The name of an interval: its label, or the name of its kind.
    func name(_ interval: Interval) -> String {
        interval.label.isEmpty ? interval.kind.traits(in: self).spoken : interval.label
    }

    /// The length of an interval that lasts until the lap button.
    var untilLap: String { spoken("until the lap button") }

    /// What is announced before a row of a plan of `count` intervals, nil if they are endless.
    func announcement(
        of row: PlanTable.Row, of count: Int?, in unit: DistanceUnit, _ threshold: Pace?
    ) -> Announcement {
        let length: String? =
            switch row.interval.measure {
            case .time: nil
            case .distance(let distance): words(distance, in: unit)
            case .run(let run): run.result == .distance ? nil : words(run.distance, in: unit)
            case .open: untilLap
            }
        var announcement = Announcement(
            name: name(row.interval), length: length, number: row.number, of: count,
            metersPerSecond: row.extent.pace?.metersPerSecond, isInMiles: unit == .miles)
        if let effort = row.interval.effort {
            if effort.isPace {
                announcement.share = words(effort)
            } else {
                announcement.demands += [words(effort)].compactMap(\.self)
            }
            if effort.isRamp || effort.scale == .speed, let (first, last) = effort.paces(threshold) {
                announcement.span = Announcement.Span(
                    first.metersPerSecond, last.metersPerSecond, isRamp: effort.isRamp)
            }
        }
        // A plan that a program builds may have any numbers, also none.
        if let end = row.total.distance?.meters, let begin = row.before?.meters, begin <= end, end.isFinite {
            announcement.meters = begin..<end
        }
        return announcement
    }

    /// An effort in words, such as "80 percent of the threshold" or "heart rate 140 to 150"; nil for paces.
    private func words(_ effort: Effort) -> String? {
        func value(_ number: Double) -> String { withComma(Rounding.short(number, decimals: 1)) }
        let (first, last) = (value(effort.first), value(effort.last))
        let values = first == last ? first : span(first, last, isRamp: effort.isRamp)
        return switch effort.scale {
        case .speed: nil
        case .percent: spoken("\(values) percent of the threshold")
        case .zone: spoken("zone \(values)")
        case .heartRate: spoken("heart rate \(values)")
        case .percentOfMaximum: spoken("\(values) percent of the maximum heart rate")
        case .percentOfThreshold: spoken("\(values) percent of the threshold heart rate")
        case .heartZone: spoken("heart rate zone \(values)")
        }
    }
}
