internal import Glibc
internal import Testing

/// A socket that takes connections and never says anything.
package final class SilentSocket {
    package let path: String
    private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

    package init(_ path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 4) == 0)
    }

    deinit { close(descriptor) }
}
