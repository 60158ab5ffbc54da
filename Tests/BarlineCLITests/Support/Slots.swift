internal import Foundation

/// Runs twice as many programs at a time as there are processors, because many wait for music. Each is watched by a thread that
/// may block.
enum Slots {
    private static let queue = line(2 * ProcessInfo.processInfo.activeProcessorCount)
    /// For programs that a running program waits for: in the common queue they might start only after that one is
    /// killed as hung. Each of the programs in the common queue waits for a few of them, and some of them for others: with
    /// less room, all could wait for each other.
    private static let awaited = line(64)

    private static func line(_ most: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = most
        return queue
    }

    static func run<Value: Sendable>(
        isAwaited: Bool = false, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            (isAwaited ? awaited : queue).addOperation { continuation.resume(with: Result { try body() }) }
        }
    }
}
