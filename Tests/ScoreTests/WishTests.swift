import Formats
import Score
import Testing

@Suite("What a score has a say in")
struct WishTests {
    private func wishes(_ text: String, file: String = "s.yaml") -> Set<Score.Wish> {
        let reading = Score.read(Array(text.utf8), file: file)
        #expect(reading.score != nil, "\(reading.diagnostics)")
        return reading.wishes
    }

    @Test("what a file states is its own wish, the default too, and nothing else is")
    func stated() {
        #expect(wishes("bars: [1]") == [])
        #expect(wishes("title: T\ncomposer: C\ntempo: 60\nbars: [1]") == [])
        #expect(
            wishes("a4: 440\nspeed: 100%\ncount-in: 0\nbeats: off\ngrid: off\nbars: [1]")
                == [.a4, .speed, .countIn, .beats, .grid])
        #expect(wishes("drone: off\nbars: [1]") == [.drone])
        #expect(wishes("drone: {level: -24 dB, fade: 2}\nbars: [1]") == [.drone, .droneLevel, .fade])
        #expect(wishes("instrument: C\ntemperature: 20 C\ntonic: D\nbars: [1]") == [.instrument, .temperature, .tonic])
        // A temperament is meant from C unless it says otherwise.
        #expect(wishes("tuning: equal\nbars: [1]") == [.tuning, .tonic, .keyboardMap])
    }

    @Test("formats that know of no sound have no wishes")
    func others() {
        #expect(wishes("label,duration\nA,1\n", file: "s.csv") == [])
        #expect(wishes("2 4/4 60\n", file: "s.klick") == [])
    }

    @Test("what is said of a wish reads back to the same", arguments: Score.Wish.allCases)
    func texts(wish: Score.Wish) throws {
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
            grid: 4 parts
            bars: [1]
            """
        let score = try #require(Score.read(Array(text.utf8), file: "s.yaml").score)
        let said = try #require(score.text(of: wish))
        #expect(said != Score(drone: Score.Drone(), lines: []).text(of: wish) || wish == .keyboardMap)
        let line: String
        switch wish {
        case .drone: line = "drone: {notes: '\(said)'}"
        case .droneLevel: line = "drone: {level: \(said)}"
        case .droneWaveform: line = "drone: {waveform: \(said)}"
        case .brightness, .variation, .beating, .fade: line = "drone: {\(wish.rawValue): \(said)}"
        case .keyboardMap:
            #expect(said == "none")
            return
        default: line = "\(wish.rawValue): \(said)"
        }
        let again = try #require(Score.read(Array((line + "\nbars: [1]").utf8), file: "s.yaml").score)
        #expect(again.text(of: wish) == said)
    }
}
