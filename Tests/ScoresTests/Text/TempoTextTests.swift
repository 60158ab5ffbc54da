import SampleScores
import Scores
import Shared
import Testing

@Suite("Note values and tempi as text")
struct TempoTextTests {
    @Test(
        "a note value can be dotted, in nested tuplets, and tied",
        arguments: [
            ("1/8", Fraction(1, 8)), ("dotted quarter", Fraction(3, 8)), ("1/8 3:2", Fraction(1, 12)),
            ("1/8 3:2 5:4", Fraction(1, 15)), ("1/4. 3:2 5:4 7:4", Fraction(4, 35)), ("1/4 + 1/16", Fraction(5, 16)),
            ("half+1/16", Fraction(9, 16)), ("1/8 3:2 + 1/16 5:4 3:2", Fraction(7, 60)),
            ("1/4 + 1/8. + 1/16", Fraction(1, 2)), ("1/8   3:2\t5:4", Fraction(1, 15)),
        ])
    func values(text: String, expected: Fraction) throws {
        #expect(try Fraction(noteText: text) == expected)
        #expect(try TempoMark(scoreText: "\(text) = 90") == .tempo(Tempo(expected, Fraction(90))))
        #expect(try TempoMark(scoreText: "1/4 = \(text)") == .modulation(old: Fraction(1, 4), new: expected))
        #expect(try Beat(scoreText: "\(text) s") == Beat(.subdivision, expected))
    }

    @Test("nested tuplets and ties are exact products and sums, and read back from what is written")
    func exact() throws {
        var random = Seeded(state: 16)
        for _ in 0..<500 {
            var texts: [String] = []
            // An independent model: numerators over the common denominator of all terms.
            var (sum, common) = (0, 1)
            for _ in 0..<random.int(1...3) {
                let power = 1 << random.int(0...5)
                var (above, below, text) = (1, power, "1/\(power)")
                for _ in 0..<random.int(0...3) {
                    let (notes, time) = (random.int(2...9), random.int(2...8))
                    (above, below) = (above * time, below * notes)
                    text += " \(notes):\(time)"
                }
                (sum, common) = (sum * below + above * common, common * below)
                texts.append(text)
            }
            let text = texts.joined(separator: " + ")
            guard let value = try? Fraction(noteText: text) else {
                // Only a value outside of the range of notes may be refused: one of the terms, or the sum.
                #expect(message { try Fraction(noteText: text) }.contains("10 000th to 1000 whole notes"), "\(text)")
                continue
            }
            #expect(value == Fraction(Int64(sum), Int64(common)), "\(text)")
            #expect(try Fraction(noteText: value.noteText) == value, "\(text)")
        }
    }

    @Test(
        "a text that is not a note value is refused with a reason",
        arguments: [
            ("1/4 +", "a note value is missing after the '+', for example 1/4 + 1/16"),
            ("1/4 + x", "a note value is missing after the '+', for example 1/4 + 1/16"),
            ("1/8 3:", "a number is missing after the ':', for example 3:2"),
            ("1/8 3", "'1/8 3' is not a note value, for example 1/8, 1/8., quarter, 1/8 3:2 or 1/4 + 1/16"),
            ("1/8 999999:1", "a note value must be a 10 000th to 1000 whole notes"),
            (
                "1/8 3.123456789:2.987654321 5.123456789:4.987654321",
                "the tuplets of this note value have too many digits, for example 1/8 3:2 5:4"
            ), ("1000/1 + 1/4", "a note value must be a 10 000th to 1000 whole notes"),
        ])
    func wrongValues(text: String, expected: String) {
        #expect(message { try Fraction(noteText: text) } == expected)
    }

