internal import Files
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The single session of a user: holds a lock as long as it lives, and answers requests on a socket that only this user
/// can use (mode 0600, and the peer's credentials are checked).
///
/// The kernel releases the lock however the program ends, so a socket without a lock is known to be stale.
package final class SessionServer: Sendable {
    /// Answers a request with a line of text. Errors: `.declined`, with such a line.
    package typealias Answer = @Sendable (SessionRequest) async throws(SessionError) -> String

    private let folder: SessionFolder
    private let lock: Int32
    private let listener: ControlLoop.Watch
    private let isOpen = Atomic(true)

    /// Begins the session.
    ///
    /// Errors: `.running` with the status of another session, if there is one; `.suspended` if its process is stopped;
    /// otherwise an error of the system.
    package init(_ folder: SessionFolder, answer: @escaping Answer) throws(SessionError) {
        try folder.make()
        let lock = Descriptor(open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        guard lock.number >= 0 else { throw .system(folder.lock, Errno.last.reason) }
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
        listener = ControlLoop.shared.watch(socket, end: { close(socket) }) {
            SessionServer.accept({ Glibc.accept(socket, nil, nil) }) { SessionServer.serve($0, answer) }
        }
    }

    deinit { end() }

    /// Ends the session: stops answering and removes the socket. Safe to call twice.
    package func end() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        try? folder.removeSocket()
        listener.cancel()
        // A program that another thread is starting has a copy of the descriptor for a moment, which would keep the lock.
        flock(lock, LOCK_UN)
        close(lock)
    }

    private static func listen(_ folder: SessionFolder) throws(SessionError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = Descriptor(socket(AF_UNIX, type, 0))
        let number = listener.number
        guard number >= 0 else { throw .system(folder.socket, Errno.last.reason) }
        // The holder of the lock owns the socket: an existing one was left by a program that was killed.
        try folder.removeSocket()
        let bound = try folder.withAddress { bind(number, $0, $1) }
        guard bound == 0, chmod(folder.socket, 0o600) == 0, Glibc.listen(number, 16) == 0 else {
            throw .system(folder.socket, Errno.last.reason)
        }
        return listener.released()
    }

    /// How long no peer is accepted while there is no descriptor for one.
    private static let rest = Duration.milliseconds(100)

    /// Accepts all waiting peers, and passes each to `serve`. If there is no descriptor or memory for a peer, it stays
    /// in the queue. Since the system would report it again at once, the listener rests before the next attempt.
    package static func accept(_ next: () -> Int32, _ serve: (Int32) -> Void) -> ControlLoop.Next {
        while true {
            let peer = next()
            if peer >= 0 {
                serve(peer)
                continue
            }
            switch errno {
            // A signal, or a peer that has disconnected in the meantime.
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .rests(rest)
            default: return .goesOn
            }
        }
    }

    /// How long a peer may take to send its request.
    private static let patience = Duration.seconds(2)

    /// Reads the request of a peer, piece by piece, and answers it. A peer that has not sent it in time cannot expect an answer.
    private static func serve(_ peer: Int32, _ answer: @escaping Answer) {
        let request = IncomingLine(peer)
        let watch = ControlLoop.shared.watch(peer, keeping: [UInt8]()) { bytes in
            switch request.read(&bytes) {
            case .more: return .goesOn
            case .gone: return .ends
            case .line(let line):
                reply(to: line, request, answer)
                return .ends
            }
        }
        ControlLoop.shared.after(patience) { watch.cancel() }
    }

    private static func reply(to line: String, _ request: IncomingLine, _ answer: @escaping Answer) {
        guard isOwn(request.peer.number) else { return request.send("refused") }
        guard let asked = SessionRequest(rawValue: line) else { return request.send("unknown") }
        // Not on the threads that all tasks share, which may all be busy.
        Task(executorPreference: ControlLoop.shared) {
            // A peer that no longer waits has told its user that nothing came of it.
            guard !request.isAbandoned else { return }
            do throws(SessionError) { request.send("ok " + (try await answer(asked))) } catch {
                request.send("no \(error)")
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

/// A line that comes in pieces from a peer. The connection is closed once nobody reads or answers any more.
private final class IncomingLine: Sendable {
    enum Piece {
        case more, gone
        case line(String)
    }

    let peer: Descriptor
    private static let limit = 20_000

    init(_ peer: Int32) {
        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
        _ = fcntl(peer, F_SETFL, O_NONBLOCK)
        self.peer = Descriptor(peer)
    }

    /// Adds what has come to `bytes`.
    func read(_ bytes: inout [UInt8]) -> Piece {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = recv(peer.number, &piece, piece.count, 0)
        if count < 0, errno == EINTR || errno == EAGAIN { return .more }
        guard count > 0 else { return .gone }
        bytes += piece[..<count]
        if let end = bytes.firstIndex(of: 0x0A) { return .line(String(decoding: bytes[..<end], as: UTF8.self)) }
        return bytes.count < IncomingLine.limit ? .more : .gone
    }

    /// Whether the peer has hung up. One that has only nothing more to send still waits.
    var isAbandoned: Bool {
        var state = pollfd(fd: peer.number, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
    }

    /// How long a peer may take to read an answer.
    private static let patience = Duration.seconds(30)

    func send(_ line: String) { send(ArraySlice((line + "\n").utf8), until: .now + IncomingLine.patience) }

    /// Sends the bytes in pieces, as the peer makes room for them.
    private func send(_ bytes: ArraySlice<UInt8>, until deadline: ContinuousClock.Instant) {
        let rest = SessionLine.send(bytes, to: peer.number)
        guard !rest.isEmpty, .now < deadline else { return }
        ControlLoop.shared.after(.milliseconds(10)) { self.send(rest, until: deadline) }
    }
}
