internal import Glibc
internal import UserSettings

extension OSCAddress {
    /// Calls `body` with each address of the system, until it returns a descriptor; nil if none does.
    func firstSocket(isServer: Bool, _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> Bool) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isServer ? AI_PASSIVE : 0)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(info.ai_family, type, 0)
            guard descriptor >= 0, let address = info.ai_addr else { continue }
            if body(descriptor, address, info.ai_addrlen) { return descriptor }
            close(descriptor)
        }
        return nil
    }
}
