import Running
import Scores
import Testing

struct GallowayTests {
    private func clock(_ seconds: Int) -> String { Duration.seconds(seconds).runText() }

    @Test("the table of run-walk ratios is Galloway's")
    func table() {
        let rows = RunWalkRatio.table.map { band in
            clock(band.secondsPerMile.lowerBound) + "-" + clock(band.secondsPerMile.upperBound) + ": "
                + band.ratios.map(\.text).joined(separator: " ")
        }
        #expect(
            rows == [
                "7:00-7:00: 6:00/0:30", "7:30-7:30: 5:00/0:30", "8:00-8:00: 4:00/0:30 2:00/0:15",
                "8:30-8:30: 3:00/0:30 2:00/0:20", "9:00-9:00: 2:00/0:30 1:20/0:20",
                "9:30-10:45: 1:30/0:30 1:00/0:20 0:45/0:15 1:00/0:30 0:40/0:20",
                "10:45-12:15: 1:00/0:30 0:40/0:20 0:30/0:15 0:30/0:30 0:20/0:20",
                "12:15-14:30: 0:30/0:30 0:20/0:20 0:15/0:15", "14:30-15:45: 0:15/0:30", "15:45-17:00: 0:10/0:30",
                "17:00-18:30: 0:08/0:30 0:05/0:25 0:10/0:30",
                "18:30-20:00: 0:05/0:30 0:05/0:25 0:04/0:30",
            ])
    }

    @Test(
        "a pace gets the nearest band: between two bands at equal distance the slower, where two meet the faster",
        arguments: [
            (404, nil), (405, 420), (434, 420), (435, 450), (554, 540), (555, 570), (645, 570), (646, 645), (870, 735),
            (945, 870), (1110, 1020), (1111, 1110), (1200, 1110), (1201, nil),
        ] as [(Int, Int?)])
    func nearest(secondsPerMile: Int, begin: Int?) {
        let band = RunWalkRatio.ratios(for: Pace(.seconds(secondsPerMile), per: .miles))
        #expect(band?.secondsPerMile.lowerBound == begin)
    }

    @Test("the pace of running and walking together is their total distance over their total time")
    func blended() {
        let pace = RunWalkRatio(run: 120, walk: 30).blended(
            run: Pace(metersPerSecond: 3), walk: Pace(metersPerSecond: 1.5))
        let (meters, seconds): (Double, Double) = (120 * 3 + 30 * 1.5, 150)
        #expect(agree(pace.metersPerSecond, meters / seconds))
    }

    @Test("the races of the magic mile have the distances of their names")
    func races() {
        let written = [5000, 10_000, 16_093.44, 21_097.5, 42_195]
        #expect(MagicMile.Race.allCases.map(\.rawValue) == ["5 km", "10 km", "10 mi", "half marathon", "marathon"])
        for (race, meters) in zip(MagicMile.Race.allCases, written) { #expect(agree(race.distance.meters, meters)) }
    }
}
