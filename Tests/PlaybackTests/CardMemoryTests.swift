import Files
import Playback
import Testing

@Suite("Card memory")
struct CardMemoryTests {
    @Test("a memory is read back as it was written, whatever the devices are called")
    func roundTrip() {
        var memory = CardMemory()
        memory.entries["hw:CARD=PCH,DEV=0"] = CardMemory.Entry(ppm: -38.125, uncertaintyPPM: 0.5)
        memory.entries["default"] = CardMemory.Entry(latencyMilliseconds: 180)
        #expect(CardMemory(text: memory.text) == memory)
        #expect(memory.text.hasPrefix("device,ppm,uncertainty_ppm,latency_ms\n"))
    }

    @Test("a damaged line is skipped, and the others are kept")
    func damaged() {
        let text =
            "device,ppm,uncertainty_ppm,latency_ms\na,1,1,0\nb,nan,1,0\nc,5000,1,0\nd\n\u{0},,,\ne,2,1,20000\nf,3,1,0"
        #expect(CardMemory(text: text).entries.keys.sorted() == ["a", "f"])
        #expect(CardMemory(text: "").entries.isEmpty)
    }

    @Test("a missing memory is empty, and a saved one is read again")
    func file() throws {
        let folder = TemporaryFolder()
        #expect(CardMemory.read(folder("none")).entries.isEmpty)
        var memory = CardMemory()
        memory.entries["x"] = CardMemory.Entry(ppm: 12, uncertaintyPPM: 0.25)
        try TextFile.replace(folder("a/cards.csv"), Array(memory.text.utf8), makesFolders: true)
        #expect(CardMemory.read(folder("a/cards.csv")) == memory)
    }

    @Test("changes that are made at the same time are all remembered")
    func together() async {
        let folder = TemporaryFolder()
        let path = folder("a/cards.csv")
        await withTaskGroup(of: Void.self) { group in
            for program in 0..<4 {
                group.addTask {
                    for card in 0..<10 {
                        _ = try? CardMemory.change(path) { memory in
                            memory.entries["\(program):\(card)"] = CardMemory.Entry(ppm: Double(card))
                        }
                    }
                }
            }
        }
        #expect(CardMemory.read(path).entries.count == 40)
    }

    @Test("an invalid memory is renamed, and never overwritten", arguments: ["rubbish\n", "\u{0}", "device"])
    func setAside(text: String) throws {
        let folder = TemporaryFolder()
        let path = folder("cards.csv")
        try TextFile.replace(path, Array(text.utf8))
        #expect(try CardMemory.change(path) { $0.entries["x"] = CardMemory.Entry(ppm: 1) } == path + ".damaged-1")
        #expect(folder.bytes("cards.csv.damaged-1") == Array(text.utf8))
        #expect(CardMemory.read(path).entries["x"]?.ppm == 1)
        #expect(try CardMemory.change(path) { $0.entries["y"] = CardMemory.Entry(ppm: 2) } == nil)
        #expect(CardMemory.read(path).entries.count == 2)
    }

    @Test("the memory is in the user's state folder")
    func place() {
        #expect(CardMemory.path(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/barline/cards.csv")
        #expect(
            CardMemory.path(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/barline/cards.csv")
        #expect(CardMemory.path(environment: [:]) == nil)
    }
}
