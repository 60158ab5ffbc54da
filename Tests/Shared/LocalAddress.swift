package import Glibc

/// Calls `use` with an IPv4 address of this machine, 127.0.0.`host`, as the functions of sockets take it; returns what it returns.
package func withLocalAddress(
    port: UInt16, host: UInt32 = 1, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0000 + host).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// Binds a socket to a free port of this machine, and returns that; nil if none is free.
package func bindToFreePort(_ descriptor: Int32) -> UInt16? {
    guard withLocalAddress(port: 0, { bind(descriptor, $0, $1) }) == 0 else { return nil }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
    }
    return isKnown ? UInt16(bigEndian: address.sin_port) : nil
}
