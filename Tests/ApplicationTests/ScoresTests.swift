import Application
import Shared
import Testing

/// The list of scores, and copies of them.
@Suite struct ScoresTests {
    @Test("the names and titles of the bundled scores are listed")
    func bundled() async throws {
        let told = try await Home().scores()
        #expect(
            told.text == """
                irrational-meters  Irrational meters, after the notation of Mahnkopf's Prospero-Fragmente
                metronome          Metronome
                open-form          Open form, after the notation of Brown's Cross Sections
                run-walk-run       Run walk run
                sequenza-vii       Sequenza VII (1969)
                time-brackets      Time brackets, after the notation of Cage's Number Pieces
                until-the-sign     Until the sign, after the notation of Lutoslawski's Jeux venitiens

                """)
        #expect(told.isFine)
    }

    @Test("a copied score belongs to the user, and takes precedence over the bundled one")
    func copied() async throws {
        let home = Home()
        let path = "data/barline/scores/sequenza-vii.yaml"
        let copied = try await home.scores(copy: "sequenza-vii")
        #expect(copied.text == path + "\n" && copied.isFine)
        #expect(try await home.timeline("sequenza-vii").hasSuffix("\n169 bars, 4:53.800\n"))
        #expect(try await home.scores().text.contains("sequenza-vii       Sequenza VII (1969)  (\(path))\n"))

        try home.folder.write(path, "title: Mine\nbars: [{duration: 7.5, label: Hold}]\n")
        let again = try await home.scores(copy: "sequenza-vii")
        #expect(again.errors == "barline: error: '\(path)' cannot be written: File exists\n")
        #expect(again.text == "" && again.code == 73)
        let timeline = try await home.timeline("sequenza-vii") { $0.style = .csv }
        #expect(
            timeline
                == "index,section,line,bar,label,start_s,duration_s,number\n1,,1,1,Hold,0.000000000,7.500000000,1\n")
        #expect(try await home.scores().text.contains("sequenza-vii       Mine  (\(path))\n"))
    }

    @Test("a copy that fails says why") func failedCopy() async throws {
        let home = Home()
        let unknown = try await home.scores(copy: "sequenza")
        #expect(
            unknown.errors
                == "barline: error: there is no bundled score 'sequenza'; did you mean 'sequenza-vii'?\n")
        #expect(unknown.text == "" && unknown.code == 66)
        try home.folder.write("file", "")
        let blocked = try await home.scores(copy: "metronome", ["XDG_DATA_HOME": home.folder("file")])
        #expect(
            blocked.errors
                == "barline: error: 'file/barline/scores/metronome.yaml' cannot be written: Not a directory\n")
        #expect(blocked.text == "" && blocked.code == 73)
        #expect(home.folder.contents == ["file"])
    }

    @Test("a score that cannot be read is listed as such") func unreadable() async throws {
        let home = Home()
        let path = "data/barline/scores/broken.yaml"
        try home.folder.write(path, "bars: [x]\n")
        let told = try await home.scores()
        let broken = "broken             cannot be read; `barline check broken` says why  (\(path))\n"
        #expect(told.text.hasPrefix(broken + "irrational-meters  ") && told.isFine)
        // The command can be typed as it stands there.
        try home.folder.write("data/barline/scores/my 'bad'.yaml", "bars: [x]\n")
        #expect(try await home.scores().text.contains(#"`barline check 'my '\''bad'\'''` says why"#))
    }
}
