internal import Files
internal import Glibc
internal import Languages
internal import SystemPackage

/// A Scala file on disk.
public enum ScalaFile {
    /// Reads the text of a file. Errors: the file cannot be read, is a folder, or is larger than 1 MiB.
    public static func text(_ path: String) throws(Fault) -> String {
        do throws(FileBytes.Fault) {
            return String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
        } catch {
            switch error {
            case .isDirectory: throw Fault(reason: Errno.isDirectory.description)
            case .tooLarge: throw Fault(reason: localized("it is too large for a Scala file"))
            case .system(let error): throw Fault(reason: error.description)
            }
        }
    }

    /// A file that cannot be read.
    public struct Fault: Error, Equatable, CustomStringConvertible {
        /// The reason.
        public let reason: String
        /// A phrase that follows the file's name in a message.
        public var description: String { localized("cannot be read: \(reason)") }
    }
}
