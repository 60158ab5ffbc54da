internal import Testing

/// The page of one file, in a real browser.
@Suite struct SentPageTests {
    @Test("a page of one file plays, pauses, jumps, loops and keeps its settings, and asks nobody for anything")
    func file() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "piece.yaml",
            """
            title: "</script><b>&amp;"
            composer: "<!-- nobody\\u202E"
            count-in: 1
            lines:
              - label: "</script>"
                bars: [{duration: 2, cue: "<script>alert(1)</script>"}, 2, 2, 2]
                repeat: 20
            """)
        let facts = try await BrowserFacts("sent.py", running: ["convert", "piece.yaml", "page.html"], in: scratch)
        #expect(facts["begin"] == ["paused false"])
        #expect(facts["title"] == ["</script><b>&amp; · <!-- nobody"])
        #expect(facts["texts"] == ["</script>  <script>alert(1)</script>"])
        #expect(facts["paused"] == ["True"] && facts["kept"] == ["105%"])
        #expect(facts["away"] == ["no sound since "] && facts["back"] == ["sound was away"])
        #expect(facts["devices"] == ["true"])
        #expect(facts["refused"] == ["there is no line 99: the piece has lines 1 to 20"])
        #expect(facts["tabs"] == ["choose-music choose-tone choose-practice choose-device"])
        #expect(facts["forgets"] == ["this browser keeps no settings for this page"])
        // The icon is in the file itself.
        #expect(facts["asked"].allSatisfy { $0.isEmpty || $0 == "data:image/svg+xml" }, "\(facts["asked"])")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    @Test(
        "nothing of a page of one file is cut, small or pale at any size, and each control has a name and a visible focus"
    )
    func look() async throws {
        let facts = try await BrowserFacts(
            "sentlook.py", running: ["convert", "sequenza-vii", "page.html"], in: try Scratch())
        #expect(facts["look"].count >= 8 * 10 + 4)
        for look in facts["look"] { #expect(look.hasSuffix(" whole"), "\(look)") }
        #expect(facts["contrast"].count == 2 * 2 * 5)
        for contrast in facts["contrast"] { #expect(contrast.hasSuffix(" clear"), "\(contrast)") }
        let seen = facts["begin"] + facts["reader"]
        #expect(seen.filter { $0.hasPrefix("control ") }.count >= 50)
        #expect(!seen.contains { $0.contains("WITHOUT A NAME") || $0.hasPrefix("unseen") }, "\(seen)")
        for landmark in ["banner", "main The music", "region Messages", "region All controls", "navigation Controls"] {
            #expect(seen.contains { $0.hasPrefix("landmark \(landmark)") }, "no \(landmark)")
        }
        #expect(seen.contains("live polite"))
        #expect(seen.filter { $0.hasPrefix("order sensible") }.count == 4)
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    @Test(
        "in Firefox, a page of one file plays, pauses, jumps and keeps its settings, and asks nobody for anything"
    )
    func firefox() async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "title: </b>\ncount-in: 1\nlines: [{bars: [2, 2, 2, 2], repeat: 20}]\n")
        let facts = try await BrowserFacts("firefox.py", running: ["convert", "piece.yaml", "page.html"], in: scratch)
        #expect(facts["title"] == ["</b>"])
        // Without a sound card, Firefox has no output.
        let words = ["on", "this device has no output for sound, or the browser does not use it"]
        #expect(facts["sound"].first.map(words.contains) == true, "\(facts["sound"])")
        #expect(facts["kept"] == ["105% "])
        #expect(facts["asked"].allSatisfy { $0 == "data:image/svg+xml" }, "\(facts["asked"])")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }
}
