internal import Files
internal import Glibc
internal import SystemPackage

/// Sends requests to the playing session.
package enum SessionClient {
    /// Sends a request and returns the answer. A session that hangs up instead has ended, or is asked again.
    ///
    /// Errors: `.none` if nothing is playing (the socket of a session that was killed is removed), `.refused`, `.declined`
    /// if the session does nothing, `.suspended` as soon as the process of the session is found to be stopped, `.silent` if
    /// there is no answer within `patience`, whatever the session does meanwhile.
    package static func ask(
        _ request: SessionRequest, _ folder: SessionFolder, patience: Duration = .seconds(5)
    ) throws(SessionError) -> String {
        let deadline = ContinuousClock.now + patience
        while true {
            if let answer = try ask(request, folder, deadline) { return answer }
            guard .now < deadline else { throw .silent }
            usleep(1000)
        }
    }

    /// Waits until the session has ended.
    ///
    /// Errors: `.silent` if it gives no answer within `patience`; `.running` with its newest status if it answers, but has not
    /// ended after the `longest` time: on a busy machine, an end takes a while.
    package static func waitForEnd(
        _ folder: SessionFolder, patience: Duration = .seconds(5), longest: Duration = .seconds(30)
    ) throws(SessionError) {
        let limit = ContinuousClock.now + longest
        var newest = SessionError.silent
        while .now < limit {
            do throws(SessionError) {
                newest = .running(try ask(.status, folder, patience: patience))
            } catch .none {
                return
            }
            usleep(20_000)
        }
        throw newest
    }

    /// nil if the session hangs up without an answer.
    private static func ask(
        _ request: SessionRequest, _ folder: SessionFolder, _ deadline: ContinuousClock.Instant
    ) throws(SessionError) -> String? {
        try folder.check()
        let peer = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard peer.number >= 0 else { throw .system(folder.socket, Errno.last.reason) }
        let number = peer.number
        func isConnected() throws(SessionError) -> Bool {
            SessionLine.setTimeout(number, min(deadline, .now + SessionLine.look))
            return try folder.withAddress { connect(number, $0, $1) } == 0
        }
        while try !isConnected() {
            switch errno {
            case ENOENT, ENOTDIR: throw .none
            case ECONNREFUSED:
                removeStale(folder)
                throw .none
            case EACCES, EPERM: throw .refused
            // Its queue of peers is full.
            case EAGAIN where folder.isSuspended: throw .suspended
            case EAGAIN where .now < deadline: continue
            case EAGAIN: throw .silent
            default: throw .system(folder.socket, Errno.last.reason)
            }
        }
        // What a suspended session gets now, it would carry out when it goes on.
        guard !folder.isSuspended else { throw .suspended }
        _ = SessionLine.send(ArraySlice((request.rawValue + "\n").utf8), to: peer.number)
        var isGone = false
        guard let reply = SessionLine.read(from: peer.number, deadline, while: { !folder.isSuspended }, &isGone) else {
            if isGone { return nil }
            throw folder.isSuspended ? .suspended : .silent
        }
        if reply == "refused" { throw .refused }
        if reply.hasPrefix("no ") { throw .declined(String(reply.dropFirst(3))) }
        guard reply.hasPrefix("ok ") else { throw .silent }
        return String(reply.dropFirst(3))
    }

    /// Removes the socket of a session that has died. If the lock is free, no session is alive.
    private static func removeStale(_ folder: SessionFolder) {
        let lock = Descriptor(open(folder.lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW))
        if lock.number >= 0, flock(lock.number, LOCK_EX | LOCK_NB) == 0 { try? folder.removeSocket() }
    }
}

/// Lines on a socket.
enum SessionLine {
    /// The longest answer that is read, in bytes: far more than a session has to say.
    private static let limit = 1 << 24

    /// Limits the next call on a socket to the time until the deadline.
    static func setTimeout(_ socket: Int32, _ deadline: ContinuousClock.Instant) {
        // 0 would mean no limit.
        let left = max(ContinuousClock.now.duration(to: deadline), .milliseconds(1)).components
        var time = timeval(tv_sec: Int(left.seconds), tv_usec: Int(left.attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Sends as much as there is room for without waiting; returns the rest. A peer that has closed the connection is not an
    /// error: nothing is left to send.
    static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> ArraySlice<UInt8> {
        let count = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        guard count < 0 else { return bytes.dropFirst(count) }
        return errno == EAGAIN || errno == EINTR ? bytes : []
    }

    /// How long to wait for an answer until the peer is looked at again.
    static let look = Duration.milliseconds(200)

    /// Reads up to the end of a line; nil if none comes in time, if it is too long, if none has come and the peer is no longer
    /// `alive`, or if it has hung up, which `isGone` tells.
    static func read(
        from socket: Int32, _ deadline: ContinuousClock.Instant, while alive: () -> Bool, _ isGone: inout Bool
    ) -> String? {
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while line.count < limit, .now < deadline {
            setTimeout(socket, min(deadline, .now + look))
            let count = recv(socket, &piece, piece.count, 0)
            if count < 0, errno == EINTR || (errno == EAGAIN && alive()) { continue }
            guard count > 0 else {
                isGone = count == 0 || errno == ECONNRESET
                return nil
            }
            let end = piece[..<count].firstIndex(of: 0x0A)
            line += piece[..<(end ?? count)]
            if end != nil { return String(decoding: line, as: UTF8.self) }
        }
        return nil
    }
}
