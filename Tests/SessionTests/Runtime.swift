import Foundation
import Session
import Shared
import Testing

/// A separate runtime folder, which is removed after the test.
final class Runtime {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bl-\(UUID().uuidString.prefix(8))")
        .path
    let folder: SessionFolder

    init() throws {
        mkdir(path, 0o700)
        folder = try #require(SessionFolder(environment: ["XDG_RUNTIME_DIR": path]))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Sends a request like another program: not on a thread that the answer may need, and with patience for busy
/// machines.
func ask(_ request: SessionRequest, _ folder: SessionFolder) async throws -> String {
    try await waiting { try SessionClient.ask(request, folder, patience: patience) }
}
