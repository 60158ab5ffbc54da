internal import Glibc
internal import Languages
package import SystemPackage

/// Why a file could not be written or read.
package enum FileError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be written, for the given reason.
    case cannotWrite(String)
    /// The file cannot be read, for the given reason.
    case cannotRead(String)

    /// The reason, usually the system's error.
    package var reason: String {
        switch self {
        case .cannotWrite(let reason), .cannotRead(let reason): reason
        }
    }

    /// A phrase that follows the file's name in a sentence.
    package var description: String {
        switch self {
        case .cannotWrite(let reason): localized("cannot be written: \(reason)")
        case .cannotRead(let reason): localized("cannot be read: \(reason)")
        }
    }
}

extension Errno {
    /// The error of the last failed system call in this thread.
    package static var last: Errno { Errno(rawValue: errno) }
}
