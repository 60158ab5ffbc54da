package import Playback

/// A screen: it looks at the newest status, and says when it wants to look again.
package protocol Screen: SendableMetatype {
    /// Shows what is heard at `now` (CLOCK_MONOTONIC, ns). Returns when to call again at the latest, by the
    /// same clock; `.max` for when something changes.
    mutating func show(_ status: Status, at now: Int64) -> Int64
    /// Shows that it is over, and leaves everything clean.
    mutating func end(_ status: Status?)
}

/// Shows a performance until its stream of status ends. It only watches: whatever it takes, no sound waits for it.
///
/// It wakes when the screen asks to, when a new status comes, and at `changes` of what else is shown: a screen that needs a
/// look a second costs no more.
package func watch<S: Screen>(
    _ statuses: AsyncStream<Status>, on screen: sending S, _ changes: AsyncStream<Void>? = nil
) async {
    await Watcher(screen).watch(statuses, changes)
}

/// A screen on a thread of its own: a terminal that does not take what it is given holds up nobody else.
private actor Watcher<S: Screen> {
    private let thread = OwnThread()
    private var screen: S
    private var newest: Status?
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    init(_ screen: sending S) { self.screen = screen }

    func watch(_ statuses: AsyncStream<Status>, _ changes: AsyncStream<Void>?) async {
        let waker = Task { [thread] in if let changes { for await _ in changes { thread.wake() } } }
        let reader = Task(executorPreference: thread.taskExecutor) {
            for await status in statuses { await self.take(status) }
            await self.end()
        }
        await withCheckedContinuation { end in thread.loop(end, alsoAt: nil) { self.assumeIsolated { $0.step() } } }
        await reader.value
        waker.cancel()
        await waker.value
        screen.end(newest)
    }

    /// Looks once; returns how long there is nothing to see, nil once it is over.
    private func step() -> Duration? {
        guard !isOver else { return nil }
        guard let newest else { return longestNap }
        let wake = screen.show(newest, at: monotonicNanoseconds())
        return min(max(.nanoseconds(wake - monotonicNanoseconds()), .milliseconds(1)), longestNap)
    }

    private func take(_ status: Status) {
        newest = status
        thread.wake()
    }

    private func end() {
        isOver = true
        thread.wake()
    }
}

/// A screen that waits for a change looks at the clock all the same.
private let longestNap = Duration.seconds(10)
