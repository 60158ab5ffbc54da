import Running
import Testing
import Formats

struct LossesTests {
    private func losses(_ text: String, _ format: Format) throws -> [String] {
        try format.write(try Plan(runText: text), now: 0).losses
    }

    @Test("each format names what it does not carry, and how often")
    func named() throws {
        let text = """
            title: Tuesday on the long and winding road
            run: 5:00/km
            walk: 10:00/km
            cadence: 170
            count-in: 8
            run 10:00.4, 2x(3x(run "Run for your life 5km and further" 0:45 @ 4:33.5/km, walk 1:00), rest 2:00), cool-down 5:00
            """
        #expect(try losses(text, .plan) == [])
        #expect(
            try losses(text, .fit) == [
                "the count-in is left out", "the cadence is left out", "groups within groups are written out",
                "the title is cut to 31 bytes",
                "a label is cut to 31 bytes (in 'run \"Run for your life 5km and further\" 0:45 @ 4:33.5/km')",
                "the pace of a walk or rest is left out (in 'walk 1:00')",
            ])
        #expect(
            try losses(text, .intervals) == [
                "the title is left out", "the count-in is left out", "the cadence is left out",
                "groups within groups are written out",
                "a pace is rounded to whole seconds per kilometer "
                    + "(in 'run \"Run for your life 5km and further\" 0:45 @ 4:33.5/km')",
                "words of a label that look like a time or distance are left out "
                    + "(in 'run \"Run for your life 5km and further\" 0:45 @ 4:33.5/km')",
            ])
        #expect(
            try losses(text, .zwift) == [
                "the count-in is left out",
                "paces are shares of a threshold pace of 5:00/km, which Zwift takes for your pace over 10 km; "
                    + "--threshold sets yours",
                "the end of an interval is rounded to a whole second (in 16 intervals, the first is 'run 10:00.4')",
                "a group that IntervalsT cannot hold is written out "
                    + "(in 14 intervals, the first is 'run \"Run for your life 5km and further\" 0:45 @ 4:33.5/km')",
            ])
        #expect(
            try losses(text, .csv) == [
                "the title is left out", "the count-in is left out", "the cadence is left out",
                "groups are written out",
            ])
    }

    @Test(
        "a pace that a FIT file rounds is named if it is printed otherwise when it has been read back",
        arguments: [
            ("run 1km @ 4:02.5/km", true), ("run 1km @ 4:02/km", false), ("run 1km @ 4:33.5/km", false),
            ("run 1mi @ 9:00/mi", false), ("run 1mi @ 8:02.5/mi", true), ("run 1:00 @ 12 km/h", false),
            ("run 1km @ 16:30/km", false), ("run 1km @ 4:02-4:30/km", false), ("run 1km @ 4:02.5-4:30/km", true),
        ])
    func roundedPaces(text: String, isNamed: Bool) throws {
        let plan = try Plan(runText: text)
        let writing = try Format.fit.write(plan, now: 0)
        #expect(writing.losses == (isNamed ? ["a pace is rounded to a speed in whole mm/s (in '\(text)')"] : []))
        let unit = PaceUnit.perKilometer
        // A range of less than 30 s is read as its middle, with a warning.
        let read = try workout(writing.bytes, .fit, warns: text.contains("-"))
        guard let before = plan.written.first, let after = read.written.first, plan.unit == .kilometers else { return }
        if let pace = plan.extent(before).pace, let again = read.extent(after).pace, before.effort == nil {
            #expect((pace.text(in: unit) != again.text(in: unit)) == isNamed, "\(again)")
        }
    }

    @Test("a plan that a format carries as a whole has no losses", arguments: Format.writtenPlans)
    func none(format: Format) throws {
        #expect(try losses("warm-up 5:00, run 0:30, walk 0:30, rest 1:00, cool-down 5:00", format) == [])
    }
}
