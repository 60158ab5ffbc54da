internal import Application
internal import ArgumentParser
internal import Languages
internal import Serving

/// Where the page is served.
struct ServeOptions: ParsableArguments {
    @Flag(
        help: .localized(
            "Let other devices of the local network open the page, too (see docs/serving.md for what they can do)."))
    var lan = false

    @Option(
        parsing: .unconditional,
        help: .localized("The port of the page; 0 takes any that is free.", valueName: "number"))
    var port = PageServer.standardPort

    @Option(
        help: .localized(
            "The name of a proxy in front of the page, as browsers send it, such as music.example.org; repeat for several.",
            valueName: "host"))
    var proxy: [String] = []

    /// Whether none of the options is given.
    var areUnused: Bool { !lan && port == PageServer.standardPort && proxy.isEmpty }

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError(localized("--port must be 0 to 65535")) }
        for name in proxy {
            let isHost = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) }
            guard isHost, !name.isEmpty, name.utf8.count <= 253 else {
                throw ValidationError(
                    localized("--proxy '\(name)' is not the name of a host, for example music.example.org"))
            }
        }
    }

    /// The same for the application.
    var request: ServeRequest {
        var request = ServeRequest()
        (request.lan, request.port, request.proxy) = (lan, port, proxy)
        return request
    }
}
