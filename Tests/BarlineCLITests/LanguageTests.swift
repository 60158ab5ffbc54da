internal import Testing

/// What the program says in the languages that it has, chosen by the environment.
@Suite struct LanguageTests {
    private static let locales = ["de_DE.UTF-8", "fr_FR.UTF-8", "it_IT.UTF-8", "es_ES.UTF-8"]
    private static let commands = [
        "play", "serve", "follow", "render", "timeline", "convert", "check", "scores", "drone", "devices", "report",
        "pace",
        "plan", "splits", "galloway", "every", "tap", "stop", "pause", "continue", "status", "config", "keys", "log",
        "doctor",
    ]

    private static let readByPrograms = [
        ["timeline", "sequenza-vii", "--csv"], ["pace", "10k in 45:00", "--json"], ["keys", "--json"],
        ["config", "--json"], ["splits", "10k", "in", "45:00", "--csv"],
        ["convert", "sequenza-vii", "-", "--to", "klick"], ["convert", "sequenza-vii", "-", "--to", "audacity"],
    ]

    /// What the program says in English: help, and what programs read.
    private static let english = Task {
        let scratch = try Scratch()
        var said: [[String]: String] = [:]
        for command in ([[]] + commands.map { [$0] }).map({ $0 + ["--help"] }) + readByPrograms {
            let outcome = try await Program.run(command, in: scratch)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
            said[command] = outcome.text
        }
        return said
    }

    @Test("the whole help of every command is in the user's language", arguments: locales)
    func help(_ locale: String) async throws {
        let scratch = try Scratch()
        for (command, english) in try await Self.english.value where command.last == "--help" {
            let other = try await Program.run(command, in: scratch, environment: ["LC_ALL": locale])
            #expect(other.code == 0 && other.errors.isEmpty)
            // Names of options and values, and examples, are the same in both.
            let same = Set(english.split(separator: "\n")).intersection(other.text.split(separator: "\n"))
            let prose = same.filter { line in
                let words = line.split(separator: " ").filter { $0.allSatisfy(\.isLetter) && $0.count > 2 }
                return words.count > 3 && !line.contains("barline ")
            }
            #expect(prose.isEmpty, "\(command): \(prose.sorted())")
            // The headings of ArgumentParser, whose texts `ParserWords` knows by their words.
            for heading in ["OVERVIEW:", "USAGE:", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:", "(default)", "(default:"] {
                #expect(!other.text.contains(heading), "\(command): \(heading)")
            }
        }
    }

    @Test(
        "errors are in the user's language, with the same place and exit code; what programs read is the same in every language",
        arguments: zip(
            locales,
            [
                ("Fehler: 'oops' ist keine Dauer, zum Beispiel 2.7 oder 1:30", "barline: Fehler: Unbekannte Option"),
                ("erreur\u{A0}: 'oops'", "barline: erreur\u{A0}: Option inconnue"),
                ("errore: 'oops'", "barline: errore: Opzione"),
                ("error: 'oops' no es", "barline: error: Opción"),
            ]))
    func errors(_ locale: String, _ expected: (bad: String, option: String)) async throws {
        let scratch = try Scratch()
        try scratch.write("bad.yaml", "title: X\nlines: [{bars: [0.5, oops]}]\n")
        let bad = try await Program.run(["check", "bad.yaml"], in: scratch, environment: ["LANG": locale])
        #expect(bad.code == 65 && bad.errors.hasPrefix("bad.yaml:2:22: \(expected.bad)"), "\(bad.errors)")
        let option = try await Program.run(["play", "--frm", "3"], in: scratch, environment: ["LANG": locale])
        #expect(option.code == 64 && option.errors.hasPrefix(expected.option), "\(option.errors)")
        #expect(
            !option.errors.contains("for more information") && option.errors.contains("'--from'"), "\(option.errors)")
        for (command, english) in try await Self.english.value where command.last != "--help" {
            let other = try await Program.run(command, in: scratch, environment: ["LC_ALL": locale])
            #expect(other.text == english, "\(command)")
        }
    }

    @Test(
        "the stand is in the user's language, and one page explains all its keys",
        arguments: zip(
            locales,
            [
                ["Zeile 1, Takt 1 von 3", "PAUSE", "Pause, weiter", "Ende (auch Q)"],
                ["ligne 1, mesure 1 sur 3", "PAUSE", "pause, reprise", "fin (ou Q)"],
                ["riga 1, battuta 1 di 3", "IN PAUSA", "pausa, ripresa", "fine (anche Q)"],
                ["línea 1, compás 1 de 3", "EN PAUSA", "pausa, reanudar", "fin (o Q)"],
            ]))
    func stand(_ locale: String, _ texts: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "lines: [{bars: [5, 5, 5], repeat: 50}]\n")
        try await TerminalSession.run(
            ["play", "long.yaml", "--device", "null"], in: scratch, environment: ["LC_ALL": locale]
        ) { session in
            try session.wait(for: texts[0])
            session.type(" ")
            try session.wait(for: texts[1])
            session.type("?")
            try session.wait(for: "a page with the first and the last key") {
                let page = session.picture.rows.joined(separator: "\n")
                return page.contains(texts[2]) && page.contains(texts[3])
            }
            session.type("?q")
            try session.expectEnd(0)
        }
    }
}
