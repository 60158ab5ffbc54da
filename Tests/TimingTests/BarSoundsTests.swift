import Formats
import Scores
import Testing
import Timing

@Suite("Sounds of bars")
struct BarSoundsTests {
    private func sounds(_ change: (inout BarSounds) -> Void) throws -> [ClickSound] {
        let text = """
            sections:
              - {label: One, lines: [{bars: [1, 1]}, {bars: [1, 1]}]}
              - {label: Two, lines: [{bars: [1]}]}
            """
        let timeline = Timeline(try #require(Score.read(Array(text.utf8), file: "s.yaml").score))
        var sounds = BarSounds()
        change(&sounds)
        return (0..<timeline.barCount).map { sounds.sound(beginning: timeline[$0]) }
    }

    @Test("sections, lines and bars each have their own sound")
    func usual() throws {
        #expect(try sounds { _ in } == [.section, .bar, .line, .bar, .section])
    }

    @Test("a score can name every click sound", arguments: ClickSound.allCases)
    func asked(sound: ClickSound) throws {
        #expect(try BarClick(scoreText: sound.rawValue) == BarClick(sound))
    }

    @Test("a sound chosen for lines is heard only where a line begins", arguments: ClickSound.allCases)
    func line(sound: ClickSound) throws {
        #expect(try sounds { $0.line = sound } == [.section, .bar, sound, .bar, .section])
    }

    @Test("with one sound for all bars, lines and sections sound like bars")
    func alike() throws {
        let alike = try sounds {
            $0.areAlike = true
            $0.line = .end
        }
        #expect(Set(alike) == [.bar])
    }
}
