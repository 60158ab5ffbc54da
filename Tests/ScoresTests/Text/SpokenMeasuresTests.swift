import Languages
import Scores
import Testing

/// Distances, paces and speeds in words.
struct SpokenMeasuresTests {
    @Test(
        "paces are spoken as runners say them, in every language",
        arguments: [
            (Language.en, 330.0, false, "5 minutes 30 per kilometer"),
            (.en, 300, false, "5 minutes per kilometer"), (.en, 305, false, "5 minutes 5 seconds per kilometer"),
            (.en, 45, false, "45 seconds per kilometer"), (.en, 570, true, "9 minutes 30 per mile"),
            (.en, 3930, false, "1 hour 5 minutes 30 seconds per kilometer"),
            (.de, 330, false, "5 Minuten 30 pro Kilometer"), (.fr, 330, false, "5 minutes 30 par kilomètre"),
            (.es, 330, true, "5 minutos 30 por milla"), (.it, 330, false, "5 minuti 30 al chilometro"),
        ])
    func paces(language: Language, seconds: Double, inMiles: Bool, words: String) {
        let speed = (inMiles ? 1609.344 : 1000) / seconds
        #expect(language.pace(metersPerSecond: speed, inMiles: inMiles) == words)
    }

    @Test("speeds are spoken as a treadmill shows them, with a tenth if there is one")
    func speeds() {
        #expect(Language.en.speed(metersPerSecond: 1000 / 330.0, inMiles: false) == "10.9 kilometers per hour")
        #expect(Language.en.speed(metersPerSecond: 10 / 3.0, inMiles: false) == "12 kilometers per hour")
        #expect(Language.en.speed(metersPerSecond: 1609.344 / 600, inMiles: true) == "6 miles per hour")
        #expect(Language.de.speed(metersPerSecond: 1000 / 330.0, inMiles: false) == "10,9 Kilometer pro Stunde")
    }

    @Test("distances so far are meters below a kilometer, then tenths")
    func distances() {
        #expect(Language.en.soFar(meters: 350, inMiles: false) == "350 meters so far")
        #expect(Language.en.soFar(meters: 3440, inMiles: false) == "3.4 kilometers so far")
        #expect(Language.en.soFar(meters: 1000, inMiles: false) == "1 kilometer so far")
        #expect(Language.en.soFar(meters: 350, inMiles: true) == "0.2 miles so far")
        #expect(Language.de.soFar(meters: 3440, inMiles: false) == "bisher 3,4 Kilometer")
    }

    @Test("less than a tenth of a mile is not told as a distance so far")
    func shortWays() {
        let announcement = Announcement(name: "Run", number: 2, isInMiles: true)
        func said(_ meters: Double) -> String {
            Language.en.words(announcement, [.soFar], lasting: .seconds(1), soFar: meters)
        }
        #expect(said(80) == "" && said(161) == "0.1 miles so far.")
    }

    @Test("no speed makes the words of a pace fail", arguments: [0, -1, 1e-9, 1e300, .infinity, .nan])
    func hostile(speed: Double) {
        for language in Language.allCases {
            _ = language.pace(metersPerSecond: speed, inMiles: false)
            #expect(!language.speed(metersPerSecond: speed, inMiles: true).isEmpty)
            #expect(!language.soFar(meters: speed, inMiles: false).isEmpty && !language.finished.isEmpty)
        }
    }
}
