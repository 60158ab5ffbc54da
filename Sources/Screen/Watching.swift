public import Playback
internal import Synchronization

/// A screen: it looks at the newest status, and says when it wants to look again.
public protocol Screen {
    /// Shows what is heard at `now` (CLOCK_MONOTONIC, ns). Returns when to call again at the latest, by the same clock.
    mutating func show(_ status: Status, at now: Int64) -> Int64
    /// Shows that it is over, and leaves everything clean.
    mutating func end(_ status: Status?)
}

/// Shows a performance until its stream of status ends. It only watches: whatever it takes, no sound waits for it.
public func watch(_ statuses: AsyncStream<Status>, on screen: inout some Screen) async {
    let newest = Newest()
    let reader = Task {
        for await status in statuses { newest.status.withLock { $0 = status } }
        newest.isOver.withLock { $0 = true }
    }
    while !newest.isOver.withLock({ $0 }) {
        var wake = monotonicNanoseconds() + 20_000_000
        if let status = newest.status.withLock({ $0 }) {
            wake = screen.show(status, at: monotonicNanoseconds())
        }
        // A command may come at any time: look again soon.
        let nap = min(max(wake - monotonicNanoseconds(), 1_000_000), 40_000_000)
        try? await Task.sleep(for: .nanoseconds(nap))
    }
    await reader.value
    screen.end(newest.status.withLock { $0 })
}

private final class Newest: Sendable {
    let status = Mutex<Status?>(nil)
    let isOver = Mutex(false)
}
