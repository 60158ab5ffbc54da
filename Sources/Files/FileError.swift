internal import Glibc
package import SystemPackage

/// Why a file was not written, or not read.
package enum FileError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be written, for the reason given.
    case cannotWrite(String)
    /// The file cannot be read, for the reason given.
    case cannotRead(String)

    /// What the system says.
    package var reason: String {
        switch self {
        case .cannotWrite(let reason), .cannotRead(let reason): reason
        }
    }

    /// The end of a sentence behind the file's name.
    package var description: String {
        switch self {
        case .cannotWrite(let reason): "cannot be written: \(reason)"
        case .cannotRead(let reason): "cannot be read: \(reason)"
        }
    }
}

extension Errno {
    /// Why the system refused the last call of this thread.
    package static var last: Errno { Errno(rawValue: errno) }
}
