internal import Foundation
internal import Testing

/// The Python that has the packages of `Tests/requirements.txt`.
enum Python {
    /// Its path. Errors: it is not installed.
    static func path() throws -> String {
        let python = Program.root + "/.build/python/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "`make unit-test` installs \(python)")
        return python
    }
}
