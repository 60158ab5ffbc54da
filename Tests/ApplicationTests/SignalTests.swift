import Application
import Glibc
import Shared
import Testing

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
}
