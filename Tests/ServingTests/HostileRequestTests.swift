internal import Glibc
internal import Shared
internal import Testing

internal import Serving

/// What strangers send to the port: each is refused, learns nothing, and changes nothing.
@Suite struct HostileRequestTests {
    @Test("a request for anything but a file of the page is refused", arguments: HostileRequest.all)
    func strangeRequests(request: HostileRequest) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            browser.send(request.bytes(music.server.port))
            try browser.read()
            #expect(!browser.text.contains(" 200 ") && !browser.text.contains(" 101 "), "\(browser.text)")
            #expect(!browser.text.contains("root:") && !browser.text.contains("<script"))
            try checkThatNothingHappened(music, browser)
        }
    }

    @Test(
        "the answer to a method that is not served names those that are",
        arguments: ["POST", "PUT", "TRACE", "CONNECT", "PROPFIND", "trace"])
    func methods(method: String) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            browser.send(HostileRequest(method: method).bytes(music.server.port))
            try browser.read()
            #expect(browser.text.contains(" 405 "), "\(browser.text)")
            #expect(browser.text.contains("GET") && browser.text.contains("POST at /upload"), "\(browser.text)")
            #expect(browser.text.contains("content-security-policy: default-src 'none'"))
        }
    }

    @Test(
        "an address that is no path gets the server's own answer, also in pieces",
        arguments: ["http://evil.example/secret", "file:///etc/passwd", "*"])
    func addresses(address: String) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            let request = HostileRequest(path: address).bytes(music.server.port)
            browser.send(Array(request.prefix(2)))
            browser.send(Array(request.dropFirst(2)))
            try browser.read()
            #expect(browser.text.hasPrefix("HTTP/1.1 400 ") && !browser.text.contains("<html"), "\(browser.text)")
            #expect(browser.text.contains("content-security-policy: default-src 'none'"))
            try checkThatNothingHappened(music, browser)
        }
    }

    @Test(
        "bytes that begin no request get the server's own answer",
        arguments: ["\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", " GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n"])
    func beginnings(text: String) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            browser.send(text)
            try browser.read()
            #expect(browser.text.hasPrefix("HTTP/1.1 400 ") && !browser.text.contains("<html"), "\(browser.text)")
            #expect(browser.text.contains("content-security-policy: default-src 'none'"))
        }
    }

    @Test(
        "every answer forbids a browser whatever is not the server's, also those to later requests of a connection",
        arguments: [
            "FOO / HTTP/1.1", "GET http://evil.example/ HTTP/1.1", "OPTIONS * HTTP/1.1", "0", "CONNECT a:1 HTTP/1.1",
        ])
    func laterRequests(line: String) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            let host = "\r\nHost: 127.0.0.1:\(music.server.port)\r\n\r\n"
            browser.send("GET /page.css HTTP/1.1" + host)
            try browser.read { $0.text.contains("\r\n\r\n") }
            browser.send(line + host)
            try browser.read()
            let answers = browser.text.ranges(of: "HTTP/1.1 ").count
            #expect(browser.text.contains(" 200 ") && browser.text.ranges(of: " 200 ").count == 1, "\(browser.text)")
            #expect(browser.text.ranges(of: "content-security-policy: default-src 'none'").count == answers)
            try checkThatNothingHappened(music, browser)
        }
    }

    @Test("a connection that never ends its request is closed", arguments: ["", "G", "GET / HTTP/1.1\r\nHost: x\r\n"])
    func slowness(start: String) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser(port: music.server.port)
            browser.send(start)
            try browser.read()
            #expect(browser.text.isEmpty)
            try checkThatNothingHappened(music, browser)
        }
    }

    @Test("an address that opens connections and says nothing gets a few of them, and others are served meanwhile")
    func halfOpen() async throws {
        try await waiting {
            let music = try ServedMusic(reading: 60, hello: 60)
            let silent = try (0..<60).map { _ in try RawBrowser(port: music.server.port, from: 9) }
            // Each is let in or closed at once; the server has seen all once it has closed the last.
            try silent[59].read()
            let closed = try silent.count { browser in
                if silent.last === browser { return true }
                try browser.glance()
                return browser.isClosed
            }
            #expect(closed == 60 - 24)
            try music.checkThatItServes()
            let neighbour = try RawBrowser(port: music.server.port, from: 10)
            neighbour.send("GET / HTTP/1.1\r\nHost: localhost:\(music.server.port)\r\nConnection: close\r\n\r\n")
            try neighbour.read()
            #expect(neighbour.text.contains(" 200 "))
        }
    }

    @Test("a message that no page sends closes the connection", arguments: HostileMessage.all)
    func strangeMessages(message: HostileMessage) async throws {
        try await waiting {
            let music = try ServedMusic(reading: 5)
            let browser = try RawBrowser.live(port: music.server.port)
            if message.isWelcome {
                browser.send(RawBrowser.message("hello \(music.server.watch.text)"))
                try browser.read { $0.text.contains("\"state\"") }
            }
            browser.send(message.frames(music.server.watch.text))
            try browser.read()
            #expect(browser.isClosed && browser.text.contains("\"bars\"") == message.isWelcome)
            try checkThatNothingHappened(music, browser)
        }
    }

    @Test("a page that may only watch gets this as an answer, and its commands have no effect")
    func watchers() throws {
        let music = try ServedMusic()
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \(music.server.watch.text)"))
        for text in ["key Space", "key q", "place 2.1", "pitch B4"] { browser.send(RawBrowser.message(text)) }
        try browser.read { $0.text.components(of: "this address can only watch") == 4 }
        try checkThatNothingHappened(music, browser)
    }

    /// No secret has been sent, no command carried out, and others are served.
    private func checkThatNothingHappened(_ music: ServedMusic, _ browser: RawBrowser) throws {
        #expect(!browser.text.contains(music.server.control.text) && !browser.text.contains(music.server.watch.text))
        #expect(music.asked.requests.withLock { $0.isEmpty })
        try music.checkThatItServes()
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
