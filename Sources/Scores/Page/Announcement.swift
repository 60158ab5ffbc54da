package import Languages

/// What a voice can say before an interval of a plan; `Timing` puts it into words that fit the speed and the time left.
package struct Announcement: Sendable, Equatable {
    /// The name of the interval, in the language of the voice.
    package var name: String
    /// How long the interval is, in words, if no speed changes that: a distance, or until the lap button; nil if it is
    /// written with a time, which is then that of its bar.
    package var length: String?
    /// Its number, from 1.
    package var number: Int
    /// How many intervals there are; nil if the plan has no end.
    package var count: Int?
    /// The planned speed in meters per second; nil if there is none.
    package var metersPerSecond: Double?
    /// The two planned speeds of a range or a ramp; nil if there is one, or none.
    package var span: Span?
    /// The share of a threshold or the zone, in words: "80 percent of the threshold"; nil if there is none.
    package var share: String?
    /// What the interval asks besides the speed, in words: "heart rate 140 to 150".
    package var demands: [String] = []
    /// How far from the start of the plan the interval begins and ends, in meters; nil if that is unknown.
    package var meters: Range<Double>?
    /// Whether distances are spoken in miles, not in kilometers.
    package var isInMiles: Bool

    /// Makes an announcement.
    package init(
        name: String, length: String? = nil, number: Int, of count: Int? = nil, metersPerSecond: Double? = nil,
        meters: Range<Double>? = nil, isInMiles: Bool = false
    ) {
        (self.name, self.length, self.number, self.count) = (name, length, number, count)
        (self.metersPerSecond, self.meters, self.isInMiles) = (metersPerSecond, meters, isInMiles)
    }
}

extension Announcement {
    /// Two speeds in meters per second.
    package struct Span: Sendable, Equatable {
        /// The first and the last as they are written.
        package var first, last: Double
        /// Whether the speed changes evenly from the first to the last.
        package var isRamp: Bool

        /// Makes a span.
        package init(_ first: Double, _ last: Double, isRamp: Bool) {
            (self.first, self.last, self.isRamp) = (first, last, isRamp)
        }
    }
}

extension Announcement {
    /// A part of an announcement. The order is that in which they are said, the most important first.
    package enum Part: Sendable, CaseIterable {
        /// "Walk".
        case name
        /// "30 seconds".
        case length
        /// "5 minutes 30 per kilometer".
        case pace
        /// "10.9 kilometers per hour".
        case speed
        /// "3.4 kilometers", so far.
        case soFar
        /// "Interval 5 of 11".
        case place
    }
}

extension Language {
    /// An announcement in words, such as "Walk, 30 seconds. Interval 5 of 11."; empty if it has none of the parts.
    ///
    /// The interval lasts `time` at a speed of `factor`, where 1 is as written. `meters` is the distance so far.
    package func words(
        _ announcement: Announcement, _ parts: [Announcement.Part], lasting time: Duration, factor: Double = 1,
        soFar meters: Double? = nil
    ) -> String {
        let speed = announcement.metersPerSecond.map { $0 * factor }
        func text(_ part: Announcement.Part) -> String? {
            switch part {
            case .name: announcement.name
            case .length: announcement.length ?? words(time)
            case .pace: effort(announcement, speed, factor: factor)
            case .speed: speed.map { self.speed(metersPerSecond: $0, inMiles: announcement.isInMiles) }
            case .soFar:
                meters.flatMap {
                    $0 < (announcement.isInMiles ? DistanceUnit.miles.meters / 10 : 1)
                        ? nil : soFar(meters: $0, inMiles: announcement.isInMiles)
                }
            case .place: announcement.count == 1 ? nil : interval(announcement.number, of: announcement.count)
            }
        }
        // The name and the length are one sentence; each other part is another.
        let first = parts.filter { $0 == .name || $0 == .length }.compactMap(text).joined(separator: ", ")
        let others = parts.filter { $0 != .name && $0 != .length }.compactMap(text)
        return ([first] + others).filter { !$0.isEmpty }.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
            .joined(separator: " ")
    }

    /// How hard an interval is: "80 percent of the threshold, 6 minutes 15 per kilometer"; nil if nothing says it. A share is
    /// that at the written speed.
    private func effort(_ announcement: Announcement, _ speed: Double?, factor: Double) -> String? {
        func pace(_ speed: Double) -> String? { self.pace(metersPerSecond: speed, inMiles: announcement.isInMiles) }
        var said = [factor == 1 ? announcement.share : nil]
        if let span = announcement.span, let a = pace(span.first * factor), let b = pace(span.last * factor) {
            said.append(self.span(a, b, isRamp: span.isRamp))
        } else {
            said.append(speed.flatMap(pace))
        }
        let all = (said.compactMap(\.self) + announcement.demands).joined(separator: ", ")
        return all.isEmpty ? nil : all
    }

    /// "140 to 150"; for a ramp, "from 140 to 150".
    package func span(_ first: String, _ last: String, isRamp: Bool) -> String {
        isRamp ? spoken("from \(first) to \(last)") : spoken("\(first) to \(last)")
    }
}
