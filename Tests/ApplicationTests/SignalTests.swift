import Application
import Glibc
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
}
