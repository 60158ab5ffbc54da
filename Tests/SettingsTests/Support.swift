import Foundation

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? ["unreadable"] }
    func bytes(_ name: String) -> [UInt8] { FileManager.default.contents(atPath: self(name)).map(Array.init) ?? [] }
    func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }
    func write(_ name: String, _ text: String) throws { try write(name, bytes: Array(text.utf8)) }
    func write(_ name: String, bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: self(name))) }
}
