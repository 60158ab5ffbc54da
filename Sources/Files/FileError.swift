internal import Glibc
internal import Languages
package import SystemPackage

/// Why a file could not be written or read.
package enum FileError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be written, for the given reason.
    case cannotWrite(String)
    /// The file cannot be read, for the given reason.
    case cannotRead(String)

    /// There is a file already, which stays as it is.
    package static let exists = FileError.cannotWrite(Errno.fileExists.reason)

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

    /// Whether nothing exists at a path for which this is the error.
    package var meansNothing: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }
}

extension Errno {
    /// Why a system call failed, in the user's language; rare reasons are in the system's English.
    package var reason: String {
        switch self {
        case .noSuchFileOrDirectory: localized("No such file or directory")
        case .permissionDenied: localized("Permission denied")
        case .notPermitted: localized("Operation not permitted")
        case .isDirectory: localized("Is a directory")
        case .notDirectory: localized("Not a directory")
        case .fileExists: localized("File exists")
        case .fileNameTooLong: localized("File name too long")
        case .fileTooLarge: localized("File too large")
        case .noSpace: localized("No space left on device")
        case .readOnlyFileSystem: localized("Read-only file system")
        case .tooManySymbolicLinkLevels: localized("Too many levels of symbolic links")
        case .ioError: localized("Input/output error")
        default: description
        }
    }
}
