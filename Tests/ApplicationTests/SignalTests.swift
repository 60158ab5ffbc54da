import Application
import Formats
import Glibc
import Playback
import Scores
import Screens
import Serving
import Shared
import Testing
import Timing

@Suite("Signals")
struct SignalTests {
    @Test("a hangup that nohup has made the program ignore stays ignored, and other signals are handled")
    func nohup() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            Signals.handle(Signals.endings) { _ in }.cancel()
            func isIgnored(_ number: Int32) -> Bool {
                var action = sigaction()
                sigaction(number, nil, &action)
                return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            }
            try #require(isIgnored(SIGHUP) && !isIgnored(SIGTERM) && !isIgnored(SIGINT))
        }
    }

    @Test("a follower that waits for its first music ends with 0 when it is interrupted") func follower() async {
        await #expect(processExitsWith: .success) {
            let (home, silent) = (Home(), try Relay())
            // The connection stands, but no word comes.
            silent.block(true)
            let request = FollowRequest("127.0.0.1:\(silent.port)/#\(String(repeating: "0", count: 32))")
            async let code = home.run { try await request.follow() }
            try await home.wait(for: "the wait") {
                var action = sigaction()
                sigaction(SIGINT, nil, &action)
                return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 0
            }
            kill(getpid(), SIGINT)
            try #require(await code == 0)
        }
    }

    @Test("a follower that is interrupted while a piece fades out plays no other piece of its leader") func fade() async
    {
        await #expect(processExitsWith: .success) {
            let home = Home()
            var settings = PageServer.Settings()
            settings.port = 0
            let server = try PageServer(settings)
            var screen = PageScreen(server)
            func begin(_ title: String) throws -> Status {
                let text = Array("title: \(title)\ndrone: {notes: A3, fade: 3 s}\nbars: [600]\n".utf8)
                server.share(text)
                let score = try #require(Score.read(text, file: title, format: .yaml).score)
                let status = Status(
                    performance: Performance(of: score, passage: Passage(Timeline(score))),
                    anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: monotonicNanoseconds(),
                    sound: .device("test"))
                _ = screen.show(status, at: monotonicNanoseconds())
                return status
            }
            var first = try begin("First")
            var request = FollowRequest("127.0.0.1:\(server.port)/#\(server.watch.text)")
            request.device = .null
            async let code = home.run(request) { try await $0.follow() }
            try await home.wait(for: "a bar") { home.bars.count == 1 }
            first.isStopping = true
            _ = screen.show(first, at: monotonicNanoseconds())
            try await wait(for: "the fade") { try await home.ask(.status).hasSuffix("stopping") }
            kill(getpid(), SIGINT)
            _ = try begin("Second")
            try #require(await code == 0 && !home.text.contains("Second"))
            server.end()
        }
    }
}
