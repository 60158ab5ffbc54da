internal import Glibc
package import Scores

/// A date and local time, to the second, with its offset from UTC.
package struct LocalTime: Sendable, Hashable {
    /// The day.
    package var day: LocalDay
    /// Seconds since midnight, 0 ... 86 399.
    package var second: Int
    /// The offset from UTC in minutes, positive to the east.
    package var offset: Int

    /// The time now, in the system's time zone.
    package static var now: LocalTime { LocalTime(secondsSince1970: time(nil)) }

    /// A time in the system's time zone.
    package init(secondsSince1970 seconds: Int) {
        var seconds = seconds
        var parts = tm()
        localtime_r(&seconds, &parts)
        day = LocalDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        second = Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + min(Int(parts.tm_sec), 59)
        offset = parts.tm_gmtoff / 60
    }

    /// The time of day: `20:15:00`.
    package var clock: String {
        [second / 3600, second / 60 % 60, second % 60].map(\.twoDigits).joined(separator: ":")
    }

    /// The date and the time to the minute, for people.
    package var shown: String { "\(day.shown) \(clock.prefix(5))" }

    /// The time in ISO 8601, for files and programs: `2026-11-21T20:15:00+01:00`.
    package var text: String {
        let sign = offset < 0 ? "-" : "+"
        let zone = (abs(offset) / 60).twoDigits + ":" + (abs(offset) % 60).twoDigits
        return "\(day.text)T\(clock)\(sign)\(zone)"
    }

    /// Reads the format of `text`, or the same with `Z` for UTC; nil if the text is anything else.
    package init?(text: String) {
        let text = text.last == "Z" ? text.dropLast() + "+00:00" : text
        let parts = text.split { !("0"..."9").contains($0) }.compactMap { Int16($0) }.map(Int.init)
        guard parts.count == 8, parts[3] < 24, parts[6] < 24 else { return nil }
        day = LocalDay(year: parts[0], month: parts[1], day: parts[2])
        second = parts[3] * 3600 + parts[4] * 60 + parts[5]
        offset = (parts[6] * 60 + parts[7]) * (text.suffix(6).first == "-" ? -1 : 1)
        // An invalid date, or another way of writing one, does not read back to the same text.
        guard self.text == text else { return nil }
    }
}
