internal import Playback
internal import Screens
internal import Testing

internal import Serving

/// What a player tells, on its way to pages and followers.
@Suite struct ToldTests {
    @Test(
        "pages are told of taps, pages and followers of messages to all, also those that come later; nobody of a note")
    func listeners() throws {
        #expect(Told.Word.mark("good").listeners.isEmpty && Told.Word.tap(at: 5).listeners == [.page])
        let music = try ServedMusic()
        var screen = PageScreen(music.server)
        var status = ServedMusic.status(bars: 4)
        let bar = status.performance.passage.bar(of: 0)
        func read(_ greeting: [String], until end: String) throws {
            let browser = try RawBrowser.live(port: music.server.port)
            browser.send(RawBrowser.message("hello \(music.server.watch.text)"))
            for line in greeting { browser.send(RawBrowser.message(line)) }
            try browser.read { $0.text.contains(end) }
        }
        for (number, word) in [Told.Word.tap(at: 5), .mark("secret")].enumerated() {
            status.told = Told(number: number + 1, word, bar, arrived: 5)
            _ = screen.show(status, at: 0)
        }
        try read([], until: "{\"told\": \"1.1: 0 ms late\", \"aloud\": 1, \"at\": 5}")
        status.told = Told(number: 3, .message("once more from B"), bar, arrived: 7)
        _ = screen.show(status, at: 1)
        try read([], until: "{\"told\": \"said at 1.1: once more from B\", \"aloud\": 0, \"at\": 7}")
        try read(["follow score"], until: "told 7\nsaid at 1.1: once more from B")
        // In the next piece, it is forgotten.
        var newest = Pages.Newest()
        newest.put(.told(.page), "from B".utf8)
        newest.forgetTold()
        #expect(newest[.told(.page)].text.isEmpty && newest[.told(.page)].number == 2)
    }

    @Test("each word of a leader is known to a follower once, and the next one in place of it")
    func follower() {
        var talk = LeaderTalk(secret: "s")
        func take(_ text: String, _ time: Int64) -> Bool { talk.take(FollowerMessage.told(text, at: time).text, at: 9) }
        #expect(take("from B", 5) && talk.known.told?.text == "from B")
        #expect(!take("from B", 5) && take("from B", 6) && take("from C", 7) && talk.known.told?.text == "from C")
        #expect(FollowerMessage(Array("told x\nfrom B".utf8)) == nil)
    }
}
