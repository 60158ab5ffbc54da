internal import Glibc
internal import Playback
internal import Screens
internal import Shared
internal import Testing

internal import Serving

/// The server and its pages.
@Suite struct PageServerTests {
    @Test(
        "the files of the page are served with a strict policy",
        arguments: [
            ("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript"),
            ("/music.js", "text/javascript"),
            ("/clock.js", "text/javascript"), ("/icon.svg", "image/svg+xml"),
            ("/running.js", "text/javascript"), ("/quantities.js", "text/javascript"), ("/pace.js", "text/javascript"),
            ("/plan.js", "text/javascript"), ("/elements.js", "text/javascript"), ("/running.css", "text/css"),
            ("/sheet.css", "text/css"), ("/strip.js", "text/javascript"), ("/own.js", "text/javascript"),
            ("/offline.js", "text/javascript"), ("/serviceworker.js", "text/javascript"),
            ("/manifest.webmanifest", "application/manifest+json"),
            ("/audioclock.js", "text/javascript"),
            ("/clicksounds.js", "text/javascript"), ("/clickplan.js", "text/javascript"),
            ("/device.js", "text/javascript"), ("/drone.js", "text/javascript"), ("/sound.js", "text/javascript"),
            ("/soundcontrols.js", "text/javascript"),
        ])
    func files(path: String, type: String) throws {
        let music = try ServedMusic()
        let browser = try RawBrowser(port: music.server.port)
        browser.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(music.server.port)\r\nConnection: close\r\n\r\n")
        try browser.read()
        let text = browser.text.lowercased()
        #expect(text.hasPrefix("http/1.1 200 ok\r\n") && text.contains("content-type: \(type)"))
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self';", "frame-ancestors 'none'",
            "manifest-src 'self'; worker-src 'self';",
            "x-content-type-options: nosniff", "referrer-policy: no-referrer", "cache-control: no-store",
        ] {
            #expect(text.contains(header), "\(path) lacks \(header)")
        }
        let length = try #require(text.firstMatch(of: /content-length: (\d+)/))
        let head = try #require(text.range(of: "\r\n\r\n"))
        #expect(Int(length.1) == text[head.upperBound...].utf8.count)
        #expect(!text.contains("http://") || path == "/icon.svg", "\(path) names another host")
    }

    @Test("the leader sees who is connected, with what each tells of itself, and a page with control gets the list")
    func guests() throws {
        let music = try ServedMusic()
        #expect(music.server.guests == [])
        let follower = try RawBrowser.live(port: music.server.port)
        for text in ["hello \(music.server.watch.text)", "follow score", "about 40 3 oboe"] {
            follower.send(RawBrowser.message(text))
        }
        try follower.read { _ in music.server.guests.first?.report != nil }
        let page = try RawBrowser.live(port: music.server.port)
        for text in ["hello \(music.server.control.text)", "guests show"] { page.send(RawBrowser.message(text)) }
        try page.read { $0.text.contains("{\"guests\"") }
        let guests = music.server.guests
        #expect(guests.map(\.kind) == [.follower, .page] && guests.map(\.mayControl) == [false, true])
        #expect(guests[0].report == GuestReport(clock: .microseconds(40), lost: 3, voice: "oboe"))
        #expect(guests[1].report == nil)
        #expect(page.text.contains("follower 1, oboe   clock 0.04 ms   3 clicks lost"))
        // A page that only watches gets no list.
        let watcher = try RawBrowser.live(port: music.server.port)
        for text in ["hello \(music.server.watch.text)", "guests show"] { watcher.send(RawBrowser.message(text)) }
        try watcher.read { $0.text.contains("can only watch") }
        #expect(!watcher.text.contains("{\"guests\""))
    }

    @Test("a page gets its rights, the timeline, and the state, in this order")
    func joining() throws {
        let music = try ServedMusic()
        for (token, word) in [(music.server.control, "control"), (music.server.watch, "watch")] {
            let browser = try RawBrowser.live(port: music.server.port)
            browser.send(RawBrowser.message("hello \(token.text)"))
            try browser.read { $0.text.contains("\"state\"") }
            let places = try ["{\"welcome\": \"\(word)\"", "{\"timeline\":", "{\"state\":"].map {
                try #require(browser.text.range(of: $0)).lowerBound
            }
            #expect(places == places.sorted())
            #expect(browser.text.contains("\"says\": \"pause, resume") == (word == "control"))
        }
    }

    @Test("the answer with the player's time contains the page's own time")
    func clock() throws {
        let music = try ServedMusic()
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \(music.server.watch.text)"))
        let before = Double(monotonicNanoseconds()) / 1e9
        browser.send(RawBrowser.message("clock 4711"))
        try browser.read { $0.text.contains("\"clock\": 4711") }
        let answer = try #require(browser.text.firstMatch(of: /"clock": 4711, "at": (\d+\.\d+)/))
        let time = try #require(Double(answer.1))
        #expect(time >= before - 1e-6 && time <= Double(monotonicNanoseconds()) / 1e9)
    }

    @Test("the keys of a page that may control are carried out")
    func control() throws {
        let music = try ServedMusic()
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \(music.server.control.text)"))
        for text in ["key Space", "key l", "place 2.1"] { browser.send(RawBrowser.message(text)) }
        try wait(for: "three requests", { music.asked.requests.withLock { $0.count } == 3 })
        #expect(music.asked.requests.withLock { $0 } == [.key("Space"), .key("l"), .typed(.place, "2.1")])
    }

    @Test("a key that was more than two seconds on its way is not carried out, and the page gets told")
    func late() throws {
        let music = try ServedMusic()
        let shelf = TestShelf()
        music.server.offer(shelf)
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \(music.server.control.text)"))
        let now = monotonicNanoseconds() / 1000
        // In the last ones, the page has no idea of the clock.
        for (time, text) in [
            (now - 2_100_000, "key Space"), (now - 2_100_000, "make wav"), (now - 1_000, "key l"), (Int64.max, "key d"),
            (Int64.min, "key c"),
        ] { browser.send(RawBrowser.message("at \(time) \(text)")) }
        try browser.read { $0.text.contains(#"{"arrived": \#(Int64.min), "inTime": 0}"#) }
        #expect(browser.text.contains(#"{"arrived": \#(now - 2_100_000), "inTime": 0}"#), "\(browser.text)")
        #expect(browser.text.contains(#"{"arrived": \#(now - 1_000), "inTime": 1}"#), "\(browser.text)")
        #expect(music.asked.requests.withLock { $0 } == [.key("l"), .key("d")] && shelf.events.isEmpty)
    }

    @Test("before there is music, a page is told why a key and a text do nothing")
    func noMusic() throws {
        var settings = PageServer.Settings()
        settings.port = 0
        let server = try PageServer(settings)
        let browser = try RawBrowser.live(port: server.port)
        for text in ["hello \(server.control.text)", "key Space", "place 5"] { browser.send(RawBrowser.message(text)) }
        try browser.read { $0.text.ranges(of: #"{"note": "no music yet"}"#).count == 2 }
    }

    @Test("a message may arrive in parts")
    func parts() throws {
        let music = try ServedMusic()
        let browser = try RawBrowser.live(port: music.server.port)
        let token = Array("hello \(music.server.watch.text)".utf8)
        browser.send(RawBrowser.frame(0x01, Array(token[..<9])))
        browser.send(RawBrowser.frame(0x89, Array("ping".utf8)))
        browser.send(RawBrowser.frame(0x80, Array(token[9...])))
        try browser.read { $0.text.contains("\"state\"") }
    }

    @Test("a page that does not read is disconnected, and others go on")
    func deafness() throws {
        let music = try ServedMusic(reading: 2, bars: 4000)
        let deaf = try (0..<50).map { _ in
            let browser = try RawBrowser.live(port: music.server.port)
            browser.send(RawBrowser.message("hello \(music.server.watch.text)"))
            return browser
        }
        try music.checkThatItServes()
        try wait(for: "no page left") { music.server.pages.welcome.isEmpty }
        try music.checkThatItServes()
        #expect(deaf.count == 50)
    }

    @Test("a server can be ended twice, and its port is free afterwards")
    func ends() throws {
        let music = try ServedMusic()
        let port = music.server.port
        try music.checkThatItServes()
        music.server.end()
        music.server.end()
        #expect(throws: RawBrowser.NoServer.self) { try RawBrowser(port: port) }
    }

    @Test("two servers cannot have the same port")
    func ports() throws {
        let music = try ServedMusic()
        var settings = PageServer.Settings()
        settings.port = music.server.port
        #expect(throws: PageServerError.noPort(settings.port)) { try PageServer(settings) }
    }
}
