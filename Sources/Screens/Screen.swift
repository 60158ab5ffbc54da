package import Playback
internal import Scores
internal import Timing

/// A display of a live performance: it shows the newest status and returns when it wants to be called again.
package protocol Screen: SendableMetatype {
    /// Shows what is heard at `now` (CLOCK_MONOTONIC, ns). Returns when to call again at the latest, by the same clock;
    /// `.max` to be called only when something changes.
    mutating func show(_ status: Status, at now: Int64) -> Int64
    /// Shows that the performance is over, and cleans up.
    mutating func end(_ status: Status?)
}

extension Status {
    /// When a screen that shows each bar and each hold looks again. While the music is paused or waits at a hold, only a
    /// new status brings something new.
    package func nextLook(_ moment: Moment, at now: Int64) -> Int64 {
        switch moment {
        case .countIn(_, isPaused: true): .max
        case .countIn(let left, _), .waiting(let left, _): now + Int64(left.attoseconds / 1_000_000_000) + 1
        case .bar(let heard) where heard.isPaused || heard.isWaiting: .max
        case .bar(let heard):
            min(
                self.heard(boundary: heard.boundary + 1), nextHoldEdge(inBar: heard.boundary, after: now) ?? .max)
        case .end: .max
        }
    }
}

/// Shows a performance until its stream of statuses ends. It only watches: however long it takes, the sound never waits
/// for it.
///
/// It wakes when the screen asks for it, when a new status arrives, and when `changes` reports that something else on
/// the screen has changed. A screen that needs one look a second costs no more than that.
package func watch<S: Screen>(
    _ statuses: AsyncStream<Status>, on screen: sending S, _ changes: AsyncStream<Void>? = nil
) async {
    await Watcher(screen).watch(statuses, changes)
}

/// Runs a screen on its own thread, so that a terminal that does not read its output blocks nothing else.
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

    /// Shows the newest status once; returns how long to wait, nil once the performance is over.
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

/// Even a screen that waits for a change is called at least this often.
private let longestNap = Duration.seconds(10)
