import Application
import Session
import Shared
import SimulatedCardSupport
import Testing
import Timing
import UserSettings

/// Plays through the application alone, on simulated cards in real time. All assertions hold on every machine. One after
/// the other, because a process is asked to end as a whole.
@Suite("Live without a command line", .serialized)
struct LiveTests {
    @Suite struct PlayTests {
        @Test("a piece is played to its end: its log has each bar once, and clicks reach the card")
        func piece() async throws {
            let home = Home()
            let card = try home.card()
            var request = PlayRequest(try home.write("piece.yaml", "title: Piece\nlines: [[0.3, 0.2], [0.25]]\n"))
            request.device = DeviceRequest(card)
            (request.clock.timingLog, request.clock.summary) = (home.folder("log.csv"), true)
            let wanted = request
            let code = try await home.run { try await wanted.play() }
            #expect(code == 0, "\(home.errors)")
            #expect(home.text.contains("Piece") && home.bars.count == 3, "\(home.text)")
            #expect(home.text.contains("\nend\nbars   3, heard 3"), "the summary: \(home.text)")
            let (rows, faults) = TimingLog.read(home.folder.bytes("log.csv"), file: "log.csv")
            #expect(rows.map(\.index) == [1, 2, 3] && faults.isEmpty, "\(rows)")
            #expect(rows.map(\.nominal) == [.zero, .milliseconds(300), .milliseconds(500)])
            #expect(try card.recording().samples(channel: 0).contains { abs($0) > 0.01 })
        }

        @Test("the pieces of a set list are played one after the other, with the user's settings")
        func setList() async throws {
            let home = Home()
            let card = try home.card()
            var request = PlayRequest(try home.write("first.yaml", "title: First\nbars: [0.2]\n"))
            request.next = [try home.write("second.yaml", "title: Second\nbars: [0.1, 0.1]\n")]
            request.device = DeviceRequest(card)
            let wanted = request
            let code = try await home.run(["BARLINE_CLICK_LEVEL": "off"]) { try await wanted.play() }
            #expect(code == 0, "\(home.errors)")
            let titles = ["First", "Second"].compactMap { home.text.firstRange(of: $0)?.lowerBound }
            #expect(titles.count == 2 && titles[0] < titles[1] && home.bars.count == 3, "\(home.text)")
            #expect(try card.recording().samples(channel: 0).allSatisfy { $0 == 0 }, "no clicks, as it is set")
        }

        @Test("a set list with a piece that cannot be read, or needs more channels, does not begin")
        func unreadable() async throws {
            let home = Home()
            let card = try home.card()
            var request = PlayRequest(try home.write("first.yaml", "bars: [0.2]\n"))
            request.device = DeviceRequest(card)
            for (name, code, why) in [
                ("none.yaml", Int32(66), "there is no file"), ("bad.yaml", 65, "bad.yaml:1:8: error: "),
                ("wide.yaml", 64, "--channels 2: a voice of the score is on channel 5"),
            ] {
                if code == 64 { _ = try home.write(name, "voices: {a: {channel: 5, bars: [1]}, b: {bars: [1]}}\n") }
                if code == 65 { _ = try home.write(name, "bars: [zero]\n") }
                request.next = [home.folder(name)]
                let wanted = request
                #expect(try await home.run { try await wanted.play() } == code)
                #expect(home.errors.contains(why) && home.text.isEmpty, "\(home.errors)")
            }
            #expect(!card.happenings().contains { $0.name == "open" })
        }

        @Test("a card that is named and does not exist is an error")
        func noCard() async throws {
            let home = Home()
            var request = PlayRequest(try home.write("piece.yaml", "bars: [0.1]\n"))
            request.device[Setting.device] = "nowhere"
            let wanted = request
            #expect(try await home.run { try await wanted.play() } == 69)
            #expect(home.errors.contains("there is no sound device 'nowhere'"), "\(home.errors)")
        }

