internal import Files
internal import Glibc
internal import SystemPackage

/// A request to the playing session; a line of text on its socket.
package enum SessionRequest: String, Sendable, CaseIterable {
    /// End, with a fade.
    case stop
    /// Pause, or resume.
    case pause
    /// Go on after a hold that waits for the player, or after a pause.
    case `continue`
    /// The status, as a line for people.
    case status
    /// The status, as a JSON object.
    case statusJSON = "status json"
}

/// Sends requests to the playing session.
package enum SessionClient {
    /// Sends a request and returns the answer.
    ///
    /// Errors: `.none` if nothing is playing (the socket of a session that was killed is removed), `.refused`,
    /// `.silent` after `patience` seconds.
    package static func ask(
        _ request: SessionRequest, _ folder: SessionFolder, patience: Int = 5
    ) throws(SessionError) -> String {
        try folder.check()
        let peer = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard peer.number >= 0 else { throw .system(folder.socket, Errno.last.description) }
        SessionLine.setPatience(peer.number, milliseconds: patience * 1000)
        let number = peer.number
        guard try folder.withAddress({ connect(number, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .none
            case ECONNREFUSED:
                removeStale(folder)
                throw .none
            case EACCES, EPERM: throw .refused
            default: throw .system(folder.socket, Errno.last.description)
            }
        }
        SessionLine.write(request.rawValue, to: peer.number)
        guard let reply = SessionLine.read(from: peer.number) else { throw .silent }
        if reply == "refused" { throw .refused }
        guard reply.hasPrefix("ok ") else { throw .silent }
        return String(reply.dropFirst(3))
    }

    /// Removes the socket of a session that has died. If the lock is free, no session is alive.
    private static func removeStale(_ folder: SessionFolder) {
        let lock = Descriptor(open(folder.lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW))
        if lock.number >= 0, flock(lock.number, LOCK_EX | LOCK_NB) == 0 { try? folder.removeSocket() }
    }
}

/// Lines on a socket, cut at 4096 characters.
enum SessionLine {
    private static let limit = 4096

    static func setPatience(_ socket: Int32, milliseconds: Int) {
        var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Writes a line. A peer that has closed the connection is not an error.
    static func write(_ line: String, to socket: Int32) {
        var rest = Array((line.prefix(limit) + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads up to the end of a line; nil if none comes in time.
    static func read(from socket: Int32) -> String? {
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: limit)
        while line.count < 5 * limit {
            let count = recv(socket, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            line += piece[..<count]
            if let end = line.firstIndex(of: 0x0A) { return String(decoding: line[..<end], as: UTF8.self) }
        }
        return nil
    }
}
