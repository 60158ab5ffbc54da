internal import Glibc

/// Files that are there only while they are made or read.
package enum TemporaryFiles {
    /// The folder for them: `$TMPDIR`, or else `/tmp`. Reads the environment, which this program never changes.
    package static var folder: String {
        guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
        return String(cString: folder)
    }
}
