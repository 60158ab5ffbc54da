import Formats
import Foundation
import Scores
import Testing
import UserSettings

@Suite("Memory of a score")
struct ScoreMemoryTests {
    private func file(_ folder: TemporaryFolder, _ identity: ScoreIdentity) throws -> ScoreMemoryFile {
        try #require(ScoreMemoryFile(environment: ["XDG_STATE_HOME": folder.path], identity))
    }

    private let memory = ScoreMemory(
        speed: Speed(millionths: 725_125), place: "5.7", loopFrom: "Hold: \"x\"", loopTo: "#13",
        played: LocalTime(text: "2026-11-21T20:15:00+01:00"))

    @Test("a memory is read back as it was written, whatever its places are called")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        let file = try file(folder, .path("/home/anna: x/#1 'my'.yaml"))
        #expect(file.read() == ScoreMemory())
        try file.write(memory)
        #expect(file.read() == memory)
        try file.change { $0.place = nil }
        #expect(file.read().place == nil && file.read().loopTo == "#13")
        try file.write(ScoreMemory())
        #expect(file.read() == ScoreMemory())
    }

    @Test("a score is identified by its real path, and a bundled one by its name")
    func identity() throws {
        let folder = TemporaryFolder()
        try folder.write("a.yaml", "")
        symlink("a.yaml", folder("b.yaml"))
        let real = try #require(ScoreIdentity(path: folder("a.yaml")))
        #expect(ScoreIdentity(path: folder("b.yaml")) == real)
        #expect(ScoreIdentity(path: folder("c.yaml")) == nil)
        #expect(ScoreIdentity.bundled("sequenza-vii").fileName == "sequenza-vii.yaml")
        // FNV-1a of "a", from its authors' table.
        #expect(ScoreIdentity.path("a").fileName == "af63dc4c8601ec8c.yaml")
        #expect(ScoreIdentity.path("").fileName == "cbf29ce484222325.yaml")
    }

    @Test("the memory of another score and invalid values are ignored")
    func foreign() throws {
        let bytes = Array(memory.text(of: .bundled("a")).utf8)
        #expect(ScoreMemory(bytes, of: .bundled("a")) == memory)
        #expect(ScoreMemory(bytes, of: .bundled("b")) == ScoreMemory())
        let odd = "score: a\nspeed: fast\nplace: 5.7\nplayed: yesterday\nloop-from: [1]\nnew: 1\n"
        #expect(ScoreMemory(Array(odd.utf8), of: .bundled("a")) == ScoreMemory(place: "5.7"))
    }

    @Test("a damaged memory is renamed, reported once, and not overwritten")
    func damaged() throws {
        let folder = TemporaryFolder()
        let file = try file(folder, .bundled("a"))
        try file.write(memory)
        try folder.write("barline/scores/a.yaml", "{")
        var notes: [String] = []
        #expect(file.read { notes.append($0) } == ScoreMemory())
        #expect(notes == ["'\(file.path)' was damaged and has been moved to '\(file.path).damaged-1'"])
        #expect(file.read { notes.append($0) } == ScoreMemory())
        #expect(notes.count == 1)
        try folder.write("barline/scores/a.yaml", "[")
        try file.write(memory) { notes.append($0) }
        #expect(notes.last == "'\(file.path)' was damaged and has been moved to '\(file.path).damaged-2'")
        #expect(file.read() == memory)
        #expect(folder.text("barline/scores/a.yaml.damaged-1") == "{")
        #expect(folder.text("barline/scores/a.yaml.damaged-2") == "[")
        let edited = "score: a\nspeed: fast\nplace: 5.7\n"
        try folder.write("barline/scores/a.yaml", edited)
        #expect(file.read { notes.append($0) } == ScoreMemory())
        #expect(notes.count == 3 && folder.text("barline/scores/a.yaml.damaged-3") == edited)
    }

    @Test("without a home folder, nothing is remembered")
    func homeless() { #expect(ScoreMemoryFile(environment: [:], .bundled("a")) == nil) }
}
