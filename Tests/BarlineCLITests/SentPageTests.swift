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
            composer: "<!-- nobody"
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
        #expect(facts["refused"] == ["there is no line 99: the piece has lines 1 to 20"])
        #expect(facts["tabs"] == ["choose-music choose-tone choose-practice choose-device"])
        #expect(facts["forgets"] == ["this browser keeps no settings for this page"])
        // The icon is in the file itself.
        #expect(facts["asked"].allSatisfy { $0.isEmpty || $0 == "data:image/svg+xml" }, "\(facts["asked"])")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }
}
