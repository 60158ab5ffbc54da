import Scores
import Testing

@testable import Running

struct AnnouncementTests {
    @Test("a distance is announced in meters below a kilometer, and in miles if these are the rounder number")
    func distances() {
        let said = [
            (999.0, DistanceUnit.meters, "999 meters"), (1000, .meters, "1 kilometer"),
            (1100, .meters, "1.1 kilometers"),
            (1, .meters, "1 meter"), (1, .miles, "1 mile"), (3, .miles, "3 miles"),
        ]
        for (count, unit, words) in said { #expect(SpokenLanguage.en.words(Distance(count, unit)) == words) }
    }

    @Test("in less than 2 s nothing is announced, in less than 8 s only the name, except for the first interval")
    func room() {
        let walk = Interval(.walk, .time(.seconds(30)))
        func said(_ seconds: Double, number: Int = 2) -> String {
            SpokenLanguage.en.start(of: walk, number: number, of: 3, room: .seconds(seconds))
        }
        #expect([1.999, 2, 7.999].map { said($0) } == ["", "Walk.", "Walk."])
        #expect(said(8) == "Walk, 30 seconds. Interval 2 of 3.")
        #expect(said(2, number: 1) == "Walk, 30 seconds. Interval 1 of 3.")
    }

    @Test("a length is announced as it was given, with the number of the interval unless there is only one")
    func lengths() throws {
        func said(_ interval: Interval, of count: Int? = 3) -> String {
            SpokenLanguage.en.start(of: interval, number: 1, of: count, room: .seconds(9))
        }
        #expect(said(Interval(.run, .distance(Distance(meters: 400)))) == "Run, 400 meters. Interval 1 of 3.")
        #expect(said(Interval(.run, .run(try Run(runText: "1k in 5:00")))) == "Run, 1 kilometer. Interval 1 of 3.")
        #expect(said(Interval(.run, .run(try Run(runText: "5:00 @ 5:00/km")))) == "Run, 5 minutes. Interval 1 of 3.")
        #expect(said(Interval(.rest, .time(.seconds(30))), of: 1) == "Rest, 30 seconds.")
        #expect(said(Interval(.rest, .time(.seconds(30)), label: "Hill"), of: nil) == "Hill, 30 seconds. Interval 1.")
        #expect(SpokenLanguage.de.words(Distance(1.5, .kilometers)) == "1,5 Kilometer")
    }
}
