public import Playback
internal import Synchronization

/// A screen: it looks at the newest status, and says when it wants to look again.
public protocol Screen {
    /// Shows what is heard at `now` (CLOCK_MONOTONIC, ns). Returns when to call again at the latest, by the
    /// same clock; `.max` for when something changes.
    mutating func show(_ status: Status, at now: Int64) -> Int64
    /// Shows that it is over, and leaves everything clean.
    mutating func end(_ status: Status?)
}

/// Shows a performance until its stream of status ends. It only watches: whatever it takes, no sound waits for it.
///
/// It wakes when the screen asks to, and when a new status comes: a screen that needs a look a second costs no more.
public func watch(_ statuses: AsyncStream<Status>, on screen: inout some Screen) async {
    let newest = Newest()
    let reader = Task {
        for await status in statuses { newest.change { $0.status = status } }
        newest.change { $0.isOver = true }
    }
    while true {
        let seen = newest.state.withLock { ($0.status, $0.isOver, $0.changes) }
        if seen.1 { break }
        var wake = monotonicNanoseconds() + longestNap
        if let status = seen.0 { wake = min(wake, screen.show(status, at: monotonicNanoseconds())) }
        let nap = max(wake - monotonicNanoseconds(), 1_000_000)
        await newest.sleep(.nanoseconds(nap), unlessChangedSince: seen.2)
    }
    await reader.value
    screen.end(newest.state.withLock { $0.status })
}

private let longestNap: Int64 = 1_000_000_000

/// The newest status, and the nap that it ends.
private final class Newest: Sendable {
    struct State {
        var status: Status?
        var isOver = false
        var changes = 0
        var nap: Task<Void, Never>?
    }

    let state = Mutex(State())

    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.changes += 1
            state.nap?.cancel()
        }
    }

    func sleep(_ duration: Duration, unlessChangedSince changes: Int) async {
        let nap = state.withLock { state -> Task<Void, Never>? in
            guard state.changes == changes else { return nil }
            let nap = Task { _ = try? await Task.sleep(for: duration) }
            state.nap = nap
            return nap
        }
        await nap?.value
    }
}
