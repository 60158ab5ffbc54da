internal import Screens
internal import Serving
internal import Shared
internal import Testing

/// The messages of pages.
@Suite struct PageRequestTests {
    @Test("every request of a page is read")
    func requests() {
        #expect(PageRequest("hello 0123") == .hello(token: "0123"))
        #expect(PageRequest("clock 1234567") == .clock(1_234_567))
        #expect(PageRequest("key Space") == .key("Space"))
        #expect(PageRequest("key l") == .key("l"))
        #expect(
            PageRequest("tap 1234567") == .tap(1_234_567) && PageRequest("tap 01") == nil && PageRequest("tap") == nil)
        #expect(PageRequest("place 5.7") == .typed(.place, "5.7"))
        #expect(PageRequest("guests show") == .guests)
        #expect(
            PageRequest("about 150 2 viola da gamba")
                == .about(GuestReport(clock: .microseconds(150), lost: 2, voice: "viola da gamba")))
        #expect(PageRequest("about 0 0") == .about(GuestReport(clock: .zero, lost: 0, voice: "")))
        #expect(PageRequest("program silent 2 of 8") == .typed(.program, "silent 2 of 8"))
    }

    @Test("a request may have the time at which it was sent")
    func times() {
        #expect(SentRequest("at 1234567 place 5.7")?.request == .typed(.place, "5.7"))
        #expect(SentRequest("at 1234567 place 5.7")?.time == 1_234_567)
        #expect(SentRequest("key Space")?.request == .key("Space") && SentRequest("key Space")?.time == nil)
        for text in [
            "at", "at 5", "at 5 ", "at x key Space", "at 05 key Space", "at 5 key nothing", "at 5 at 5 key Space",
        ] {
            #expect(SentRequest(text) == nil, "\(text)")
        }
        let room = PageRequest.longest - "at 5 place ".count
        #expect(SentRequest("at 5 place " + String(repeating: "x", count: room)) != nil)
        #expect(SentRequest("at 5 place " + String(repeating: "x", count: room + 1)) == nil)
    }

    @Test(
        "any other text is not a request",
        arguments: [
            "", " ", "hello", "hello ", "clock", "clock x", "clock 1.5", "clock 01", "clock +1", "clock -0",
            "clock 99999999999999999999", "key", "key ", "key Tab", "key ?", "key nothing", "key space", "KEY Space",
            "stop", "stop now", "place", "file /etc/passwd", "{\"key\":\"Space\"}", "key Space\n", "key\tSpace",
            "about 1", "about -1 0", "about x 0 y", "about 1 9999999999999", "guests", "guests all", "hello \0",
            "place \u{1B}[2J",
        ])
    func others(text: String) { #expect(PageRequest(text) == nil) }

    @Test("a message longer than the limit is not a request")
    func length() {
        let room = PageRequest.longest - "place ".count
        #expect(PageRequest("place " + String(repeating: "x", count: room)) != nil)
        #expect(PageRequest("place " + String(repeating: "x", count: room + 1)) == nil)
        #expect(PageRequest("place " + String(repeating: "é", count: room / 2 + 1)) == nil)
    }

    @Test("an answer of a hundred characters is a request in every script")
    func scripts() {
        for question in StandControls.Question.allCases {
            for character in ["x", "é", "譜", "🎵"] {
                // A field counts UTF-16 units, as browsers do.
                let text = String(repeating: character, count: 100 / character.utf16.count)
                #expect(PageRequest("\(question.rawValue) \(text)") == .typed(question, text))
            }
        }
    }

    @Test("no text crashes the program, however strange it is")
    func noise() {
        var random = Seeded(state: 18)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let word = ["", "key ", "clock ", "hello ", "place "].randomElement(using: &random) ?? ""
            let text = word + String(decoding: bytes, as: UTF8.self)
            if case .clock(let time) = PageRequest(text) { #expect(text == "clock \(time)") }
        }
    }
}
