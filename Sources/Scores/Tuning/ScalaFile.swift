internal import Files
internal import Languages
internal import SystemPackage

/// A Scala file on disk.
public enum ScalaFile {
    /// Reads the text of a file. Errors: the file cannot be read, is a folder, or is
    /// larger than 1 MiB; the error is a phrase that follows the file's name.
    public static func text(_ path: String) throws(TextError) -> String {
        do throws(FileBytes.Fault) {
            return String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
        } catch {
            let reason =
                switch error {
                case .isDirectory: Errno.isDirectory.reason
                case .tooLarge: localized("it is too large for a Scala file")
                case .system(let error): error.reason
                }
            throw TextError(localized("cannot be read: \(reason)"))
        }
    }
}
