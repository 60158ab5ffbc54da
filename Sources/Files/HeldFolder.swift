internal import Glibc

/// A folder that stays the same one, also if it is moved and another one takes its name.
package final class HeldFolder: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Opens a folder, and keeps it open. A folder that cannot be opened is no error here: writing a file into it is one.
    package init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A path to a file in the folder, wherever the folder is then.
    package func path(of name: String) -> String {
        // A system without /proc has only the name of the folder.
        (FileBytes.isDirectory(held) ? held : path) + "/" + name
    }

    /// Where the folder is now, without symbolic links; nil if it has been removed.
    package var place: String? { FileBytes.realPath(path(of: ".")) }

    private var held: String { "/proc/self/fd/\(descriptor)" }
}