        @Test("another terminal asks a performance for its status, pauses it, goes on and ends it")
        func session() async throws {
            let home = Home()
            var request = PlayRequest(try home.write("long.yaml", "title: Long\nrepeat: forever\nbars: [0.2]\n"))
            request.device = DeviceRequest(try home.card())
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "a bar") { home.bars.count > 1 }
            #expect(try await home.ask(.status).contains("Long"))
            #expect(try await home.ask(.statusJSON).contains("\"state\": \"playing\""))
            #expect(try await home.ask(.pause) == "paused")
            try await home.wait(for: "the pause") { home.text.contains("paused; ") }
            #expect(try await home.ask(.continue) == "continued")
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.text.contains("\nstopped "), "\(home.text)")
        }

        @Test("a cue every so often, and a drone, are played until they are stopped")
        func untilStopped() async throws {
            let home = Home()
            var every = EveryRequest(.milliseconds(125))
            every.device = DeviceRequest(try home.card())
            let wanted = every
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "cues") { home.text.contains("interval 3, 0:00.125\n") }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
        }
    }

    @Suite struct FollowTests {
        /// A server that waits until a page chooses a score, and is stopped; `body` gets the address for watching.
        private func whileChoosing(in home: Home, _ body: @Sendable (String) async throws -> Void) async throws {
            try await whileServing(nil, bars: 0, in: home) { address in
                try await home.wait(for: "the wait for a score") { home.errors.contains("choose a score on the page") }
                try await body(address)
            }
        }

        /// A piece that is served until it is stopped; `body` gets the address for watching once so many bars were heard.
        func whileServing(
            _ score: String?, then next: [String] = [], bars: Int, in home: Home,
            _ body: @Sendable (String) async throws -> Void
        ) async throws {
            var request = PlayRequest(score)
            (request.next, request.device) = (next, DeviceRequest(try home.card()))
            request.pages = ServeRequest()
            request.pages?.port = 0
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "bars") { home.bars.count >= bars && home.errors.contains("only watch: ") }
            let line = try #require(home.errors.split(separator: "\n").first { $0.hasPrefix("only watch: ") })
            try await body(String(line.dropFirst("only watch: ".count)))
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
        }

        /// Follows until so many bars have been printed.
        private func follow(_ request: FollowRequest, bars: Int, in home: Home) async throws {
            async let code = home.run { try await request.follow() }
            try await home.wait(for: "\(bars) bars") { home.bars.count >= bars }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.text)\(home.errors)")
        }

        @Test("a late follower plays its own part from there on, bar by bar as its leader, and logs it")
        func bars() async throws {
            let (leader, follower) = (Home(), Home())
            let score = try leader.write(
                "duo.yaml",
                """
                title: Duo
                voices:
                  harp: {bars: [0.5, 0.4, 0.6], repeat: 2000}
                  flute: {bars: [0.25], repeat: 12000}

                """)
            let card = try follower.card()
            try await whileServing(score, bars: 5, in: leader) { address in
                var request = FollowRequest(address)
                request.device = DeviceRequest(card)
                request.part = "tuba"
                let other = request
                #expect(try await follower.run { try await other.follow() } == 64)
                #expect(follower.errors.contains("there is no voice 'tuba'"), "\(follower.errors)")
                (request.part, request.timingLog) = ("flute", follower.folder("log.csv"))
                try await follow(request, bars: 20, in: follower)
                #expect(follower.errors.hasPrefix("following 127.0.0.1:"))
                // The flute's bars, each a line of its own.
                let bars = follower.bars.compactMap { line in
                    line.split(separator: " ").first.flatMap { Int($0.prefix { $0 != "." }) }
                }
                #expect(bars.count >= 20 && bars[0] >= 5 && bars == Array(bars[0]..<bars[0] + bars.count), "\(bars)")
                // The harp is not heard here, which the log says.
                let rows = TimingLog.read(follower.folder.bytes("log.csv"), file: "log.csv").0
                let span = Double(bars[0] - 1) * 0.25...Double(bars[0] + bars.count) * 0.25
                let nominal = rows.map { $0.nominal / .seconds(1) }
                #expect(nominal.count >= 3 && nominal.allSatisfy(span.contains), "\(nominal), not in \(span)")
                #expect(rows.allSatisfy { $0.flags.contains(.muted) }, "\(rows)")
            }
        }

        @Test("another terminal cannot pause a follower alone, and is told so") func control() async throws {
            let (leader, follower) = (Home(), Home())
            let score = try leader.write("even.yaml", "bars: [0.25]\nrepeat: 12000\n")
            let card = try follower.card()
            try await whileServing(score, bars: 2, in: leader) { address in
                var request = FollowRequest(address)
                request.device = DeviceRequest(card)
                let wanted = request
                async let code = follower.run { try await wanted.follow() }
                try await follower.wait(for: "2 bars") { follower.bars.count >= 2 }
                for request in [SessionRequest.pause, .continue] {
                    await #expect(throws: SessionError.declined("only the machine that leads can do that")) {
                        try await follower.ask(request)
                    }
                }
                #expect(try await follower.ask(.stop) == "stopped")
                #expect(try await code == 0, "\(follower.errors)")
                #expect(!follower.text.contains("paused") && !follower.text.contains("going on"), "\(follower.text)")
            }
        }

        @Test("a follower whose leader has no music yet ends when another terminal stops it") func waiting()
            async throws
        {
            let follower = Home()
            try await whileChoosing(in: Home()) { address in
                let wanted = FollowRequest(address)
                async let followed = follower.run { try await wanted.follow() }
                try await follower.wait(for: "the leader") { follower.errors.contains("following 127.0.0.1:") }
                await #expect(throws: SessionError.declined("only the machine that leads can do that")) {
                    try await follower.ask(.pause)
                }
                let place = address.dropFirst("http://".count).prefix { $0 != "/" }
                #expect(try await follower.ask(.status) == "waiting for the music of \(place)")
                #expect(
                    try await follower.ask(.statusJSON) == #"{"state": "waiting", "left_s": null, "trouble": null}"#)
                #expect(try await follower.ask(.stop) == "stopped")
                #expect(try await followed == 0, "\(follower.errors)")
            }
        }

        /// The request of a follower whose network is a relay, to which the leader's address is told.
        private static func following(_ leader: Home, through relay: Relay) throws -> FollowRequest {
            let line = try #require(leader.errors.split(separator: "\n").first { $0.hasPrefix("only watch: ") })
            let (host, secret) = (line.split(separator: "/")[1], line.split(separator: "#")[1])
            relay.server.store(try #require(UInt16(host.split(separator: ":")[1])), ordering: .relaxed)
            var request = FollowRequest("127.0.0.1:\(relay.port)/#\(secret)")
            request.device = .null
            return request
        }

        @Test("a follower that came to the end alone, because the leader had paused, plays on with it")
        func again() async throws {
            let (leader, follower) = (Home(), Home())
            let relay = try Relay()
            defer { relay.end() }
            let score = try leader.write("short.yaml", "bars: [0.5]\nrepeat: 24\n")
            var request = PlayRequest(score)
            var pages = ServeRequest()
            (pages.port, pages.proxy) = (0, ["127.0.0.1:\(relay.port)"])
            (request.device, request.pages) = (.null, pages)
            let serving = request
            async let served = leader.run { try await serving.play() }
            try await leader.wait(for: "the address") { leader.errors.contains("only watch: ") }
            let following = try Self.following(leader, through: relay)
            async let followed = follower.run { try await following.follow() }
            try await follower.wait(for: "a bar") { follower.bars.count >= 1 }
            relay.block(true)
            #expect(try await leader.ask(.pause).hasPrefix("paused"))
            try await follower.wait(for: "the end of the piece") { follower.text.hasSuffix("\nend\n") }
            let alone = follower.bars.count
            relay.block(false)
            try await wait(for: "the leader's pause") {
                try await follower.ask(.statusJSON).contains("\"state\": \"paused\"")
            }
            _ = try await leader.ask(.continue)
            try await follower.wait(for: "more bars") { follower.bars.count > alone }
            #expect(try await served == 0, "\(leader.errors)")
            #expect(try await followed == 0, "\(follower.errors)")
            #expect(follower.text.hasSuffix("\nend\n"), "\(follower.text)")
        }

        @Test("while no page has chosen a score, another terminal is told so, and can end the program")
        func choosing() async throws {
            let home = Home()
            try await whileChoosing(in: home) { (_: String) async throws in
                #expect(try await home.ask(.status) == "waiting until a score is chosen")
                for request in [SessionRequest.pause, .continue] {
                    await #expect(throws: SessionError.declined("waiting until a score is chosen")) {
                        try await home.ask(request)
                    }
                }
                #expect(try await home.ask(.statusJSON) == #"{"state": "choosing", "connected": []}"#)
            }
        }

        @Test("a follower of a plan tells its intervals, and that nobody knows how long it takes") func plan()
            async throws
        {
            let (leader, follower) = (Home(), Home())
            try await whileServing("run 0:02, run until lap, walk 0:10", bars: 0, in: leader) { address in
                var request = FollowRequest(address)
                request.device = .null
                let wanted = request
                async let code = follower.run { try await wanted.follow() }
                try await follower.wait(for: "the wait") { follower.text.contains("run 2 of 2, until lap\n") }
                #expect(follower.text.hasPrefix("3 intervals, at least 0:12\n"), "\(follower.text)")
                #expect(try await follower.ask(.statusJSON).contains("\"total_s\": null"))
                #expect(try await follower.ask(.stop) == "stopped")
                #expect(try await code == 0, "\(follower.errors)")
            }
        }

        @Test("a follower that joins at a later piece of the leader logs it")
        func laterPiece() async throws {
            let (leader, follower) = (Home(), Home())
            let score = try leader.write("first.yaml", "bars: [0.1]\n")
            let second = try leader.write("second.yaml", "bars: [0.25]\nrepeat: 12000\n")
            let card = try follower.card()
            try await whileServing(score, then: [second], bars: 3, in: leader) { address in
                var request = FollowRequest(address)
                request.device = DeviceRequest(card)
                (request.timingLog, request.timecode[Setting.ltcChannel]) = (follower.folder("log.csv"), 2)
                try await follow(request, bars: 6, in: follower)
                #expect(follower.errors.contains("note: the score has no timecode: add one with --ltc-start"))
                let rows = TimingLog.read(follower.folder.bytes("log.csv"), file: "log.csv").0
                #expect(rows.count >= 3, "\(rows)")
                request.timecode[Setting.ltcChannel] = nil
                request.timecode[Setting.ltcLevel] = .off
                let nowhere = request
                #expect(try await follower.run { try await nowhere.follow() } == 64)
                #expect(follower.errors.contains("the timecode goes nowhere"), "\(follower.errors)")
            }
        }

        @Test(
            "an address that leads nowhere, and a secret that is not the leader's, are told; an old log stays as it is")
        func wrongAddress() async throws {
            let (leader, follower) = (Home(), Home())
            #expect(try await follower.run { try await FollowRequest("127.0.0.1:1").follow() } == 64)
            #expect(follower.errors.contains("the address has no secret after #"), "\(follower.errors)")
            #expect(try await follower.run { try await FollowRequest("127.0.0.1:1/#abc").follow() } == 64)
            #expect(follower.errors.contains("the secret after # is not complete"), "\(follower.errors)")
            let secret = String(repeating: "0", count: 32)
            let log = try follower.write("log.csv", "old\n")
            var request = FollowRequest("127.0.0.1:1/#\(secret)")
            request.timingLog = log
            let nobody = request
            #expect(try await follower.run { try await nobody.follow() } == 69)
            #expect(follower.errors.contains("nobody serves at 127.0.0.1:1"), "\(follower.errors)")
            try await whileServing(try leader.write("long.yaml", "bars: [3000]\n"), bars: 1, in: leader) { address in
                let refused = FollowRequest("\(address.prefix { $0 != "#" })#\(secret)")
                let code = try await follower.run { try await refused.follow() }
                #expect(code == 69)
                #expect(follower.errors.contains("the secret is not that of"), "\(follower.errors)")
            }
            #expect(follower.folder.text("log.csv") == "old\n")
        }
    }
}
