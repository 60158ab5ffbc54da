internal import Application
internal import Session
internal import Shared
internal import SimulatedCardSupport
internal import Synchronization
internal import Testing
internal import UserSettings

/// An application with a home of its own in this process, and what it says: no test here starts a program.
final class Home: Sendable {
    let folder: TemporaryFolder
    private let said = Mutex((output: [UInt8](), errors: ""))

    /// A home of its own, or that of another application of the same user.
    init(of other: Home? = nil) { folder = other?.folder ?? TemporaryFolder() }

    /// What has been written so far to standard output and standard error.
    var output: [UInt8] { said.withLock(\.output) }
    var text: String { String(decoding: output, as: UTF8.self) }
    var errors: String { said.withLock(\.errors) }
    /// The lines of bars so far, as screens without a terminal print them.
    var bars: [Substring] { text.split(separator: "\n").filter { $0.hasSuffix(" s") } }

    /// What is in the folder, the user's home and sessions apart.
    var files: [String] { folder.contents.filter { $0 != "barline" && $0 != "home" } }

    private var environment: [String: String] {
        [
            "HOME": folder("home"), "XDG_DATA_HOME": folder("data"), "XDG_RUNTIME_DIR": folder.path, "LANG": "C.UTF-8",
            "TERM": "dumb",
        ]
    }

    /// Writes a file; returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        try folder.write(name, text)
        return folder(name)
    }

    /// Carries out a request with these settings of the user; returns its exit code.
    @discardableResult
    func run(_ settings: [String: String] = [:], _ body: @Sendable () async throws -> Void) async throws -> Int32 {
        said.withLock { $0 = ([], "") }
        return try await Environment.$own.withValue(environment.merging(settings) { $1 }) {
            try await StandardError.read(by: { text in self.said.withLock { $0.errors += text } }) {
                try await StandardOutput.read(by: { bytes in self.said.withLock { $0.output += bytes } }) {
                    do { try await body() } catch let end as ProgramEnd { return end.code }
                    return 0
                }
            }
        }
    }

    /// Carries out a request as it is now.
    @discardableResult
    func run<Request: Sendable>(
        _ request: Request, _ settings: [String: String] = [:], _ body: @Sendable (Request) async throws -> Void
    ) async throws -> Int32 {
        try await run(settings) { try await body(request) }
    }

    /// Plays a file of this home, a bundled score or a plan on the null device; returns the exit code.
    func playSilently(
        _ score: String, _ settings: [String: String] = [:],
        _ change: @Sendable (inout PlayRequest) throws -> Void = { _ in }
    ) async throws -> Int32 {
        var request = PlayRequest(folder.contents.contains(score) ? folder(score) : score)
        request.device = .null
        try change(&request)
        let wanted = request
        return try await run(settings) { try await wanted.play() }
    }

    /// Waits until this is so, without a thread.
    func wait(for what: String, _ isSo: @escaping @Sendable () -> Bool) async throws {
        @Sendable func ask() async throws -> Bool { isSo() }
        try await Shared.wait(for: what, ask, orTell: { self.text + self.errors })
    }

    /// Asks the session that plays here, as another terminal does.
    func ask(_ request: SessionRequest) async throws -> String {
        let folder = try #require(SessionFolder(environment: environment))
        return try await waiting { try SessionClient.ask(request, folder, patience: patience) }
    }

    /// A simulated card in this home.
    func card(_ name: String = "card") throws -> SimulatedCard {
        SimulatedCard.configureThisProcess()
        return try SimulatedCard(in: folder.path, name: name)
    }
}

extension DeviceRequest {
    /// The device that plays nothing, on a machine without sound cards.
    static var null: DeviceRequest {
        SimulatedCard.configureThisProcess()
        var request = DeviceRequest()
        request[Setting.device] = "null"
        return request
    }

    /// A simulated card, as exactly as it records.
    init(_ card: SimulatedCard) {
        self.init()
        self[Setting.device] = card.device
        requireAudio = true
        (format.samples, format.rate, format.channels) = (.float32, 48_000, 2)
    }
}
