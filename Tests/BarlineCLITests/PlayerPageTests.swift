internal import Testing

/// The page as a player sees and touches it, in a real browser.
@Suite struct PlayerPageTests {
    @Test("a player sees the own voice, at most three flashes a second, and nothing cut, small or pale at any size")
    func player() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "duo.yaml",
            """
            title: "Duo for\\u202E two \\u2067clocks"
            voices:
              flute: {lines: [{bars: [0.12, {duration: 0.12, flash: rust}], repeat: 5000}]}
              oboe: {lines: [{bars: [1.7, 2.3], repeat: 300}]}
            """)
        // There is no sound card here.
        let facts = try await BrowserFacts(
            "player.py", "duo.yaml", options: ["--flash", "screen", "--flash-color", "teal"], device: nil, in: scratch)
        let flashes = try #require(facts["flashes"].first).split(separator: " ")
        #expect(Int(flashes[0]).map { $0 >= 15 } == true && flashes[1] == "True")
        // A title turns no text.
        #expect(facts["title"] == ["Duo for two clocks False"])
        // The first bar of a line has its own color.
        #expect(facts["colors"] == ["#d55e00 #e69f00"])
        #expect(facts["behind"] == ["-1"])
        #expect(facts["note"] == ["True no sound: counting silently"])
        #expect(facts["confirmed"] == ["105%"] && facts["toggle"] == ["yes"])
        #expect(facts["own"] == ["oboe True True"] && facts["lengths"] == ["1.7 2.3"])
        let (looks, contrasts): (Int, Int) = (4 * 9 + 4, 2 * 2 * 6)
        #expect(facts["look"].count >= looks)
        for look in facts["look"] { #expect(look.hasSuffix(" whole"), "\(look)") }
        #expect(facts["contrast"].count == contrasts)
        for contrast in facts["contrast"] { #expect(contrast.hasSuffix(" clear"), "\(contrast)") }
        #expect(facts["locked"] == ["['lock']"])
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    @Test("in Firefox on a machine without an output, touching Sound says so, and the page goes on")
    func silence() async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "bars: [0.4, 0.5]\nrepeat: 2000\n")
        let facts = try await BrowserFacts("firefoxserved.py", "piece.yaml", in: scratch)
        #expect(facts["before"] == [""])
        #expect(facts["note"] == ["this device has no output for sound, or the browser does not use it"])
        #expect(facts["sound"] == ["false"])
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }
}
