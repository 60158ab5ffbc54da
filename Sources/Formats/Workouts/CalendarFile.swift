internal import Languages
package import Running
package import Scores

/// A training plan as a calendar: an event for each workout.
///
/// Source: RFC 5545 (iCalendar), NAME from RFC 7986. An event keeps its UID when the plan changes, so that a calendar that
/// imports the file again updates its events.
package struct CalendarFile {
    private var out: [UInt8] = []

    /// The longest time of a reminder before its workout.
    package static let longestReminder = Duration.seconds(28 * 86_400)

    /// The bytes of the file. `name` stands for the title of a plan that has none; `now` is the current time in seconds
    /// since 1970. With `remind`, each event has an alarm so long before it begins; one of a whole day begins at midnight.
    ///
    /// Errors: the plan has no dates.
    package static func write(_ plan: TrainingPlan, name: String, now: Int, remind: Duration? = nil)
        throws(TextError) -> [UInt8]
    {
        guard plan.start != nil else {
            throw TextError(
                localized("a calendar needs the date of week 1"),
                hint: localized("write start: and the date of its Monday in the plan, or give it with --start"))
        }
        let title = plan.title.isEmpty ? name : plan.title
        var file = CalendarFile()
        file.line("BEGIN", "VCALENDAR")
        file.line("VERSION", "2.0")
        file.line("PRODID", "-//Barline//Barline//EN")
        file.line("CALSCALE", "GREGORIAN")
        file.text("NAME", title)
        file.text("X-WR-CALNAME", title)
        for slot in plan.slots {
            guard let workout = plan[slot]?.plan, let date = plan.date(slot) else { continue }
            file.line("BEGIN", "VEVENT")
            file.line("UID", "week\(slot.week)-\(slot.day.short)-\(slug(title))@barline")
            file.line("DTSTAMP", stamp(now))
            file.time(of: plan, slot, date)
            file.text("SUMMARY", summary(workout))
            file.text("DESCRIPTION", description(plan, slot, workout))
            if let remind { file.alarm(remind, summary(workout)) }
            file.line("END", "VEVENT")
        }
        file.line("END", "VCALENDAR")
        return file.out
    }

    private mutating func alarm(_ before: Duration, _ text: String) {
        let seconds = min(max(before, .zero), CalendarFile.longestReminder).components.seconds
        line("BEGIN", "VALARM")
        line("ACTION", "DISPLAY")
        self.text("DESCRIPTION", text)
        line("TRIGGER", "-PT\(seconds / 3600)H\(seconds / 60 % 60)M\(seconds % 60)S")
        line("END", "VALARM")
    }

    /// The title and the parts of a workout, at most 100 characters.
    private static func summary(_ workout: Plan) -> String {
        let title = workout.title.isEmpty ? "" : workout.title + ": "
        var untitled = workout
        untitled.title = ""
        let whole = title + untitled.summary
        return whole.count > 100 ? whole.prefix(99) + "…" : whole
    }

    /// The whole day, or a time by the clock of the place where one is. A workout of unknown length has no duration.
    private mutating func time(of plan: TrainingPlan, _ slot: TrainingPlan.Slot, _ date: LocalDay) {
        let day = date.text.replacing("-", with: "")
        guard let time = plan.time(slot) else { return line("DTSTART;VALUE=DATE", day) }
        line("DTSTART", "\(day)T\(time.text.replacing(":", with: ""))00")
        guard let length = plan.extent(slot).time, length > .zero else { return }
        // A day and more is written in hours: a day of DURATION can have 23 or 25 of them.
        let seconds = Rounding.units(length.inSeconds, decimals: 0)
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
        line("DURATION", "PT\(hours)H\(minutes)M\(seconds % 60)S")
    }

    /// The workout as a plan that can be read again: its place and totals are a comment.
    private static func description(_ plan: TrainingPlan, _ slot: TrainingPlan.Slot, _ workout: Plan) -> String {
        var untitled = workout
        untitled.title = ""
        let text = untitled.text
        let unit = workout.unit ?? .kilometers
        let totals = plan.extent(slot).texts(in: unit).prefix(3).joined(separator: ", ")
        return "\(text)\n# \(slot.name)\(totals.isEmpty ? "" : ": ")\(totals)"
    }

    // MARK: - Lines

    /// Adds a property with a text.
    private mutating func text(_ name: String, _ text: String) {
        let escaped = text.replacing("\\", with: "\\\\").replacing(";", with: "\\;").replacing(",", with: "\\,")
        line(name, escaped.replacing("\n", with: "\\n"))
    }

    /// Adds a property in lines of at most 75 bytes. A line that continues another begins with a blank.
    private mutating func line(_ name: String, _ value: String) {
        var room = 75
        for scalar in "\(name):\(value)".unicodeScalars {
            let bytes = Array(UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            if bytes.count > room {
                out += Array("\r\n ".utf8)
                room = 74
            }
            out += bytes
            room -= bytes.count
        }
        out += Array("\r\n".utf8)
    }

    /// A title in small ASCII letters, digits and hyphens; other letters are numbers in base 16. A title in which that
    /// replaces a character has its hash at the end, because others could look like it.
    private static func slug(_ title: String) -> String {
        let slug = title.lowercased().unicodeScalars.map { scalar in
            guard scalar.isASCII else { return String(scalar.value, radix: 16) }
            return scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? "\(scalar)" : "-"
        }.joined()
        guard slug != title else { return slug }
        return "\(slug)-\(title.stableHash)"
    }

    /// A time in seconds since 1970 as a time of UTC.
    private static func stamp(_ now: Int) -> String {
        // Up to the end of the year 9999.
        let (days, seconds) = max(now, 0).quotientAndRemainder(dividingBy: 86_400)
        let numbers = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let clock = numbers.map(\.twoDigits).joined()
        return LocalDay(number: min(days, 2_932_896)).text.replacing("-", with: "") + "T\(clock)Z"
    }
}

extension Plan {
    /// The workout in one line: its title, or its parts and length.
    package var summary: String {
        guard title.isEmpty else { return title }
        var bare = self
        (bare.paces, bare.threshold, bare.countIn, bare.cadence) = ([:], nil, nil, nil)
        return bare.textLines.joined(separator: ", ")
    }
}
