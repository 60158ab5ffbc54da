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
        #expect(facts["ahead"] == ["4"])
        #expect(facts["texts"] == ["</script>  <script>alert(1)</script>"])
        #expect(facts["paused"] == ["True"] && facts["kept"] == ["105%"])
        #expect(facts["untapped"] == ["True"])
        let report = try await Program.run(["report", "taps.csv", "--taps", "--csv"], in: scratch)
        let taps = report.text.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        // Two bars that follow each other were tapped, each of 2 s.
        let neighbors = zip(taps, taps.dropFirst()).filter { !$0[3].isEmpty && !$1[3].isEmpty }
        #expect(neighbors.first?.0[5] == "2.000000", "\(report.text)\(report.errors)")
        #expect(facts["away"] == ["no sound since "] && facts["back"] == ["sound was away"])
        #expect(facts["devices"] == ["true"])
        #expect(facts["refused"] == ["there is no line 99: the piece has lines 1 to 20"])
        #expect(facts["tabs"] == ["choose-music choose-tone choose-practice choose-device"])
        #expect(facts["forgets"] == ["this browser keeps no settings for this page"])
        // The icon is in the file itself.
        #expect(facts["asked"].allSatisfy { $0.isEmpty || $0 == "data:image/svg+xml" }, "\(facts["asked"])")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    @Test("render writes a page with its options, and the page's streamer runs to a hit, which is punched once")
    func film() async throws {
        let scratch = try Scratch()
        try scratch.write("film.yaml", "tempo: 60\nbars: [4/4, {meter: 4/4, hit: 0:06 at beat 3}, 2/4]\n")
        let options = ["--speed", "200%", "--count-in", "0.5", "--drone", "E4", "--a4", "442"]
        let facts = try await BrowserFacts(
            "film.py", running: ["render", "film.yaml"] + options + ["-o", "film.html"], in: scratch)
        #expect(
            facts["settings"].first?.hasPrefix("200%   A4 442.0   drone E4 331.13 Hz") == true, "\(facts["settings"])")
        // At 200 %, the bars begin at 0, 2 and 4 s, and the hit is at 3 s: white from the first bar on, and after it red,
        // since the next bar is the last.
        let seen = facts["seen"]
        #expect(seen.first == "var(--ink) 0" && seen.count { $0.hasPrefix("punch") } == 1, "\(seen)")
        let after = seen.firstIndex(of: "punch 1").map { seen[$0...] } ?? []
        #expect(after.contains { $0.hasPrefix("#") } && !after.contains { $0.hasPrefix("var") }, "\(seen)")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    @Test(
        "nothing of a page of one file is cut, small or pale at any size, and each control has a name and a visible focus"
    )
    func look() async throws {
        let facts = try await BrowserFacts(
            "sentlook.py", running: ["convert", "sequenza-vii", "page.html"], in: try Scratch())
        let looks = 8 * 10 + 4 + 4 * 2 * 5
        #expect(facts["look"].count >= looks)
        #expect(facts["language"] == ["de", "es", "fr", "it"])
        #expect(facts["wide"].count == 15)
        for look in facts["look"] + facts["wide"] { #expect(look.hasSuffix(" whole"), "\(look)") }
        let contrasts: Int = 2 * 2 * 5
        #expect(facts["contrast"].count == contrasts)
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
        let facts = try await BrowserFacts(
            "firefoxsent.py", running: ["convert", "piece.yaml", "page.html"], in: scratch)
        #expect(facts["title"] == ["</b>"])
        // Without a sound card, Firefox has no output.
        let words = ["on", "this device has no output for sound, or the browser does not use it"]
        #expect(facts["sound"].first.map(words.contains) == true, "\(facts["sound"])")
        // The first row is a boundary of line 1 or the tap itself.
        #expect(facts["taps"].count == 1 && facts["taps"][0].contains(" 1 "), "\(facts["taps"])")
        #expect(facts["kept"] == ["105% "])
        #expect(facts["asked"].allSatisfy { $0 == "data:image/svg+xml" }, "\(facts["asked"])")
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }
}
