internal import Files
internal import Glibc
internal import SystemPackage

/// Where the session of a user lies: `$XDG_RUNTIME_DIR/barline`, for its user alone.
package struct SessionFolder: Sendable, Equatable {
    /// The folder.
    package let path: String

    /// The folder for an environment; nil where XDG_RUNTIME_DIR is not set to an absolute path: then there is no session.
    package init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        path = runtime + "/barline"
    }

    /// The socket that takes requests.
    var socket: String { path + "/session" }
    /// The file whose lock is the session.
    var lock: String { path + "/lock" }

    /// Makes the folder, mode 0700. Errors: those of `check`, or it cannot be made.
    func make() throws(SessionError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(path, Errno.last.description) }
        try check()
    }

    /// Checks that nobody else can have put anything into the folder.
    ///
    /// Errors: `.none` where there is no folder; it is a symbolic link or no folder, somebody else's, or others may write.
    func check() throws(SessionError) {
        var about = stat()
        guard lstat(path, &about) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .none : .system(path, Errno.last.description)
        }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            let what = about.st_mode & S_IFMT == S_IFLNK ? "it is a symbolic link" : "it is no folder"
            throw .system(path, "\(what); remove it, and barline makes a folder of its own")
        }
        guard about.st_uid == getuid() else { throw .foreign(path) }
        guard about.st_mode & 0o022 == 0 else {
            throw .system(path, "others may write into it; `chmod 700` makes it yours alone")
        }
    }

    /// Removes a socket that is left from a session. Errors: what is there is no socket, and is not removed.
    func removeSocket() throws(SessionError) {
        var about = stat()
        guard lstat(socket, &about) == 0 else { return }
        guard about.st_mode & S_IFMT == S_IFSOCK else {
            throw .system(socket, "it is no socket, and not barline's to remove")
        }
        unlink(socket)
    }

    /// The address of the socket. Errors: the path is too long for one.
    func address() throws(SessionError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(socket.utf8)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard isShort else { throw .system(socket, "the path is too long for a socket") }
        return address
    }
}

/// Why there is no session, or no answer from one.
package enum SessionError: Error, Equatable, CustomStringConvertible {
    /// Nothing is playing.
    case none
    /// Another session is playing; what it says of itself, empty where it does not answer.
    case running(String)
    /// The session belongs to somebody else.
    case refused
    /// The folder belongs to somebody else.
    case foreign(String)
    /// The session does not answer.
    case silent
    /// The system refuses a path, with its reason.
    case system(String, String)

    /// The error as a phrase without a full stop.
    package var description: String {
        switch self {
        case .none: "nothing is playing"
        case .running(let status): "barline is playing already" + (status.isEmpty ? "" : ": \(status)")
        case .refused: "the session belongs to another user"
        case .foreign(let path): "'\(path)' belongs to another user"
        case .silent: "the session does not answer"
        case .system(let path, let reason): "'\(path)': \(reason)"
        }
    }
}

/// An open descriptor, closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { if number >= 0 { close(number) } }
}
