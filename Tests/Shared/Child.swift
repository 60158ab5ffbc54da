internal import Foundation
internal import Glibc
internal import Synchronization
internal import Testing

/// A started process in its own process group or session, with default handling of every signal and none blocked.
///
/// Foundation's `Process` learns of an end by a socket that closes with the child. Any child that another test starts at that
/// moment can inherit it: then the end is not seen before that child ends, too.
package final class Child: Sendable {
    package let pid: Int32
    /// POSIX_SPAWN_SETSID, a macro that Swift does not see.
    private static let setSession: Int32 = 0x80
    /// The exit code, or 128 plus the signal; nil until the end is known.
    private let code = Mutex<Int32?>(nil)

    /// Starts `command` with `descriptors` as its standard streams, or `terminal` as all three. The leader of a new
    /// session gets `terminal` as its controlling terminal.
    package init(
        _ command: [String], _ environment: [String: String], _ folder: String, descriptors: [Int32],
        isLeader: Bool = false, terminal: String? = nil
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

    /// Starts `command`, which reads nothing, in the environment of the tests if none is given. Its messages are those of the
    /// tests, or go nowhere.
    package convenience init(
        _ command: [String], _ environment: [String: String]? = nil, output: Int32? = nil, isQuiet: Bool = true
    ) throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(null >= 0)
        defer { close(null) }
        try self.init(
            command, environment ?? ProcessInfo.processInfo.environment, "/",
            descriptors: [null, output ?? null, isQuiet ? null : 2])
    }

    /// What `command` prints, and its exit code, after its end.
    package static func output(
        of command: [String], _ environment: [String: String]? = nil, isQuiet: Bool = false
    ) throws -> (text: String, code: Int32) {
        let pipe = try ChildPipe()
        defer { close(pipe.read) }
        _ = fcntl(pipe.read, F_SETFL, 0)
        let child: Child
        do {
            defer { close(pipe.write) }
            child = try Child(command, environment, output: pipe.write, isQuiet: isQuiet)
        }
        let text = try FileHandle(fileDescriptor: pipe.read, closeOnDealloc: false).readToEnd() ?? Data()
        return (String(decoding: text, as: UTF8.self), child.wait())
    }

    /// Sends a signal to the process and its process group.
    package func send(_ signal: Int32) {
        code.withLock { if $0 == nil { kill(-pid, signal) } }
    }

    /// Kills the process and its process group, unless it has ended.
    package func end() {
        send(SIGKILL)
        wait()
    }

    /// Waits for the end. Returns the exit code, or 128 plus the signal.
    @discardableResult package func wait() -> Int32 {
        // It is looked at first, and taken with the lock: a signal never goes to another process of the same number.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return waitIfEnded() ?? -1
    }

    /// The exit code, or 128 plus the signal; nil while the process runs.
    package func waitIfEnded() -> Int32? {
        code.withLock { code in
            var status: Int32 = 0
            while code == nil {
                let ended = waitpid(pid, &status, WNOHANG)
                if ended < 0, errno == EINTR { continue }
                guard ended == pid else { break }
                let signal = status & 0x7f
                code = signal == 0 ? status >> 8 & 0xff : 128 + signal
            }
            return code
        }
    }
}

/// Both ends of a pipe that no other child inherits; `read` does not block.
package struct ChildPipe {
    package let read: Int32
    package let write: Int32

    package init() throws {
        // A named pipe can be opened with O_CLOEXEC, so that no child started at the same time inherits it.
        let path = NSTemporaryDirectory() + "barline-pipe-" + UUID().uuidString
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        write = open(path, O_WRONLY | O_CLOEXEC)
        try #require(read >= 0 && write >= 0)
    }
}
