import Scores
import Shared
import Testing

@Suite("Seconds, bars and beats before music")
struct LeadTextTests {
    @Test("a lead is a time, a number of bars or a number of beats")
    func reading() throws {
        for (text, lead) in [
            ("3", .seconds(3)), ("2.5 s", .milliseconds(2500)), ("1:00", .seconds(60)), ("500 ms", .milliseconds(500)),
            ("0", .off), ("off", .off), (" Off ", .off), ("1 bar", .bars(1)), ("2 bars", .bars(2)), ("2bars", .bars(2)),
            ("1 Beat", .beats(1)), ("8 beats", .beats(8)), ("64 beats", .beats(64)), ("16 bars", .bars(16)),
        ] as [(String, Score.Lead)] {
            #expect(try Score.Lead(scoreText: text, "a count-in") == lead)
        }
    }

    @Test("the text of a lead reads back as the same lead")
    func writing() throws {
        for lead in [.off, .milliseconds(2700), .bars(1), .bars(16), .beats(1), .beats(8)] as [Score.Lead] {
            #expect(try Score.Lead(scoreText: lead.text, "a count-in") == lead)
        }
    }

    @Test("the error says what is wrong, and what a lead can be")
    func errors() {
        for (text, error) in [
            ("0 bars", "a count-in has 1 to 16 bars, for example 1 bar"),
            ("17 bars", "a count-in has 1 to 16 bars, for example 1 bar"),
            ("1.5 bars", "a count-in has 1 to 16 bars, for example 1 bar"),
            ("beats", "a count-in has 1 to 64 beats, for example 8 beats"),
            ("99999999999999999999 beats", "a count-in has 1 to 64 beats, for example 8 beats"),
            ("2 measures", "'2 measures' is not a count-in, for example 3, 1 bar, 8 beats or off"),
            ("some", "'some' is not a count-in, for example 3, 1 bar, 8 beats or off"),
            ("61", "a count-in lasts at most 60 s"),
            ("-1", "a duration cannot be negative"),
            ("", "a duration is missing, for example 2.7 or 1:30"),
        ] {
            #expect(message { try Score.Lead(scoreText: text, "a count-in") } == error)
        }
    }
}
