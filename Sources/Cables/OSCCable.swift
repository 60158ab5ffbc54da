package import Playback
package import UserSettings

/// Tells receivers of OSC what is played.
package actor OSCCable: Cable {
    package nonisolated let thread = OwnThread()
    private var plan: OSCPlan
    private let ports: [OSCPort]
    private let say: @Sendable (OSCAddress, String) -> Void
    private let sent: @Sendable (Int) -> Void
    private var newest: Status?
    package var isOver = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// Makes a cable to some receivers. `say` is called when one can no longer be reached, once each time, and `sent`
    /// whenever something was sent, with the number of those that it did not reach.
    package init(
        to ports: sending [OSCPort], ahead: Duration, say: @escaping @Sendable (OSCAddress, String) -> Void,
        sent: @escaping @Sendable (Int) -> Void
    ) {
        (self.ports, self.say, self.sent) = (ports, say, sent)
        plan = OSCPlan(ahead: Int64(ahead / .nanoseconds(1)))
    }

    package func follow(_ status: Status) {
        newest = status
        plan.take(status, at: monotonicNanoseconds())
    }

    package func step() -> Duration? {
        var next = Int64.max
        if let newest {
            let step = plan.step(newest, at: monotonicNanoseconds(), wall: wallClockOffset())
            send(step.packets)
            next = step.next
        }
        guard !isOver else {
            send(plan.end())
            return nil
        }
        return .nanoseconds(min(max(next - monotonicNanoseconds(), 1000), 10_000_000_000))
    }

    private func send(_ packets: [OSCPacket]) {
        let datagrams = packets.flatMap(\.datagrams)
        guard !datagrams.isEmpty else { return }
        for port in ports {
            if let failure = port.send(datagrams) { say(port.address, failure) }
        }
        sent(ports.count(where: \.isBroken))
    }
}