    @Test(
        "a text that is not a tempo is refused with a suggestion",
        arguments: [
            (
                "3:2",
                "'3:2' is a ratio, not a tempo; a metric modulation needs two note values; to go 3/2 as fast, write 1/4 3:2 = 1/4"
            ), ("1:30", "'1:30' is a duration, not a tempo, for example 90 or 1/4 = 90, notes per minute"),
            ("1:02:03", "'1:02:03' is a duration, not a tempo, for example 90 or 1/4 = 90, notes per minute"),
            ("120 bpm", "'120 bpm' is not a tempo; write 120 or 1/4 = 120 without a unit"),
            ("72.5BPM", "'72.5BPM' is not a tempo; write 72.5 or 1/4 = 72.5 without a unit"),
            ("1/8. = 90 bpm", "'1/8. = 90 bpm' is not a tempo; write 1/8. = 90 without a unit"),
            ("120/min", "'120/min' is not a tempo; write 120 or 1/4 = 120 without a unit"),
            ("fast bpm", "'fast bpm' is not a tempo, for example 1/4 = 60, 1/8. = 90 or 1/4. = 1/4"),
            ("Allegro", "'Allegro' is not a tempo, for example 1/4 = 60, 1/8. = 90 or 1/4. = 1/4"),
        ])
    func wrongTempi(text: String, expected: String) {
        #expect(message { try TempoMark(scoreText: text) } == expected)
        #expect(message { try Tempo(scoreText: text) } == expected)
    }

    @Test("the modulation that an error proposes is as fast as the ratio says")
    func proposal() throws {
        let mark = try TempoMark(scoreText: "1/4 3:2 = 1/4")
        #expect(mark.tempo(after: .standard).wholeNotes == Tempo.standard.wholeNotes * Fraction(3, 2))
    }

    @Test(
        "note values as letters are refused with what to write",
        arguments: [
            ("q=72", "1/4 = 72"), ("H. = 60", "1/2. = 60"), ("e = q", "1/8 = q"), ("crotchet = 90", "1/4 = 90"),
        ])
    func letters(text: String, mend: String) {
        let note = text.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
        #expect(message { try TempoMark(scoreText: text) } == "'\(note)' is not a note value; write \(mend)")
    }

    @Test("a rate with a note value may be a quotient")
    func quotient() throws {
        #expect(try Tempo(scoreText: "1/4 = 400:3") == Tempo(Fraction(1, 4), Fraction(400, 3)))
    }

    @Test("a text of two hundred thousand ties or tuplets is read in a moment")
    func long() {
        for piece in [" + 1/999999", " 1:1"] {
            let text = "1/4" + String(repeating: piece, count: 200_000)
            _ = try? Fraction(noteText: text)
            _ = try? Tempo(scoreText: text + " bpm")
        }
        #expect(throws: TextError.self) { try Tempo(scoreText: String(repeating: "bpm", count: 200_000)) }
    }

    @Test(
        "the error about a musical term that is not a key suggests the right key",
        arguments: [
            (
                "bars: [{meter: 4/4, fermata: 3}]",
                "a bar has no key 'fermata'; write hold: 5, hold: 5 at beat 3 or hold: until cue"
            ),
            (
                "fermata: 3\nbars: [3]",
                "a score has no key 'fermata'; a bar has it as 'hold', for example {meter: 4/4, hold: 5 at beat 3}"
            ),
            (
                "bars: [4/4 fermata]",
                "'4/4 fermata' is not a bar; write a fermata as a hold, for example {meter: 4/4, hold: 5 at beat 3}"
            ),
            (
                "bars: [{meter: 4/4, ramp: {from: 60, to: 90, over: 4 bars}}]",
                "'60' is not a beat; a ramp begins with the tempo before it: write tempo: 60 beside 'ramp', as in {meter: 4/4, tempo: 60, ramp: {to: 90, over: 4 bars}}"
            ), ("bpm: 120\nbars: [4/4]", "a score has no key 'bpm'; write tempo: 120 or tempo: 1/4 = 120"),
            ("bars: [{meter: 4/4, rit: 60}]", "a bar has no key 'rit'; write ramp: {to: 1/4 = 90, over: 4 bars}"),
        ])
    func synonyms(text: String, expected: String) {
        let said = rendered(text).split(separator: "\n").first ?? ""
        #expect(said.hasSuffix("error: \(expected)"), "\(said)")
    }
}
