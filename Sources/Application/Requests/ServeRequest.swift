internal import Glibc
internal import Languages
internal import Serving

/// Where the page for browsers is served.
package struct ServeRequest: Sendable {
    /// Whether other devices of the local network may open it.
    package var lan = false
    package var port = PageServer.standardPort
    package var proxy: [String] = []

    package init() {}

    /// How the server is opened, and the hosts to print.
    func settings() throws -> (settings: PageServer.Settings, shown: [String]) {
        var settings = PageServer.Settings()
        settings.port = port
        settings.proxies = proxy
        guard lan else { return (settings, [PageServer.loopback[0]]) }
        let own = LocalAddresses.all
        guard !own.isEmpty else {
            throw Failure.exit(.noDevice, localized("--lan: this machine has no IPv4 address in a network"))
        }
        settings.address = nil
        settings.hosts += own + LocalAddresses.names
        return (settings, own)
    }
}

/// The addresses of this machine in its networks.
enum LocalAddresses {
    /// The IPv4 addresses of the interfaces that are up, without the loopback.
    static var all: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            let isUp = interface.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = interface.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback, let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            addresses.append(name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
        }
        return addresses
    }

    /// The names by which devices of the network may call this machine: its own, and that name in mDNS.
    static var names: [String] {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return [] }
        let own = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        return own.isEmpty ? [] : [own, own + ".local"]
    }
}
