internal import Synchronization
public import Timing

/// The beginning of a bar, as it is heard.
public struct Boundary: Sendable, Equatable {
    /// The bar that begins here, with its place, its duration and its label.
    public let bar: TimedBar
    /// When it should be heard: the clock time since the first boundary, with all pauses and jumps so far.
    public let nominal: Duration
    /// Whether its click was heard. It was not if it is muted, if it came too late, or if the device was away.
    public let isHeard: Bool

    /// The line, from 1.
    public var line: Int { bar.line }
    /// The place as a person names it: "5.7" is line 5, bar 7.
    public var place: String { "\(bar.line).\(bar.bar)" }
}

/// The boundaries of a performance, each at its moment. The sequence ends when everything is silent.
///
/// Any number of tasks can follow it. A late one first gets what it has missed, at most the newest `Boundaries.kept`.
public struct Boundaries: AsyncSequence, Sendable {
    /// How many boundaries are kept for tasks that join late.
    public static let kept = 1000

    let player: Player

    /// Follows the performance, and keeps its player alive.
    public func makeAsyncIterator() -> Iterator {
        Iterator(player: player, stream: player.audience.join().makeAsyncIterator())
    }

    /// A task that follows a performance.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let player: Player
        fileprivate var stream: AsyncStream<Boundary>.Iterator

        /// The next boundary, at its moment; nil when everything is silent, or when the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Boundary? {
            await stream.next(isolation: actor)
        }
    }
}

/// The tasks that follow a performance.
final class Audience: Sendable {
    private struct State {
        var kept: [Boundary] = []
        var listeners: [Int: AsyncStream<Boundary>.Continuation] = [:]
        var nextNumber = 0
        var isOver = false
    }

    /// Guards who listens and what they have missed: the conductor tells, tasks join and leave.
    private let state = Mutex(State())

    /// A stream of the boundaries heard so far and of all that follow.
    func join() -> AsyncStream<Boundary> {
        let (stream, listener) = AsyncStream<Boundary>.makeStream()
        let (number, isOver) = state.withLock { state in
            for boundary in state.kept { listener.yield(boundary) }
            state.nextNumber += 1
            if !state.isOver { state.listeners[state.nextNumber] = listener }
            return (state.nextNumber, state.isOver)
        }
        // Set outside the lock: a stream that has finished calls this at once.
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        if isOver { listener.finish() }
        return stream
    }

    /// Passes a boundary that has been reached to all followers. On the conductor's thread.
    func hear(_ boundary: Boundary) {
        state.withLock { state in
            if state.kept.count == Boundaries.kept { state.kept.removeFirst() }
            state.kept.append(boundary)
            for listener in state.listeners.values { listener.yield(boundary) }
        }
    }

    /// Ends all streams, because everything is silent.
    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return state.listeners.values.map { $0 }
        }
        for listener in listeners { listener.finish() }
    }
}
