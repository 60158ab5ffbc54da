internal import Glibc
internal import SystemPackage

/// The file descriptors of this program.
package enum Descriptors {
    /// Whether the system lets this program open no more files.
    package static var areUsedUp: Bool {
        let descriptor = open("/", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return false
        }
        return [.tooManyOpenFiles, .tooManyOpenFilesInSystem].contains(Errno.last)
    }
}
