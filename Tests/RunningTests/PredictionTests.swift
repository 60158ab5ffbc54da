import Running
import Testing

struct PredictionTests {
    @Test("by Riegel's formula, twice the distance takes 2^1.06 times as long")
    func riegel() throws {
        let race = try Run(runText: "5k in 20:00")
        #expect(
            agree(Prediction.time(for: Distance(10, .kilometers), after: race).inSeconds, 1200 * 2.0849315216822428))
        #expect(Prediction.time(for: race.distance, after: race) == race.time)
        #expect(Prediction.time(for: .marathon, after: race).runText() == "3:11:49")
    }

    @Test(
        "a Magic Mile of 8:00 predicts the race paces",
        arguments: zip(MagicMile.Race.allCases, ["8:33", "9:12", "9:24", "9:36", "10:24"]))
    func magicMile(race: MagicMile.Race, expected: String) {
        #expect(MagicMile(.seconds(480)).pace(race)?.text(in: .perMile) == expected + " /mi")
    }

    @Test(
        "heat slows races by Galloway's chart, from 60 °F on",
        arguments: [
            (-20, 0), (59.9, 0), (60, 3), (64.9, 3), (65, 5), (70, 7), (75.2, 12), (79.9, 12), (80, 20), (85, 20),
            (85.1, nil),
        ] as [(Double, Double?)])
    func races(fahrenheit: Double, percent: Double?) {
        let heat = Heat(fahrenheit: fahrenheit)
        for race in MagicMile.Race.allCases {
            let (cool, hot) = (
                MagicMile(.seconds(480)).secondsPerMile(race), MagicMile(.seconds(480)).secondsPerMile(race, at: heat)
            )
            #expect((hot == nil) == (percent == nil))
            guard let cool, let hot, let percent else { continue }
            #expect(agree(hot.inSeconds, cool.inSeconds * (1 + percent / 100)))
        }
    }

    @Test("heat slows long runs by nothing up to 60 °F, and by 30 s a mile for each 5 °F above")
    func heat() throws {
        #expect(Heat(fahrenheit: 60).trainingSlowing == .zero)
        #expect(Heat(celsius: -10).trainingSlowing == .zero)
        #expect(Heat(celsius: -40).fahrenheit == -40 && Heat(celsius: 100).fahrenheit == 212)
        #expect(Heat(fahrenheit: 65).trainingSlowing == .seconds(30))
        #expect(Heat(fahrenheit: 80).trainingSlowing == .seconds(120))
        let mile = MagicMile(.seconds(480))
        #expect(mile.longRunPace(at: Heat(fahrenheit: 70)).text(in: .perMile) == "13:24 /mi")
        #expect(mile.longRunPace().text(in: .perMile) == "12:24 /mi")
    }

    @Test(
        "every pace from 7:00 to 20:00 a mile has its ratios",
        arguments: [
            (420, "6:00/0:30"), (450, "5:00/0:30"), (480, "4:00/0:30"), (510, "3:00/0:30"), (540, "2:00/0:30"),
            (570, "1:30/0:30"), (630, "1:30/0:30"), (645, "1:30/0:30"), (646, "1:00/0:30"), (735, "1:00/0:30"),
            (800, "0:30/0:30"), (900, "0:15/0:30"), (1000, "0:10/0:30"), (1100, "0:08/0:30"), (465, "4:00/0:30"),
            (464, "5:00/0:30"), (1111, "0:05/0:30"), (1200, "0:05/0:30"),
        ])
    func ratios(seconds: Int, expected: String) throws {
        let band = try #require(RunWalkRatio.ratios(for: Pace(.seconds(seconds), per: .miles)))
        #expect(band.ratios.first?.text == expected)
    }

    @Test("paces outside the table have no ratios")
    func outside() {
        #expect(RunWalkRatio.ratios(for: Pace(.seconds(360), per: .miles)) == nil)
        #expect(RunWalkRatio.ratios(for: Pace(.seconds(1201), per: .miles)) == nil)
        #expect(RunWalkRatio.ratios(for: Pace(metersPerSecond: .nan)) == nil)
    }
}
