internal import Foundation
internal import Testing

/// The Python that has what `Tests/requirements.txt` lists.
enum Python {
    /// Where it is. Errors: it is not installed.
    static func path() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let python = root + "/.build/python/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "`make unit-test` installs \(python)")
        return python
    }
}
