import Foundation
import Running
import Scores
import Shared
import Testing
import Formats

struct CalendarTests {
    private static let text = """
        title: Frühling; Läufe, \\ Wege
        start: 2026-11-23
        run: 5:30/km
        week 1: {tue: 3x(run 400m @ 4:30/km, walk 1:30), sun at 07:05 "Lang, länger": long 10mi, sat: run "日本🏃" 1:00}
        week 6: {mon at 18:00: run 5k}
        """

    /// The events of a file as an independent reader finds them: a line for each, of tab-separated fields. It does not
    /// know NAME, and leaves it escaped.
    private static let script = """
        import sys, datetime, icalendar
        calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
        assert not calendar.errors, calendar.errors
        print(calendar['NAME'], calendar['VERSION'], sep='\\t')
        for event in calendar.walk('VEVENT'):
            assert not event.errors, event.errors
            duration = event.get('DURATION')
            print(event['UID'], event['DTSTAMP'].dt.isoformat(), event['DTSTART'].dt.isoformat(),
                  duration.dt.total_seconds() if duration else '', event['SUMMARY'],
                  str(event['DESCRIPTION']).replace('\\n', '|'), sep='\\t')
        """

    private func plan(_ text: String = text) throws -> TrainingPlan {
        let reading = TrainingPlan.read(Array(text.utf8))
        #expect(reading.faults.isEmpty)
        return try #require(reading.weeks)
    }

