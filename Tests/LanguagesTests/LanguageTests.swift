import Languages
import Testing

@Suite("The language of messages")
struct LanguageTests {
    @Test(
        "the first variable that is set decides, in the order of POSIX",
        arguments: [
            (["LANG": "de_DE.UTF-8"], Language.de),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"], .fr),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR", "LC_ALL": "it"], .it),
            (["LANG": "es_MX@modern", "LC_ALL": ""], .es),
            (["LANG": "en_GB.UTF-8"], .en),
            (["LANG": "C.UTF-8"], .en),
            (["LANG": "POSIX"], .en),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .en),
            (["LANG": "pt_BR.UTF-8"], .en),
            (["LANG": "deu"], .en),
            ([:], .en),
        ])
    func first(_ environment: [String: String], _ language: Language) {
        #expect(Language(environment: environment) == language)
    }
}
