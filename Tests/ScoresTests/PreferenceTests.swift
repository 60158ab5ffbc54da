import Formats
import Scores
import Testing

@Suite("Preferences of a score")
struct PreferenceTests {
    private func preferences(_ text: String, file: String = "s.yaml") -> Set<Score.Preference> {
        let reading = Score.read(Array(text.utf8), file: file)
        #expect(reading.score != nil, "\(reading.diagnostics)")
        return reading.preferences
    }

    @Test("the preferences of a score are those that its file states, even if they equal the defaults")
    func stated() {
        #expect(preferences("bars: [1]") == [])
        #expect(preferences("title: T\ncomposer: C\ntempo: 60\nbars: [1]") == [])
        #expect(
            preferences("a4: 440\nspeed: 100%\ncount-in: 0\nbeats: off\ngrid: off\nbars: [1]")
                == [.a4, .speed, .countIn, .beats, .grid])
        // Parts of beats also turn the beats on.
        #expect(preferences("subdivide: 1\nbars: [1]") == [.subdivide, .beats])
        #expect(preferences("drone: off\nbars: [1]") == [.drone])
        #expect(
            preferences("drone: {level: -24 dB, fade: 2}\nbars: [1]").map(\.name).sorted() == [
                "drone", "drone-level", "fade",
            ])
        #expect(
            preferences("instrument: C\ntemperature: 20 C\ntonic: D\nbars: [1]").map(\.name).sorted() == [
                "instrument", "temperature", "tonic",
            ])
        // A temperament also states its tonic, which is C by default.
        #expect(preferences("tuning: equal\nbars: [1]") == [.tuning, .tonic, .keyboardMap])
    }

    @Test("formats without keys for sound have no preferences")
    func others() {
        #expect(preferences("label,duration\nA,1\n", file: "s.csv") == [])
        #expect(preferences("2 4/4 60\n", file: "s.klick") == [])
    }

    @Test("the text of a preference reads back as the same value", arguments: Score.Preference.all)
    func texts(preference: Score.Preference) throws {
        let text = """
            a4: 441.5
            tuning: young
            tonic: Eb
            instrument: Bb
            temperature: -5 C
            drone: {notes: 'B3, F#4 -6dB L50', level: -30.5 dB, waveform: reed-organ, brightness: -20 %, variation: 1 dB,
              beating: 0.5 Hz, fade: 0.25}
            count-in: 2.5
            speed: 72.5125%
            beats: on
            subdivide: 3
            grid: 4 parts
            bars: [1]
            """
        let score = try #require(Score.read(Array(text.utf8), file: "s.yaml").score)
        let said = try #require(preference.text(score))
        #expect(said != preference.text(Score(drone: Score.Drone(), lines: [])) || preference == .keyboardMap)
        let line: String
        let property = Score.Drone.properties.first { $0.setting == preference.name }
        switch preference {
        case .drone: line = "drone: {notes: '\(said)'}"
        case .keyboardMap:
            #expect(said == "none")
            return
        default: line = property.map { "drone: {\($0.key): \(said)}" } ?? "\(preference.name): \(said)"
        }
        let again = try #require(Score.read(Array((line + "\nbars: [1]").utf8), file: "s.yaml").score)
        #expect(preference.text(again) == said)
    }
}
