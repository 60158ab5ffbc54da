internal import Glibc
package import Playback
package import UserSettings

/// Tells receivers of OSC what is played. It has a thread of its own, of ordinary priority: however long sending takes, the
/// music never waits for it.
package actor OSCCable {
    private let thread = OwnThread()
    private var plan: OSCPlan
    private let ports: [OSCPort]
    private let say: @Sendable (OSCAddress, String) -> Void
    private let sent: @Sendable (Bool) -> Void
    private var newest: Status?
    private var isOver = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// Makes a cable to some receivers. `say` is called when one can no longer be reached, once each time, and `sent`
    /// whenever something was sent, with whether it reached one of them at least.
    package init(
        to ports: sending [OSCPort], ahead: Duration, say: @escaping @Sendable (OSCAddress, String) -> Void,
        sent: @escaping @Sendable (Bool) -> Void
    ) {
        (self.ports, self.say, self.sent) = (ports, say, sent)
        plan = OSCPlan(ahead: Int64(ahead / .nanoseconds(1)))
    }

    /// Takes a status of the performance. From any thread.
    package nonisolated func take(_ status: Status) {
        thread.call {
            self.assumeIsolated { $0.newest = status }
            self.thread.wake()
        }
    }

    /// Sends until `end` is called.
    package func run() async {
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: nil) { self.assumeIsolated { $0.step() } }
        }
    }

    /// Tells that the performance is over, and ends. From any thread.
    package nonisolated func end() {
        thread.call {
            self.assumeIsolated { $0.isOver = true }
            self.thread.wake()
        }
    }

    private func step() -> Duration? {
        guard !isOver else {
            send(plan.end())
            return nil
        }
        guard let newest else { return .seconds(10) }
        let now = monotonicNanoseconds()
        let (packets, next) = plan.step(newest, at: now, wall: OSCCable.wall())
        send(packets)
        return .nanoseconds(min(max(next - monotonicNanoseconds(), 1000), 10_000_000_000))
    }

    private func send(_ packets: [OSCPacket]) {
        let datagrams = packets.flatMap(\.datagrams)
        guard !datagrams.isEmpty else { return }
        for port in ports {
            if let failure = port.send(datagrams) { say(port.address, failure) }
        }
        sent(ports.contains { !$0.isBroken })
    }

    /// CLOCK_REALTIME minus CLOCK_MONOTONIC now, in ns.
    private static func wall() -> Int64 {
        var time = timespec()
        let before = monotonicNanoseconds()
        clock_gettime(CLOCK_REALTIME, &time)
        let after = monotonicNanoseconds()
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - (before + after) / 2
    }
}
