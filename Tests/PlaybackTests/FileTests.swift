import Foundation
import Testing

@testable import Playback

@Suite("Files")
struct FileTests {
    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    @Test("a WAV says what is in it", arguments: SampleFormat.allCases, [1, 2])
    func header(samples: SampleFormat, channels: Int) throws {
        let folder = TemporaryFolder()
        let format = SoundFormat(rate: 44_100, channels: channels, samples: samples)
        let renderer = Renderer(RendererTests.score.performance(), format: format)
        try renderer.write(to: folder("a.wav"))
        let bytes = folder.bytes("a.wav")
        #expect(Array(bytes[0..<4]) == Array("RIFF".utf8))
        #expect(Int(Self.word(bytes, 4)) == bytes.count - 8)
        #expect(Array(bytes[8..<16]) == Array("WAVEfmt ".utf8))
        let tag = Int(Self.word(bytes, 20) & 0xFFFF)
        #expect(tag == (samples == .float32 ? 3 : 1))
        #expect(Int(Self.word(bytes, 20) >> 16) == channels)
        #expect(Self.word(bytes, 24) == 44_100)
        #expect(Int(Self.word(bytes, 28)) == 44_100 * format.bytesPerFrame)
        #expect(Int(Self.word(bytes, 32) >> 16) == samples.bytes * 8)
        // The samples are the last chunk.
        let data = try #require(bytes.firstRange(of: Array("data".utf8))).lowerBound
        let size = Int(Self.word(bytes, data + 4))
        #expect(size == Int(try #require(renderer.frames)) * format.bytesPerFrame)
        #expect(try Array(bytes[(data + 8)..<(data + 8 + size)]) == renderer.samples())
    }

    @Test("what is larger than a WAV can be is RF64")
    func large() throws {
        let folder = TemporaryFolder()
        let format = SoundFormat()
        let limit = SoundFile.wavLimit / Int64(format.bytesPerFrame)
        for (frames, name) in [(limit, "RIFF"), (limit + 1, "RF64")] {
            try Self.writeSound(folder(name), format, announced: frames)
            #expect(Array(folder.bytes(name)[0..<4]) == Array(name.utf8))
        }
    }

    @Test("a file that is not kept was never there")
    func notKept() throws {
        let folder = TemporaryFolder()
        do {
            let file = try NewFile(folder("a"))
            #expect(write(file.descriptor, "x", 1) == 1)
            #expect(folder.contents.count == 1)
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("a kept file has the modes that the user's mask leaves, or those of the file it replaces")
    func modes() throws {
        let folder = TemporaryFolder()
        for wanted in [0o666 & ~currentMask(), 0o640] {
            var file = try NewFile(folder("a"))
            try file.keep()
            let modes = try FileManager.default.attributesOfItem(atPath: folder("a"))[.posixPermissions] as? Int
            if wanted != 0o640 { #expect(modes == wanted) }
            chmod(folder("a"), 0o640)
            if wanted == 0o640 { #expect(modes == 0o640) }
        }
    }

    @Test("a symbolic link stays one, and what it points to is replaced")
    func symbolicLink() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("real"), Array("old".utf8))
        symlink("real", folder("link"))
        var file = try NewFile(folder("link"))
        #expect(write(file.descriptor, "new", 3) == 3)
        try file.keep()
        #expect(folder.bytes("real") == Array("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link")) == "real")
        #expect(folder.contents == ["link", "real"])
    }

    @Test("what cannot be written says why")
    func reasons() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("file"), [])
        #expect(throws: RenderError.cannotWrite("Is a directory")) { try Self.open(folder.path) }
        #expect(throws: RenderError.cannotWrite("Not a directory")) { try Self.open(folder("file/x.wav")) }
        #expect(throws: RenderError.cannotWrite("No such file or directory")) { try Self.open(folder("no/x.wav")) }
        #expect(throws: RenderError.cannotWrite("File exists")) { try TextFile.create(folder("file"), [1]) }
    }

    @Test("a full disk is an error, and no file")
    func fullDisk() {
        #expect(throws: RenderError.cannotWrite("No space left on device")) {
            try Renderer(RendererTests.score.performance(), format: SoundFormat()).write(to: "/dev/full")
        }
    }

    @Test("folders above a copied score are made")
    func folders() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("a/b/c.yaml"), Array("x".utf8))
        #expect(folder.bytes("a/b/c.yaml") == Array("x".utf8))
    }

    private static func writeSound(_ path: String, _ format: SoundFormat, announced frames: Int64) throws {
        var file = try NewFile(path)
        let sound = try SoundFile(descriptor: file.descriptor, format: format, frames: frames)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 400, alignment: 8)
        defer { block.deallocate() }
        block.initializeMemory(as: UInt8.self, repeating: 1)
        try sound.write(UnsafeRawBufferPointer(block))
        try sound.finish()
        try file.keep()
    }

    private static func open(_ path: String) throws { _ = try NewFile(path) }

    private func currentMask() -> Int {
        let mask = umask(0)
        umask(mask)
        return Int(mask)
    }
}
