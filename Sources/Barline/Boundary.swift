internal import Playback
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

/// The tasks that follow a performance, on its conductor's thread.
actor Audience {
    private let thread: OwnThread
    private var kept: [Boundary] = []
    private var listeners: [Int: AsyncStream<Boundary>.Continuation] = [:]
    private var nextNumber = 0
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    init(_ thread: OwnThread) { self.thread = thread }

    /// A stream of the boundaries heard so far and of all that follow.
    nonisolated func join() -> AsyncStream<Boundary> {
        let (stream, listener) = AsyncStream<Boundary>.makeStream()
        thread.call { self.assumeIsolated { $0.add(listener) } }
        return stream
    }

    private func add(_ listener: AsyncStream<Boundary>.Continuation) {
        for boundary in kept { listener.yield(boundary) }
        guard !isOver else { return listener.finish() }
        nextNumber += 1
        listeners[nextNumber] = listener
        listener.onTermination = { [weak self, thread, nextNumber] _ in
            guard let self else { return }
            thread.call { self.assumeIsolated { $0.listeners[nextNumber] = nil } }
        }
    }

    /// Passes a boundary that has been reached to all followers.
    func hear(_ boundary: Boundary) {
        if kept.count == Boundaries.kept { kept.removeFirst() }
        kept.append(boundary)
        for listener in listeners.values { listener.yield(boundary) }
    }

    /// Ends all streams, because everything is silent.
    func end() {
        isOver = true
        for listener in listeners.values { listener.finish() }
    }
}
