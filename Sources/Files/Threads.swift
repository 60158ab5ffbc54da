internal import Glibc
internal import Languages
internal import SystemPackage

/// The threads of this program.
package enum Threads {
    /// Ends the process, because the system refuses a thread without which it cannot go on, for the reason that
    /// `pthread_create` has returned.
    package static func areRefused(_ error: Int32) -> Never {
        let message = localized("the system starts no thread: \(Errno(rawValue: error).reason)")
        let line = "barline: " + localized("error: \(message)") + "\n"
        _ = line.withCString { write(2, $0, strlen($0)) }
        _exit(69)
    }
}
