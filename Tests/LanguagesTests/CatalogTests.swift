import Languages
import Testing

@Suite("A catalog of translations")
struct CatalogTests {
    @Test("a catalog can have texts over several lines, with escapes")
    func lines() {
        let file = #"""
            # A comment.
            msgid ""
            msgstr "Language: de\n"

            #: Sources/A.swift
            msgid "a \"b\"\n"
            "c"
            msgstr ""
            "ä „b“\n"
            "c"

            msgid "left"
            msgstr ""

            msgctxt "spoken"
            msgid "left"
            msgstr "noch"

            msgid "right"
            msgstr "rechts"
            """#
        let catalog = Catalog(file.utf8)
        #expect(catalog.keys == ["a \"b\"\nc", "spoken\u{4}left", "right"])
        #expect(catalog.translation("a \"b\"\nc") == "ä „b“\nc")
        #expect(catalog.translation("left") == nil)
    }

    @Test("the catalogs of all languages have the same texts", arguments: Language.allCases.filter { $0 != .en })
    func same(_ language: Language) {
        let keys = Catalog(language).keys
        #expect(!keys.isEmpty)
        #expect(keys == Catalog(.de).keys)
    }

    @Test("English has no catalog, because its texts are in the sources")
    func english() { #expect(Catalog(.en).keys.isEmpty) }
}
