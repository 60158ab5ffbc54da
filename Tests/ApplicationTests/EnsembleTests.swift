import Application
import Cables
import Scores
import Shared
import Testing
import UserSettings

extension LiveTests {
    /// A leader and its followers: what each learns of the other, and what becomes of followers when connections end.
    @Suite struct EnsembleTests {
        /// Serves until its end; `body` gets the address for watching.
        private func whileServing(
            _ request: PlayRequest, in home: Home, proxy: Relay? = nil, _ body: @Sendable (String) async throws -> Void
        ) async throws {
            var request = request
            var pages = ServeRequest()
            (pages.port, pages.proxy) = (0, proxy.map { ["127.0.0.1:\($0.port)"] } ?? [])
            (request.device, request.pages) = (.null, pages)
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "the address") { home.errors.contains("only watch: ") }
            let line = try #require(home.errors.split(separator: "\n").first { $0.hasPrefix("only watch: ") })
            try await body(String(line.dropFirst("only watch: ".count)))
            #expect(try await code == 0, "\(home.errors)")
        }

        /// A follower on the null device.
        private static func follower(_ address: String) -> FollowRequest {
            var request = FollowRequest(address)
            request.device = .null
            return request
        }

        /// The address of a leader through a relay.
        private static func address(_ address: String, through relay: Relay) throws -> String {
            let (host, secret) = (address.split(separator: "/")[1], address.split(separator: "#")[1])
            relay.server.store(try #require(UInt16(host.split(separator: ":")[1])), ordering: .relaxed)
            return "127.0.0.1:\(relay.port)/#\(secret)"
        }

        @Test(
            "without network between two pieces a follower says so and waits, plays what its leader has begun meanwhile, and ends with it",
            arguments: ["silent", "cut"])
        func unheard(network: String) async throws {
            let (leader, follower) = (Home(), Home())
            let (relay, sender, port) = (try Relay(), try DatagramSocket(), try DatagramSocket().port)
            defer { relay.end() }
            try leader.folder.write("data/barline/scores/short.yaml", "title: Short\nbars: [0.5, 0.5, 0.5]\n")
            try leader.folder.write("data/barline/scores/long.yaml", "title: Long\nbars: [0.25]\nrepeat: 12000\n")
            @Sendable func open(_ name: String) {
                sender.send(OSCMessage("/barline/open", [.string(name)]).bytes, to: port)
            }
            var request = PlayRequest(nil)
            request.cables[Setting.oscIn] = try OSCAddress("\(port)")
            try await whileServing(request, in: leader, proxy: relay) { address in
                let wanted = Self.follower(try Self.address(address, through: relay))
                async let followed = follower.run { try await wanted.follow() }
                try await follower.wait(for: "the wait") { follower.errors.contains("waiting for the music") }
                open("short")
                try await follower.wait(for: "the end of the piece") { follower.text.hasSuffix("\nend\n") }
                if network == "cut" { relay.cut() } else { relay.block(true) }
                let why = ": waiting for the music of 127.0.0.1:\(relay.port)"
                try await follower.wait(for: "the trouble") { follower.errors.contains(why + "\n") }
                let told = try await follower.ask(.status)
                #expect(told.hasPrefix("no network since ") && told.hasSuffix(why) && follower.errors.contains(told))
                if network == "cut" {
                    try await follower.wait(for: "three tries") { relay.tries.load(ordering: .relaxed) >= 3 }
                }
                open("long")
                try await leader.wait(for: "the next piece") { leader.text.contains("Long") }
                if network == "cut" { _ = try Self.address(address, through: relay) } else { relay.block(false) }
                try await follower.wait(for: "the next piece") {
                    follower.text.contains("Long") && follower.bars.count > 5
                }
                #expect(try await leader.ask(.stop) == "stopped")
                #expect(try await followed == 0, "\(follower.errors)")
                let text = follower.text
                #expect(text.contains("\nstopped at ") && !text.contains("on its own"), "\(text)")
            }
        }

        @Test(
            "a leader that ends before it has played ends its follower; one that does not know the address is told of")
        func silent() async throws {
            let (leader, follower, other) = (Home(), Home(), Home())
            let relay = try Relay()
            defer { relay.end() }
            try await whileServing(PlayRequest(nil), in: leader) { address in
                let wanted = Self.follower(address)
                async let followed = follower.run { try await wanted.follow() }
                try await follower.wait(for: "the wait") { follower.errors.contains("waiting for the music") }
                let lost = Self.follower(try Self.address(address, through: relay))
                #expect(try await other.run { try await lost.follow() } == 69)
                let why = "takes no followers: perhaps it has too many connections, or it does not know this address"
                #expect(other.errors.contains("127.0.0.1:\(relay.port) \(why)"), "\(other.errors)")
                #expect(other.errors.contains("`barline serve --proxy 127.0.0.1:\(relay.port)`"), "\(other.errors)")
                #expect(try await leader.ask(.stop) == "stopped")
                #expect(try await followed == 0)
                #expect(follower.errors.hasSuffix(" has ended\n"), "\(follower.errors)")
            }
        }

        @Test("a piece without the voice of a follower is heard as a whole, and the follower goes on")
        func otherVoices()
            async throws
        {
            let (leader, follower) = (Home(), Home())
            let duo = "title: Duo\nvoices:\n  harp: {bars: [1, 1, 1, 1, 1]}\n  flute: {bars: [0.5, 0.5], repeat: 5}\n"
            var request = PlayRequest(try leader.write("duo.yaml", duo))
            request.next = [try leader.write("solo.yaml", "title: Solo\nbars: [0.25]\nrepeat: 12000\n")]
            try await whileServing(request, in: leader) { address in
                // The address that the leader prints for one player.
                let wanted = Self.follower(address + "&voice=flute")
                async let followed = follower.run { try await wanted.follow() }
                try await follower.wait(for: "the own part") {
                    follower.bars.contains { $0.contains("0.500 s") }
                }
                #expect(try await follower.ask(.statusJSON).contains(#""voice": "flute""#))
                try await follower.wait(for: "the other piece") { follower.text.contains("Solo") }
                let note = "note: this piece has no voice 'flute': all of it is heard"
                #expect(follower.errors.contains(note), "\(follower.errors)")
                try await follower.wait(for: "its bars") { follower.bars.contains { $0.contains("0.250 s") } }
                #expect(try await leader.ask(.stop) == "stopped")
                #expect(try await followed == 0, "\(follower.errors)")
            }
        }

        @Test("the tuning is the leader's, from its options and its Scala files, whatever a follower has set")
        func tuning() async throws {
            let scale = "! a.scl\na scale\n12\n90.\n200.\n294.\n390.\n500.\n590.\n700.\n792.\n890.\n996.\n1090.\n2/1\n"
            let bars = "drone: E4\nbars: [0.25]\nrepeat: 12000\n"
            let (plain, scala) = ("title: Plain\n\(bars)", "title: Scala\ntuning: a.scl\n\(bars)")
            for (text, options) in [(plain, true), (plain, false), (scala, true), (scala, false)] {
                let (leader, follower) = (Home(), Home())
                try leader.folder.write("a.scl", scale)
                var request = PlayRequest(try leader.write("piece.yaml", text))
                if options {
                    (request.performance.tuning.a4, request.performance.tuning.temperature) = (442, 24)
                    request.performance.tuning.instrument = try Instrument(scoreText: "Bb")
                }
                try await whileServing(request, in: leader) { address in
                    let wanted = Self.follower(address)
                    async let followed = follower.run(["BARLINE_A4": "432"]) { try await wanted.follow() }
                    try await follower.wait(for: "bars") { follower.bars.count > 1 }
                    #expect(try await leader.ask(.stop) == "stopped")
                    #expect(try await followed == 0, "\(follower.errors)")
                    let (led, own) = (leader.text.split(separator: "\n")[0], follower.text.split(separator: "\n")[0])
                    #expect(own == led && own.contains(" Hz"), "\(own)")
                }
            }
        }

        @Test("a sound device and a timing log that cannot be used are errors before anything is waited for")
        func early() async throws {
            let home = Home()
            let address = "127.0.0.1:1/#" + String(repeating: "0", count: 32)
            var request = FollowRequest(address)
            request.device[Setting.device] = "nowhere"
            #expect(try await home.run(request) { try await $0.follow() } == 69)
            #expect(home.errors.contains("there is no sound device 'nowhere'"), "\(home.errors)")
            request = Self.follower(address)
            request.timingLog = home.folder("nowhere/log.csv")
            #expect(try await home.run(request) { try await $0.follow() } == 73)
            var serving = PlayRequest(nil)
            serving.pages = ServeRequest()
            serving.pages?.port = 0
            serving.device[Setting.device] = "nowhere"
            #expect(try await home.run(serving) { try await $0.play() } == 69)
            #expect(home.errors.contains("there is no sound device 'nowhere'"), "\(home.errors)")
            (serving.device, serving.clock.timingLog) = (.null, home.folder("nowhere/log.csv"))
            #expect(try await home.run(serving) { try await $0.play() } == 73)
        }
    }
}
