internal import Foundation
internal import Glibc
internal import Testing

/// A started process in its own process group or session, with default handling of every signal and none blocked.
final class Child {
    private let pid: pid_t
    /// POSIX_SPAWN_SETSID, a macro that Swift does not see.
    private static let setSession: Int32 = 0x80
    /// The exit code, or 128 plus the signal; nil until the end is known.
    private var code: Int32?

    /// Starts `command` with `descriptors` as its standard streams, or `terminal` as all three. The leader of a new
    /// session gets `terminal` as its controlling terminal.
    init(
        _ command: [String], _ environment: [String: String], _ folder: String, descriptors: [Int32], isLeader: Bool,
        terminal: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
        }
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        // What other tests have open at this moment is none of the program's: it would count against its limit.
        for descriptor: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let group = isLeader ? Child.setSession : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // POSIX has no way to spawn in another folder.
        let command = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + command
        var arguments = command.map { strdup($0) } + [nil]
        var values = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + values).forEach { free($0) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, command[0], &actions, &attributes, &arguments, &values)
        try #require(status == 0, "\(command[0]): \(String(cString: strerror(status)))")
        self.pid = pid
    }

    /// Sends a signal to the process and its process group.
    func send(_ signal: Int32) {
        if code == nil { kill(-pid, signal) }
    }

    /// Waits for the end. Returns the exit code, or 128 plus the signal.
    func wait() -> Int32 { wait(options: 0) ?? -1 }

    /// The exit code, or 128 plus the signal; nil while the process runs.
    func waitIfEnded() -> Int32? { wait(options: WNOHANG) }

    private func wait(options: Int32) -> Int32? {
        var status: Int32 = 0
        while code == nil {
            let ended = waitpid(pid, &status, options)
            if ended < 0, errno == EINTR { continue }
            guard ended == pid else { break }
            let signal = status & 0x7f
            code = signal == 0 ? status >> 8 & 0xff : 128 + signal
        }
        return code
    }
}

/// Both ends of a pipe that no other child inherits; `read` does not block.
struct Pipe {
    let read: Int32
    let write: Int32

    init() throws {
        // A named pipe can be opened with O_CLOEXEC, so that no child started at the same time inherits it.
        let path = NSTemporaryDirectory() + "barline-pipe-" + UUID().uuidString
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        write = open(path, O_WRONLY | O_CLOEXEC)
        try #require(read >= 0 && write >= 0)
    }
}

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
