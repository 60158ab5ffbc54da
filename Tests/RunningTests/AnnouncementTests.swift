import Languages
import Running
import Scores
import Testing

struct AnnouncementTests {
    @Test("a distance is announced in meters below a kilometer, and in miles if these are the rounder number")
    func distances() {
        let said = [
            (999.0, DistanceUnit.meters, "999 meters"), (1000, .meters, "1 kilometer"),
            (1100, .meters, "1.1 kilometers"),
            (1, .meters, "1 meter"), (1, .miles, "1 mile"), (3, .miles, "3 miles"),
        ]
        for (count, unit, words) in said { #expect(Language.en.words(Distance(count, unit)) == words) }
    }

    @Test("in a plan in miles, a distance that nobody wrote is announced in miles")
    func computedDistances() throws {
        func lengths(_ text: String) throws -> [String?] {
            try plan(text).score().lines.flatMap(\.bars).map(\.details.announcement?.length)
        }
        let cut = try lengths("run 1.3mi @ 8:57/mi, walk 1:00 @ 15:47/mi, for 3mi")
        #expect(cut.first == "1.3 miles" && cut.last == "0.27 miles", "\(cut)")
        let half = try lengths("run half @ 9:00/mi, run 400m @ 8:00/mi, run 5k @ 8:00/mi")
        #expect(half == ["13.11 miles", "400 meters", "5 kilometers"])
        #expect(Language.en.words(Distance(meters: 3), in: .miles) == "3 meters")
    }

    @Test("an effort has the decimal sign of its language")
    func efforts() throws {
        let plan = try Plan(runText: "run 1:00 @ 62.5%, run 1:00 @ 70.5-80% HR")
        let announced = try plan.score(spoken: .de).lines.flatMap(\.bars).map(\.details.announcement)
        #expect(announced[0]?.share?.contains("62,5") == true && announced[1]?.demands.first?.contains("70,5") == true)
    }

    @Test("a length is announced as it was given, with the number of the interval unless there is only one")
    func lengths() throws {
        func said(_ interval: String, more: String = ", rest 1:00") throws -> String {
            try plan(interval + more).score().lines[0].bars[0].details.say
        }
        #expect(try said("run 400m @ 5:00/km") == "Run, 400 meters. Interval 1 of 2.")
        #expect(try said("run 1k in 5:00") == "Run, 1 kilometer. Interval 1 of 2.")
        #expect(try said("run 5:00 @ 5:00/km") == "Run, 5 minutes. Interval 1 of 2.")
        #expect(try said("rest 0:30", more: "") == "Rest, 30 seconds.")
        #expect(try said("rest \"Hill\" 0:30", more: ", rest 0:30, forever") == "Hill, 30 seconds. Interval 1.")
        #expect(Language.de.words(Distance(1.5, .kilometers)) == "1,5 Kilometer")
    }

    @Test(
        "an announcement knows the planned speed and where its interval begins and ends; a plan in miles speaks miles")
    func places() throws {
        func announcements(_ text: String) throws -> [Announcement?] {
            try plan(text).score().lines.flatMap(\.bars).map(\.details.announcement)
        }
        let metric = try announcements("run: 5:00/km\nrun 1k, rest 1:00, run 5:00")
        #expect(metric.map { $0?.meters } == [0..<1000, 1000..<1000, 1000..<2000])
        #expect(metric.map { $0?.isInMiles } == [false, false, false] && metric[1]?.metersPerSecond == nil)
        #expect(abs((metric[0]?.metersPerSecond ?? 0) - 10.0 / 3) < 1e-12)
        #expect(try announcements("run 1:00 @ 8:00/mi")[0]?.isInMiles == true)
        // An unknown distance makes all later ones unknown.
        #expect(try announcements("run 1:00, run 1k @ 5:00/km").map { $0?.meters } == [nil, nil])
    }
}
