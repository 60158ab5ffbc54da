/// The names under which the server may be asked for.
///
/// A page of another site can make a browser send requests here, and even under a name of its own that it has pointed
/// here (DNS rebinding). Its name is then in the headers Host and Origin, which no page can change.
package struct PageHosts: Sendable {
    private let authorities: Set<String>

    /// Hosts that are asked for with this port, and the names of proxies, which have ports of their own.
    package init(_ hosts: [String], port: Int, proxies: [String] = []) {
        let own = hosts.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] }
        authorities = Set((own + proxies).map { $0.lowercased() })
    }

    /// The status of the answer to a request: 200, 400 without a host, 403 for a host or origin that is not ours.
    /// `origin` is empty if the header is missing, which it may be except for a WebSocket: browsers always send it there.
    package func status(host: String, origin: String, isUpgrade: Bool) -> Int32 {
        guard !host.isEmpty else { return 400 }
        guard authorities.contains(host.lowercased()) else { return 403 }
        if origin.isEmpty { return isUpgrade ? 403 : 200 }
        let isOwn = ["http://", "https://"].contains { $0 + host.lowercased() == origin.lowercased() }
        return isOwn ? 200 : 403
    }
}
