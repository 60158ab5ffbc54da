import Files
import Foundation
import Testing

@Suite("Watched files")
struct WatchedFileTests {
    @Test("a file has changed if its content has, if it is gone, or if it exists now")
    func changes() throws {
        let folder = TemporaryFolder()
        let missing = WatchedFile(folder("a"))
        #expect(!missing.hasChanged)
        try folder.write("a", "one")
        #expect(missing.hasChanged)
        let file = WatchedFile(folder("a"))
        #expect(!file.hasChanged)
        try folder.write("a", "one")
        #expect(!file.hasChanged)
        try folder.write("a", "two")
        #expect(file.hasChanged)
        try FileManager.default.removeItem(atPath: folder("a"))
        #expect(file.hasChanged)
    }
}
