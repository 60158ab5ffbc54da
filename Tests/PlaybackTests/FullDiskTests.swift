import Foundation
import Glibc
import Playback
import Testing

/// A limit on the size of files stops writing in the middle, as a full disk does. It holds for a whole process, so each
/// type of file has a process of its own.
@Suite("Full disks")
struct FullDiskTests {
    @Test(
        "whatever room there is on a disk, a file that does not fit is an error, and the old file is kept",
        arguments: FileType.allCases)
    func sizes(type: FileType) async {
        await #expect(processExitsWith: .success) { [name = type.rawValue as String] in
            let type = try #require(FileType(rawValue: name))
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            let size = try Self.write(type, in: folder).count
            for room in (0..<16).map({ size * $0 / 16 }) + [size - 1] {
                try folder.write("a", "a good file\n")
                Self.limit(to: room)
                #expect(
                    throws: RenderError.cannotWrite("File too large", path: folder("a")),
                    "\(type), \(room) of \(size) bytes"
                ) {
                    _ = try Self.write(type, in: folder)
                }
                Self.limit(to: nil)
                #expect(folder.contents == ["a"])
                #expect(folder.text("a") == "a good file\n", "\(type), \(room) of \(size) bytes")
            }
        }
    }

    /// Renders a piece with title, composer and markers to the file `a`, and returns its bytes.
    private static func write(_ type: FileType, in folder: TemporaryFolder) throws -> [UInt8] {
        let performance = FileTypeTests.piece()
        let markers = try #require(Marker.all(of: performance, rate: 48_000, .bars, limit: 99))
        try Renderer(performance, format: SoundFormat()).write(to: folder("a"), as: type, markers: markers)
        return folder.bytes("a")
    }

    /// Limits the size of all files that this process writes; nil for none.
    private static func limit(to bytes: Int?) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}
