import Foundation
import Score
import Shared
import Testing

/// What the diagnostics of a text look like, one text for all.
func rendered(_ text: String, file: String = "x.yaml") -> String {
    rendered(Array(text.utf8), file: file)
}

func rendered(_ bytes: [UInt8], file: String = "x.yaml") -> String {
    Score.read(bytes, file: file).diagnostics.map { $0.rendered() }.joined(separator: "\n")
}

/// Reads a text that must be a score without a warning.
func score(_ text: String, file: String = "x.yaml", _ location: SourceLocation = #_sourceLocation) throws -> Score {
    let reading = Score.read(Array(text.utf8), file: file)
    #expect(reading.diagnostics.map { $0.rendered() } == [], sourceLocation: location)
    return try #require(reading.score, sourceLocation: location)
}

/// The message that a failing body throws.
func message(_ body: () throws -> some Any) -> String {
    do {
        return "no error but \(try body())"
    } catch {
        return "\(error)"
    }
}

typealias Seeded = Shared.Seeded

/// A folder for one test, removed when the test is done with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let file = path + "/" + name
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
}