    @Test("an independent reader finds each workout with its date, length, title and text")
    func events() throws {
        let lines = try Python.run(
            Self.script, file: try CalendarFile.write(try plan(), name: "x", now: 1_795_392_343))
        #expect(
            lines == [
                "Frühling\\; Läufe\\, \\\\ Wege\t2.0",
                "week1-tue-frfchling--le4ufe----wege-148122c761177fb6@barline\t2026-11-23T00:05:43+00:00\t2026-11-24\t\t"
                    + "3x(run 400m @ 4:30/km, walk 1:30)\t"
                    + "run: 5:30/km||3x(run 400m @ 4:30/km, walk 1:30)||# Week 1, Tuesday: 9:54",
                "week1-sat-frfchling--le4ufe----wege-148122c761177fb6@barline\t2026-11-23T00:05:43+00:00\t2026-11-28\t\t"
                    + "run \"日本🏃\" 1:00\trun: 5:30/km||run \"日本🏃\" 1:00||# Week 1, Saturday: 1:00, 0.182 km, 5:30 /km",
                "week1-sun-frfchling--le4ufe----wege-148122c761177fb6@barline\t2026-11-23T00:05:43+00:00\t2026-11-29T07:05:00\t5311.0\t"
                    + "Lang, länger: run \"Long\" 10mi\trun: 5:30/km||run \"Long\" 10mi||# Week 1, Sunday: 1:28:31, 10 mi, 8:51 /mi",
                "week6-mon-frfchling--le4ufe----wege-148122c761177fb6@barline\t2026-11-23T00:05:43+00:00\t2026-12-28T18:00:00\t1650.0\t"
                    + "run 5km\trun: 5:30/km||run 5km||# Week 6, Monday: 27:30, 5 km, 5:30 /km",
            ])
    }

    @Test("lines end in CRLF, have at most 75 bytes, and are not cut inside a character")
    func lines() throws {
        for letter in ["a", "é", "日", "🏃", ",", "\\"] {
            for count in 60...80 {
                let title = String(repeating: letter, count: count)
                let bytes = try CalendarFile.write(
                    try plan("title: \(title)\nstart: 2026-11-23\nweek 1: {tue: run 5k}"), name: "x", now: 0)
                let text = try #require(String(validating: bytes, as: UTF8.self))
                #expect(text.hasSuffix("END:VCALENDAR\r\n"))
                for line in text.components(separatedBy: "\r\n") {
                    #expect(line.utf8.count <= 75 && !line.contains("\n") && !line.contains("\r"))
                }
                let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
                let escaped = title.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(
                    of: ",", with: "\\,")
                #expect(unfolded.contains("\r\nNAME:\(escaped)\r\n"))
            }
        }
    }

    @Test("the text of an event reads back as its workout, and a changed plan keeps the UIDs of its events")
    func again() throws {
        var numbers = Seeded(state: 51)
        for _ in 0..<100 {
            var weeks = TrainingPlan(title: "A", start: try plan().start)
            let days = Weekday.allCases.shuffled(using: &numbers).prefix(3)
            for day in days { weeks.weeks[3, default: [:]][day] = .init(randomPlan(&numbers)) }
            let lines = try read(weeks)
            for (slot, text) in zip(weeks.slots, lines.map(\.description)) {
                var written = try #require(weeks[slot]?.plan)
                written.title = ""
                #expect(try workout(Array(text.utf8), .plan).text == written.text)
            }
            weeks.changePlans { $0.paces = [:] }
            weeks.time = TimeOfDay(text: "06:00")
            #expect(try read(weeks).map(\.uid) == lines.map(\.uid))
        }
    }

    @Test("the length of an event is rounded as in its text: halves up")
    func halves() throws {
        let text =
            "start: 2026-11-23\nweek 1: {tue at 18:00: run 8.4km in 33:34.5, wed at 18:00: run 8km @ 4:11.8125/km}"
        let written = String(decoding: try CalendarFile.write(try plan(text), name: "x", now: 0), as: UTF8.self)
        #expect(written.components(separatedBy: "DURATION:PT0H33M35S").count == 3, "\(written)")
    }

    /// UIDs and descriptions, unfolded and unescaped here.
    private func read(_ plan: TrainingPlan) throws -> [(uid: String, description: String)] {
        let text = String(decoding: try CalendarFile.write(plan, name: "x", now: 0), as: UTF8.self)
            .replacingOccurrences(of: "\r\n ", with: "")
        func values(_ name: String) -> [String] {
            text.components(separatedBy: "\r\n").filter { $0.hasPrefix(name + ":") }.map { line in
                let parts = line.dropFirst(name.count + 1).components(separatedBy: "\\\\").map {
                    $0.replacingOccurrences(of: "\\n", with: "\n").replacingOccurrences(of: "\\,", with: ",")
                        .replacingOccurrences(of: "\\;", with: ";")
                }
                return parts.joined(separator: "\\")
            }
        }
        #expect(Set(values("UID")).count == plan.slots.count)
        return Array(zip(values("UID"), values("DESCRIPTION")))
    }

    @Test("titles that look alike have UIDs of their own; one of small letters, digits and hyphens is its own")
    func titles() throws {
        let titles = ["A B", "a-b", "A-B", "A/B", "Ä", "ä", "e4", "a  b", "spring2026", "Spring2026"]
        let uids = try titles.map { title in
            var plan = try plan()
            plan.title = title
            return try read(plan)[0].uid
        }
        #expect(Set(uids).count == titles.count)
        #expect(uids[1] == "week1-tue-a-b@barline" && uids[8] == "week1-tue-spring2026@barline")
    }

    @Test("an independent reader finds a reminder in each event, so long before it")
    func reminders() throws {
        let script = """
            import sys, icalendar
            calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
            for event in calendar.walk('VEVENT'):
                alarms = event.walk('VALARM')
                print(len(alarms), *[(a['ACTION'], a['TRIGGER'].dt.total_seconds(), a['DESCRIPTION'] == event['SUMMARY'])
                                     for a in alarms])
            """
        for (before, seconds) in [(Duration.seconds(3600), "-3600.0"), (.seconds(5405), "-5405.0"), (.zero, "0.0")] {
            let bytes = try CalendarFile.write(try plan(), name: "x", now: 0, remind: before)
            let lines = try Python.run(script, file: bytes)
            #expect(lines == Array(repeating: "1 (vText(b'DISPLAY'), \(seconds), True)", count: 4), "\(lines)")
        }
        let none = try Python.run(script, file: try CalendarFile.write(try plan(), name: "x", now: 0))
        #expect(none == Array(repeating: "0", count: 4))
    }

    @Test("a plan without dates has no calendar")
    func dates() {
        #expect(throws: TextError.self) {
            try CalendarFile.write(try plan("week 1: {tue: run 5k}"), name: "x", now: 0)
        }
    }
}
