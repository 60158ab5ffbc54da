import Application
import Glibc
import Playback
import Shared
import Testing

@Suite("Too many open files")
struct ScarceDescriptorTests {
    @Test("a score that cannot be opened because too many files are open is not said to be missing")
    func score() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            try folder.write("small.yaml", SampleTexts.small)
            func code(_ name: String) throws -> Int32 {
                let end = try #require(throws: ProgramEnd.self) { try LoadedScore.read(folder(name)) }
                let checked = try #require(throws: ProgramEnd.self) { try CheckRequest([folder(name)]).check() }
                try #require(end == checked)
                return end.code
            }
            try #require(try code("none.yaml") == 66)
            while dup(0) >= 0 {}
            try #require(try code("small.yaml") == 69)
        }
    }

    @Test("a sound device that cannot be opened because too many files are open is not said to be missing")
    func device() async {
        await #expect(processExitsWith: .success) {
            while dup(0) >= 0 {}
            let card = try #require(throws: CardError.self) { try Card("null") }
            let microphone = try #require(throws: CardError.self) { try Microphone("null", rate: 48_000) }
            try #require(card.reason == .other && microphone.reason == .other)
        }
    }
}
