import Files
import Foundation
import Glibc
import Playback
import Testing

@Suite("Files")
struct FileTests {
    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    @Test("the header of a WAV file describes its samples", arguments: SampleFormat.allCases, [1, 2])
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

    @Test("a file that is too large for WAV is written as RF64")
    func large() throws {
        let folder = TemporaryFolder()
        let format = SoundFormat()
        let limit = SoundFile.sizeLimit / Int64(format.bytesPerFrame)
        for (frames, name) in [(limit, "RIFF"), (limit + 1, "RF64")] {
            try Self.writeSound(folder(name), format, announced: frames)
            #expect(Array(folder.bytes(name)[0..<4]) == Array(name.utf8))
        }
    }

    @Test("a full disk is an error, and leaves no file")
    func fullDisk() {
        #expect(throws: RenderError.cannotWrite("No space left on device", path: "/dev/full")) {
            try Renderer(RendererTests.score.performance(), format: SoundFormat()).write(to: "/dev/full")
        }
    }

    @Test("of several files, the error names the one that cannot be written, and none is left")
    func whichFile() {
        let folder = TemporaryFolder()
        let renderer = Renderer(RendererTests.score.performance(), format: SoundFormat())
        #expect(throws: RenderError.cannotWrite("No space left on device", path: "/dev/full")) {
            try renderer.write([(folder("all.wav"), .all), ("/dev/full", .click), (folder("drone.wav"), .drone)])
        }
        #expect(folder.contents == [])
    }

    @Test("a sound file that cannot be started leaves its descriptor open")
    func descriptorStays() throws {
        let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        #expect(throws: RenderError.self) {
            _ = try SoundFile(descriptor: file, format: SoundFormat(), frames: 100)
        }
        #expect(fcntl(file, F_GETFD) >= 0)
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
}
