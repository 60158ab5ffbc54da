internal import Glibc
package import SystemPackage

/// The file descriptors that this program may still open.
package enum Descriptors {
    /// Why the system does not let this program open `count` more files; nil if it does.
    package static func shortage(of count: Int) -> Errno? {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let error = Errno.last
                return error == .tooManyOpenFiles || error == .tooManyOpenFilesInSystem ? error : nil
            }
            opened.append(descriptor)
        }
        return nil
    }
}
