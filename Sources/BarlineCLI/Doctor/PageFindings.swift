internal import Languages
internal import Serving

extension Finding {
    /// Whether a page for browsers can be served: the library is there, and the port is free. Nothing is served.
    static func browsers() -> Finding {
        do throws(PageServerError) {
            _ = try PageServer(PageServer.Settings())
            return .good(
                localized("page for browsers"), localized("`barline serve` can use port \(PageServer.standardPort)"))
        } catch {
            let advice: String? =
                switch error {
                case .noLibrary(let package): "`sudo apt install \(package)`"
                case .noPort: localized("end the other program, or use `barline serve --port 0`")
                case .noMemory: nil
                }
            let seen: String =
                switch error {
                case .noLibrary(let package):
                    localized("the library \(package) is missing; it matters only for `barline serve`")
                case .noPort(let port): localized("port \(port) cannot be used; it matters only for `barline serve`")
                case .noMemory: "\(error)"
                }
            return .note(localized("page for browsers"), seen, advice: advice)
        }
    }
}
