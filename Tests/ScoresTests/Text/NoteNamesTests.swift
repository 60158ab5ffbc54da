import Languages
import Scores
import Testing

@Suite("Names of notes in the user's language") struct NoteNamesTests {
    @Test(
        "a name that scores do not have is read in the user's language",
        arguments: [
            ("H4", Language.de, "B4"), ("fis3", .de, "F#3"), ("As3, Es4 -6dB L50", .de, "Ab3, Eb4 -6dB L50"),
            ("3/2 of H3", .de, "3/2 of B3"), ("Si4", .fr, "B4"), ("Ré bémol 3", .fr, "Db3"),
            ("Do4, Sol#4", .es, "C4, G#4"),
            ("sib3+14c", .it, "Bb3+14c"), ("fa diesis 4", .it, "F#4"),
        ])
    func read(typed: String, language: Language, written: String) throws {
        #expect(NoteNames.scoreText(typed, language) == written)
        #expect(NoteNames.scoreText(written, language) == written)
    }

    @Test("what scores can say means the same in every language", arguments: Language.allCases)
    func same(language: Language) {
        for text in ["B4", "Bb3", "B4+14c", "3/2 of E4", "493.9 Hz", "off", "A4 -6dB R100", "C4 C"] {
            #expect(NoteNames.scoreText(text, language) == text)
        }
        #expect(NoteNames.scoreText("H4", .en) == "H4")
    }

    @Test("a score has no other names; the error says what to write")
    func scores() {
        func message(_ text: String) -> String {
            do throws(TextError) { return try Pitch(scoreText: text).description } catch { return error.description }
        }
        #expect(message("H4") == "'H4' is not a pitch; the German H is B, and the German B is Bb: write B4")
        #expect(message("Si4") == "'Si4' is not a pitch; write B4")
        #expect(message("Fis3") == "'Fis3' is not a pitch; write F#3")
        #expect(message("Do4") == "'Do4' is not a pitch; write C4")
        #expect(message("As4, C5") == "'As4, C5' is not a pitch, for example B4, Bb3, B4+14c or 493.9 Hz")
        #expect(message("La") == "'La' is not a pitch; write A4")
        #expect(message("Bb") == "the octave is missing, for example Bb4")
    }

    @Test("a German clarinet in B is one in B flat") func clarinet() {
        #expect(NoteNames.instrument("B", .de) == "Bb" && NoteNames.instrument("B", .fr) == "B")
    }
}
