internal import Foundation

/// A temporary folder that is deleted with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
    package var contents: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? ["unreadable"]
    }
    package func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: self(name)).map(Array.init) ?? []
    }
    package func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }
    /// Writes a file; creates missing folders.
    package func write(_ name: String, _ text: String) throws { try write(name, bytes: Array(text.utf8)) }
    package func write(_ name: String, bytes: [UInt8]) throws {
        let file = URL(fileURLWithPath: self(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }
}
