internal import Files
package import Glibc
internal import Languages
internal import SystemPackage

/// The folder of a user's session: `$XDG_RUNTIME_DIR/barline`, accessible only to that user.
package struct SessionFolder: Sendable, Equatable {
    /// The path of the folder.
    package let path: String

    /// The folder for an environment; nil if XDG_RUNTIME_DIR is not an absolute path, so that there can be no session.
    package init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        path = runtime + "/barline"
    }

    /// The socket that takes requests.
    var socket: String { path + "/session" }
    /// The lock file; whoever holds its lock is the session.
    package var lock: String { path + "/lock" }

    /// Writes into the lock file which process holds its lock.
    func sign(_ lock: Int32) {
        let text = Array("\(getpid())\n".utf8)
        // A session that cannot be told from a silent one is still a session.
        if ftruncate(lock, 0) == 0 { _ = pwrite(lock, text, text.count, 0) }
    }

    /// Whether the process of the session, which has its socket open, is stopped, as by Ctrl-Z: it cannot answer until it
    /// goes on.
    var isSuspended: Bool {
        let lock = Descriptor(open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
        var bytes = [UInt8](repeating: 0, count: 1024)
        guard lock.number >= 0 else { return false }
        let count = pread(lock.number, &bytes, bytes.count, 0)
        guard let pid = Int32(String(decoding: bytes[..<max(count, 0)], as: UTF8.self).prefix { $0.isNumber }) else {
            return false
        }
        let status = Descriptor(open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC))
        guard status.number >= 0 else { return false }
        let length = read(status.number, &bytes, bytes.count)
        // `PID (NAME) STATE …`: the name may contain anything, also a parenthesis.
        let rest = String(decoding: bytes[..<max(length, 0)], as: UTF8.self).split(separator: ")").last ?? ""
        return ["T", "t"].contains(rest.split(separator: " ").first)
    }

    /// Makes the folder, with mode 0700. Errors: those of `check` and `withAddress`, or it cannot be made.
    package func make() throws(SessionError) {
        _ = try withAddress { _, _ in 0 }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(path, Errno.last.reason) }
        try check()
    }

    /// Checks that no other user can have put anything into the folder. Errors: `.none` if there is no folder; it is a
    /// symbolic link, not a folder, owned by another user, or writable by others.
    func check() throws(SessionError) {
        var about = stat()
        guard lstat(path, &about) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .none : .system(path, Errno.last.reason)
        }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            throw .system(
                path,
                about.st_mode & S_IFMT == S_IFLNK
                    ? localized("it is a symbolic link; remove it, and barline makes a new folder")
                    : localized("it is not a folder; remove it, and barline makes a new folder"))
        }
        guard about.st_uid == getuid() else { throw .foreign(path) }
        guard about.st_mode & 0o022 == 0 else {
            throw .system(path, localized("other users can write into it; `chmod 700` allows only you"))
        }
    }

    /// Removes the socket that a session has left behind. Errors: the file is not a socket; it is not removed.
    func removeSocket() throws(SessionError) {
        var about = stat()
        guard lstat(socket, &about) == 0 else { return }
        guard about.st_mode & S_IFMT == S_IFSOCK else {
            throw .system(socket, localized("it is not a socket, so barline does not remove it"))
        }
        unlink(socket)
    }

    /// Calls `bind` or `connect` with the address of the socket. Errors: the path is too long for a socket address.
    package func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws(SessionError) -> Int32 {
        try SessionFolder.withAddress(of: socket, call)
    }

    /// The same for any socket.
    package static func withAddress(
        of socket: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SessionError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(socket.utf8)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard isShort else { throw .system(socket, localized("the path is too long for a socket")) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The error for no session, or no answer from it.
package enum SessionError: Error, Equatable, CustomStringConvertible {
    /// Nothing is playing.
    case none
    /// Another session is playing; with its status, empty if it does not answer.
    case running(String)
    /// The session belongs to another user.
    case refused
    /// The folder belongs to another user.
    case foreign(String)
    /// The session does nothing of what was asked, for this reason.
    case declined(String)
    /// The session does not answer.
    case silent
    /// The session does not answer because its process is stopped, as by Ctrl-Z.
    case suspended
    /// A path cannot be used, with the reason.
    case system(String, String)

    /// The error as a phrase without a full stop.
    package var description: String {
        switch self {
        case .none: localized("nothing is playing")
        case .running(""): localized("another session is already playing")
        case .running(let status): localized("already playing: \(status)")
        case .refused: localized("the session belongs to another user")
        case .foreign(let path): localized("'\(path)' belongs to another user")
        case .declined(let reason): reason
        case .silent: localized("the session does not answer")
        case .suspended: localized("suspended; type fg in its terminal")
        case .system(let path, let reason): "'\(path)': \(reason)"
        }
    }
}

/// A file descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { if number >= 0 { close(number) } }

    /// The number, which the caller closes.
    consuming func released() -> Int32 {
        let number = number
        discard self
        return number
    }
}
