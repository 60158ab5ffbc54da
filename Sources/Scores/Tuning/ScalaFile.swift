internal import Files
internal import Glibc
internal import SystemPackage

/// A Scala file on disk.
public enum ScalaFile {
    /// The text of a file, 1 MB at most. Throws the system's reason.
    public static func text(_ path: String) throws(Fault) -> String {
        do throws(FileBytes.Fault) {
            return String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
        } catch {
            switch error {
            case .isDirectory: throw Fault(reason: Errno.isDirectory.description)
            case .tooLarge: throw Fault(reason: "it is larger than any Scala file")
            case .system(let error): throw Fault(reason: error.description)
            }
        }
    }

    /// A file that cannot be read.
    public struct Fault: Error, Equatable, CustomStringConvertible {
        /// Why.
        public let reason: String
        /// A phrase behind the file's name.
        public var description: String { "cannot be read: \(reason)" }
    }
}
