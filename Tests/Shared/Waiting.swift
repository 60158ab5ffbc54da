internal import Glibc

/// How long a test waits for an event: what takes longer hangs, whatever else the machine does.
package let patience = Duration.seconds(600)

/// Something that was waited for, and has not come.
package struct Overdue: Error, CustomStringConvertible {
    package var description: String
}

/// Waits, in real time, until it is so; where it never is, fails with what was waited for and what there is in its place.
package func wait(
    for what: String, _ isSo: () throws -> Bool, orTell found: () throws -> String = { "" }
) throws {
    let end = ContinuousClock.now + patience
    while try !isSo() {
        guard ContinuousClock.now < end else { throw Overdue(description: "never seen: \(what)\n\(try found())") }
        usleep(5000)
    }
}

/// Waits as the other does, and lets others have the thread meanwhile.
package func wait(
    for what: String, _ isSo: @Sendable () async throws -> Bool,
    orTell found: @Sendable () async throws -> String = { "" }
) async throws {
    let end = ContinuousClock.now + patience
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw Overdue(description: "never seen: \(what)\n\(try await found())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
