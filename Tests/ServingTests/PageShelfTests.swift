internal import Glibc
internal import Shared
internal import Testing

internal import Serving

/// Scores that pages send, and files that they fetch.
@Suite struct PageShelfTests {
    private let music: ServedMusic
    private let shelf = TestShelf()

    init() throws {
        music = try ServedMusic()
        music.server.offer(shelf)
    }

    /// A page that has said hello with a token.
    private func page(_ token: PageToken) throws -> RawBrowser {
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \(token.text)"))
        try browser.read { $0.text.contains("\"state\"") }
        return browser
    }

    /// The ticket that a page gets to send a score.
    private func ticket(_ browser: RawBrowser, named name: String = "piece.yaml") throws -> String {
        browser.send(RawBrowser.message("drop \(name)"))
        try browser.read { $0.text.contains("\"most\"") }
        return String(try #require(browser.text.matches(of: /"send": "([0-9a-f]+)"/).last).1)
    }

    /// A body whose last `missing` bytes are still on their way.
    private func begin(_ ticket: String, _ body: [UInt8], missing: Int) throws -> RawBrowser {
        let browser = try RawBrowser(port: music.server.port)
        browser.send(
            "POST /upload HTTP/1.1\r\nHost: 127.0.0.1:\(music.server.port)\r\nAuthorization: Bearer \(ticket)\r\n"
                + "Content-Type: application/octet-stream\r\nContent-Length: \(body.count)\r\n\r\n")
        browser.send(Array(body.dropLast(missing)))
        return browser
    }

    /// The answer to a request over a connection of its own.
    private func answer(_ head: String, _ body: [UInt8] = []) throws -> String {
        let browser = try RawBrowser(port: music.server.port)
        browser.send(head + "Host: 127.0.0.1:\(music.server.port)\r\nConnection: close\r\n\r\n")
        browser.send(body)
        try browser.read()
        return browser.text
    }

    private func upload(
        _ ticket: String, _ body: [UInt8], type: String = "application/octet-stream", length: String? = nil,
        path: String = "/upload"
    ) throws -> String {
        try answer(
            "POST \(path) HTTP/1.1\r\nAuthorization: Bearer \(ticket)\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(length ?? "\(body.count)")\r\n", body)
    }

    @Test("a score that a page sends arrives whole, with its name")
    func uploads() throws {
        let browser = try page(music.server.control)
        let body = (0..<1_999_999).map { UInt8(truncatingIfNeeded: $0) }
        let answer = try upload(try ticket(browser, named: "../../my piece.yaml"), body)
        #expect(answer.contains(" 202 "), "\(answer)")
        #expect(shelf.events == [.taken("../../my piece.yaml", body)])
    }

    @Test("two pages send scores at the same time, and both arrive")
    func together() throws {
        let (one, two) = try (page(music.server.control), page(music.server.control))
        let (body, other) = (Array("first score".utf8), Array("second".utf8))
        let (first, second) = try (ticket(one, named: "one.yaml"), ticket(two, named: "two.yaml"))
        let slow = try begin(first, body, missing: 5)
        #expect(try upload(second, other).contains(" 202 "))
        slow.send(Array(body.suffix(5)))
        try slow.read()
        #expect(slow.text.contains(" 202 "), "\(slow.text)")
        #expect(shelf.events == [.taken("two.yaml", other), .taken("one.yaml", body)])
    }

    @Test("a score whose page has gone before it is whole is not said to be taken")
    func gone() throws {
        let browser = try page(music.server.control)
        let slow = try begin(try ticket(browser), Array("score".utf8), missing: 2)
        // The server has seen the request before the page goes.
        usleep(300_000)
        browser.send(RawBrowser.frame(0x88, [0x03, 0xE8]))
        try wait(for: "the page to go") { shelf.events == [.forgotten] }
        slow.send(Array("re".utf8))
        try slow.read()
        #expect(slow.text.contains(" 410 "), "\(slow.text)")
        #expect(shelf.events == [.forgotten])
    }

    @Test("at most four scores are under way; one that ends early makes room")
    func room() throws {
        var tickets = PageTickets()
        func admit(_ number: Int) -> (text: String, status: Int32) {
            let ticket = tickets.forUpload(named: "\(number)", PageID(number: number), at: 0).text
            return (ticket, tickets.admit(ticket, type: "application/octet-stream", length: 1, at: 1))
        }
        let all = (1...5).map(admit)
        #expect(all.map(\.status) == [200, 200, 200, 200, 503])
        #expect(tickets.take(all[1].text)?.name == "2" && tickets.take(all[1].text) == nil)
        #expect(admit(6).status == 200 && admit(7).status == 503)
    }

    @Test("a ticket to send a score is valid once")
    func once() throws {
        let browser = try page(music.server.control)
        let ticket = try ticket(browser)
        _ = try upload(ticket, [1])
        #expect(try upload(ticket, [2]).contains(" 401 "))
        #expect(shelf.events == [.taken("piece.yaml", [1])])
    }

    @Test("a ticket is invalid once its page has gone, or has asked for another")
    func void() throws {
        let browser = try page(music.server.control)
        let first = try ticket(browser)
        let second = try ticket(browser)
        #expect(try upload(first, [1]).contains(" 401 "))
        browser.send(RawBrowser.frame(0x88, [0x03, 0xE8]))
        try browser.read()
        try wait(for: "the page to go") { shelf.events == [.forgotten] }
        #expect(try upload(second, [1]).contains(" 401 "))
    }

    @Test(
        "a body that is too large, of another type or without a length is refused before it is read",
        arguments: [
            ("application/octet-stream", "2000001", 413), ("application/octet-stream", "999999999999999999", 413),
            ("application/octet-stream", "99999999999999999999999", 411), ("application/octet-stream", "-1", 411),
            ("application/octet-stream", "0x10", 411), ("application/octet-stream", "", 411),
            ("application/octet-stream", "0", 400), ("text/plain", "5", 415),
            ("multipart/form-data; boundary=x", "5", 415), ("application/x-www-form-urlencoded", "5", 415),
            ("", "5", 415),
        ])
    func refusals(type: String, length: String, status: Int) throws {
        let browser = try page(music.server.control)
        let answer = try upload(try ticket(browser), Array("hello".utf8), type: type, length: length)
        // A server may also hang up on a length that is no number.
        #expect(answer.contains(" \(status) ") || answer.isEmpty && status == 411, "\(answer)")
        #expect(shelf.events.isEmpty)
        try music.checkThatItServes()
    }

    @Test(
        "a body without a valid ticket is refused",
        arguments: [
            "", "Bearer", "Bearer ", "Bearer 0123456789abcdef0123456789abcdef", "Basic YTpi", "Bearer ../../etc/passwd",
        ])
    func strangers(authorization: String) throws {
        let browser = try page(music.server.control)
        _ = try ticket(browser)
        let answer = try answer(
            "POST /upload HTTP/1.1\r\nAuthorization: \(authorization)\r\nContent-Type: application/octet-stream\r\n"
                + "Content-Length: 5\r\n", Array("hello".utf8))
        #expect(answer.contains(" 401 "), "\(answer)")
        #expect(shelf.events.isEmpty)
    }

    @Test("the secret of a page is not valid as a ticket")
    func secrets() throws {
        let browser = try page(music.server.control)
        _ = try ticket(browser)
        #expect(try upload(music.server.control.text, [1]).contains(" 401 "))
    }

    @Test(
        "a body is accepted at one path only",
        arguments: ["/", "/upload/", "/upload/../upload", "/download/", "/UPLOAD", "/upload%00", "/live"])
    func paths(path: String) throws {
        let browser = try page(music.server.control)
        let answer = try upload(try ticket(browser), [1], path: path)
        // The library resolves dots in a path, which then is the right one.
        #expect(path == "/upload/../upload" || !answer.contains(" 202 "), "\(answer)")
        #expect(path == "/upload/../upload" || shelf.events.isEmpty)
    }

    @Test("a body in chunks of no stated length is refused")
    func chunks() throws {
        let browser = try page(music.server.control)
        let answer = try answer(
            "POST /upload HTTP/1.1\r\nAuthorization: Bearer \(try ticket(browser))\r\n"
                + "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n",
            Array("5\r\nhello\r\n0\r\n\r\n".utf8))
        #expect(!answer.contains(" 202 ") && shelf.events.isEmpty, "\(answer)")
    }

    @Test("a body that never ends is cut off, and is not passed on")
    func halves() async throws {
        try await waiting {
            let music = try ServedMusic()
            let shelf = TestShelf()
            music.server.offer(shelf)
            let page = try RawBrowser.live(port: music.server.port)
            page.send(RawBrowser.message("hello \(music.server.control.text)"))
            page.send(RawBrowser.message("drop piece.yaml"))
            try page.read { $0.text.contains("\"most\"") }
            let ticket = try #require(page.text.firstMatch(of: /"send": "([0-9a-f]+)"/)).1
            let browser = try RawBrowser(port: music.server.port)
            browser.send(
                "POST /upload HTTP/1.1\r\nHost: 127.0.0.1:\(music.server.port)\r\nAuthorization: Bearer \(ticket)\r\n"
                    + "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nhalf")
            try browser.read()
            #expect(!browser.text.contains(" 202 ") && shelf.events.isEmpty)
            try music.checkThatItServes()
        }
    }

    @Test("a page that may only watch gets no ticket, and asks a shelf nothing")
    func watchers() throws {
        let browser = try page(music.server.watch)
        for text in ["drop piece.yaml", "list scores", "open x", "make wav"] { browser.send(RawBrowser.message(text)) }
        try browser.read { $0.text.ranges(of: "this address can only watch").count == 4 }
        #expect(shelf.events.isEmpty && !browser.text.contains("\"most\""))
    }

    @Test("only the page that asks gets the answer")
    func requests() throws {
        let (browser, other) = (try page(music.server.control), try page(music.server.control))
        for text in ["list scores", "open my piece", "make wav", "cancel it"] { browser.send(RawBrowser.message(text)) }
        try wait(for: "four requests") { shelf.events.count == 4 }
        #expect(shelf.events == [.asked(.list), .asked(.open("my piece")), .asked(.make("wav")), .asked(.cancel)])
        music.server.tell(.problems("wrong at 3:7"), shelf.page)
        music.server.tell(.note("for all"), nil)
        try browser.read { $0.text.contains("line 3") && $0.text.contains("for all") }
        try other.read { $0.text.contains("for all") }
        #expect(!other.text.contains("wrong at 3:7"))
    }

    @Test("a file can be downloaded whole, once")
    func downloads() throws {
        let browser = try page(music.server.control)
        browser.send(RawBrowser.message("make wav"))
        try wait(for: "a request") { shelf.page != nil }
        let bytes = (0..<100_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let file = try #require(TestShelf.file(bytes, name: "../é\r\nX: y\".wav"))
        music.server.tell(.made(file), shelf.page)
        try browser.read { $0.text.contains("\"ticket\"") }
        let ticket = try #require(browser.text.firstMatch(of: /"ticket": "([0-9a-f]+)"/)).1
        for path in ["/download/", "/download/\(ticket.dropLast())", "/download/\(ticket)0", "/download/../etc/passwd"]
        {
            #expect(!(try answer("GET \(path) HTTP/1.1\r\n")).contains(" 200 "), "\(path)")
        }
        let found = try answer("GET /download/\(ticket) HTTP/1.1\r\n")
        #expect(found.contains(" 200 ") && found.hasSuffix(String(decoding: bytes, as: UTF8.self)))
        #expect(found.contains("attachment; filename*=UTF-8''..%2F%C3%A9%0D%0AX%3A%20y%22.wav\r\n"))
        #expect(try answer("GET /download/\(ticket) HTTP/1.1\r\n").contains(" 404 "))
    }

    @Test("a page is told when its file begins to be fetched, and whether all of it was sent")
    func fetches() throws {
        let browser = try page(music.server.control)
        browser.send(RawBrowser.message("make wav"))
        try wait(for: "a request") { shelf.page != nil }
        // More than the socket's buffers take.
        let file = try #require(TestShelf.file([UInt8](repeating: 7, count: 30_000_000), name: "a.wav"))
        for isWhole in [true, false] {
            let before = browser.text.ranges(of: "\"fetch").count
            music.server.tell(.made(file), shelf.page)
            try browser.read { $0.text.ranges(of: "\"ticket\"").count == (isWhole ? 1 : 2) }
            #expect(browser.text.ranges(of: "\"fetch").count == before)
            let ticket = try #require(browser.text.matches(of: /"ticket": "([0-9a-f]+)"/).last).1
            try fetch(String(ticket), isWhole: isWhole)
            try browser.read { $0.text.contains(#"{"fetched": "a.wav", "isWhole": \#(isWhole ? 1 : 0)}"#) }
        }
        #expect(browser.text.ranges(of: #"{"fetching": "a.wav"}"#).count == 2)
    }

    /// Fetches a file, or goes away after its beginning.
    private func fetch(_ ticket: String, isWhole: Bool) throws {
        let browser = try RawBrowser(port: music.server.port)
        browser.send("GET /download/\(ticket) HTTP/1.1\r\nHost: 127.0.0.1:\(music.server.port)\r\n\r\n")
        if isWhole { try browser.read() } else { try browser.read { !$0.text.isEmpty } }
    }

    @Test("tickets expire after a minute")
    func age() throws {
        var tickets = PageTickets()
        let page = PageID(number: 1)
        let ticket = tickets.forUpload(named: "x", page, at: 0).text
        let late = tickets.admit(ticket, type: "application/octet-stream", length: 1, at: PageTickets.life)
        #expect(late == 401)
        let file = try #require(TestShelf.file([1], name: "x"))
        let other = tickets.forDownload(file, page, at: 0).text
        #expect(tickets.fetch(other, at: PageTickets.life) == nil)
    }
}
