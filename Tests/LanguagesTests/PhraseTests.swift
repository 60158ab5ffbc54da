import Languages
import Testing

@Suite("A phrase")
struct PhraseTests {
    @Test("a phrase has its values where the translation puts them")
    func order() {
        let phrase: Phrase = "sound device \("hw:0") lost: \("unplugged")"
        #expect(phrase.key == "sound device {1} lost: {2}")
        #expect(phrase.english == "sound device hw:0 lost: unplugged")
        #expect(phrase.text(by: "{2}: {1} weg") == "unplugged: hw:0 weg")
        #expect(phrase.text(by: "{1} {1}") == "hw:0 hw:0")
    }

    @Test("a phrase keeps braces that are not placeholders, also in its values")
    func braces() {
        let phrase: Phrase = "{x} \("{1}") {2} {} {"
        #expect(phrase.english == "{x} {1} {2} {} {")
        let bare: Phrase = "{1}"
        #expect(bare.text(by: bare.key) == "{1}")
    }

    @Test("a phrase of several literals numbers its values through all of them")
    func sum() {
        let phrase: Phrase = "bar \(1) of " + "line \(2), " + "\(3)"
        #expect(phrase.key == "bar {1} of line {2}, {3}")
        #expect(phrase.english == "bar 1 of line 2, 3")
        #expect(phrase.text(by: "{3}: Zeile {2}, Takt {1}") == "3: Zeile 2, Takt 1")
    }

    @Test("a phrase shows a value as a string does")
    func optional() {
        let none: Int? = nil
        let phrase: Phrase = "\(String(describing: none))\(0.5)\("a"[...])"
        #expect(phrase.english == "nil0.5a")
    }
}
