internal import Dispatch
internal import Files
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The single session of a user: holds a lock as long as it lives, and answers requests on a socket that only this user
/// can use (mode 0600, and the peer's credentials are checked).
///
/// The kernel releases the lock however the program ends, so a socket without a lock is known to be stale.
package final class SessionServer: Sendable {
    /// Answers a request with a line of text.
    package typealias Answer = @Sendable (SessionRequest) async -> String

    private let folder: SessionFolder
    private let lock: Int32
    /// A dispatch source may be cancelled from any thread, and that is all that is done with it.
    private nonisolated(unsafe) let listener: any DispatchSourceProtocol
    private let isOpen = Atomic(true)

    /// Begins the session.
    ///
    /// Errors: `.running` with the status of another session, if there is one; `.suspended` if its process is stopped;
    /// otherwise an error of the system.
    package init(_ folder: SessionFolder, answer: @escaping Answer) throws(SessionError) {
        try folder.make()
        let lock = Descriptor(open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        guard lock.number >= 0 else { throw .system(folder.lock, Errno.last.description) }
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            let status: String
            do throws(SessionError) { status = try SessionClient.ask(.status, folder) } catch {
                guard error != .suspended else { throw error }
                status = ""
            }
            throw .running(status)
        }
        folder.sign(lock.number)
        let socket = try SessionServer.listen(folder)
        self.folder = folder
        self.lock = lock.released()
        let listener = DispatchSource.makeReadSource(
            fileDescriptor: socket, queue: DispatchQueue(label: "session", qos: .userInitiated))
        listener.setEventHandler {
            let next = SessionServer.accept({ Glibc.accept(socket, nil, nil) }) { SessionServer.serve($0, answer) }
            // Sleeping is fine here: the queue does nothing else.
            if next == .later { usleep(100_000) }
        }
        listener.setCancelHandler { close(socket) }
        listener.resume()
        self.listener = listener
    }

    deinit { end() }

    /// Ends the session: stops answering and removes the socket. Safe to call twice.
    package func end() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        try? folder.removeSocket()
        listener.cancel()
        close(lock)
    }

    private static func listen(_ folder: SessionFolder) throws(SessionError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = Descriptor(socket(AF_UNIX, type, 0))
        let number = listener.number
        guard number >= 0 else { throw .system(folder.socket, Errno.last.description) }
        // The holder of the lock owns the socket: an existing one was left by a program that was killed.
        try folder.removeSocket()
        let bound = try folder.withAddress { bind(number, $0, $1) }
        guard bound == 0, chmod(folder.socket, 0o600) == 0, Glibc.listen(number, 16) == 0 else {
            throw .system(folder.socket, Errno.last.description)
        }
        return listener.released()
    }

    private static let answering = Answering()

    /// When to accept connections again.
    package enum NextLook { case whenOneComes, later }

    /// Accepts all waiting peers, and passes each to `serve`. If there is no descriptor or memory for a peer, it stays
    /// in the queue. Since the system would report it again at once, the caller pauses before the next attempt.
    package static func accept(_ next: () -> Int32, _ serve: (Int32) -> Void) -> NextLook {
        while true {
            let peer = next()
            if peer >= 0 {
                serve(peer)
                continue
            }
            switch errno {
            // A signal, or a peer that has disconnected in the meantime.
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .later
            default: return .whenOneComes
            }
        }
    }

    /// How long to wait for a peer, from now.
    private static var patience: ContinuousClock.Instant { .now + .seconds(2) }

    private static func serve(_ peer: Int32, _ answer: @escaping Answer) {
        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
        // A peer that sends nothing, or hardly anything, blocks only this thread, for two seconds.
        DispatchQueue.global(qos: .userInitiated).async {
            let peer = Descriptor(peer)
            let deadline = patience
            // A peer that has not sent its request in time cannot expect an answer.
            guard let line = SessionLine.read(from: peer.number, deadline) else { return }
            guard isOwn(peer.number) else { return SessionLine.write("refused", to: peer.number, deadline) }
            guard let request = SessionRequest(rawValue: line) else {
                return SessionLine.write("unknown", to: peer.number, deadline)
            }
            let copy = dup(peer.number)
            // Answers run on their own queue, so that they do not wait for the thread pool that all tasks share.
            Task(executorPreference: answering) {
                let reply = Descriptor(copy)
                let text = await answer(request)
                SessionLine.write("ok " + text, to: reply.number, patience)
            }
        }
    }

    /// Whether the peer runs as the user of this program.
    private static func isOwn(_ peer: Int32) -> Bool {
        // struct ucred of Linux: pid, uid, gid.
        var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, .max, .max)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        return credentials.uid == getuid()
    }
}

/// The queue for answers.
private final class Answering: TaskExecutor {
    private let queue = DispatchQueue(label: "answers", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
