internal import Foundation
internal import Glibc

/// How long a test waits for an event. If an event takes longer, even on a busy machine, the program hangs.
package let patience = Duration.seconds(600)

/// The error if an expected event has not happened in time.
package struct Overdue: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// How long a test sleeps before it looks again: who waits for long looks less often, since many looks start a program.
private struct Pauses {
    private var milliseconds = 4

    mutating func next() -> Int {
        milliseconds = min(milliseconds + 1, 50)
        return milliseconds
    }
}

/// Waits in real time until a condition holds. Errors: it never does; the error says what was awaited and what was
/// found instead.
package func wait(
    for what: String, _ isSo: () throws -> Bool, orTell found: () throws -> String = { "" }
) throws {
    let end = ContinuousClock.now + patience
    var pauses = Pauses()
    while try !isSo() {
        guard ContinuousClock.now < end else { throw Overdue(description: "never seen: \(what)\n\(try found())") }
        usleep(UInt32(pauses.next()) * 1000)
    }
}

/// The same, without blocking the thread.
package func wait(
    for what: String, _ isSo: @Sendable () async throws -> Bool,
    orTell found: @Sendable () async throws -> String = { "" }
) async throws {
    let end = ContinuousClock.now + patience
    var pauses = Pauses()
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw Overdue(description: "never seen: \(what)\n\(try await found())") }
        try await Task.sleep(for: .milliseconds(pauses.next()))
    }
}

/// Runs a body that waits for others, on a thread of its own: tests that compute need the threads of the tests.
package func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread { done.resume(with: Result { try body() }) }
    }
}
