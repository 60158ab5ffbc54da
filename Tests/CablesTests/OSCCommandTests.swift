import Cables
import Testing
import UserSettings

@Suite("Commands by OSC")
struct OSCCommandTests {
    @Test("every action of a key has an address", arguments: KeyAction.allCases)
    func everyAction(action: KeyAction) throws {
        let address = "/barline/\(action.rawValue)"
        #expect(OSCCommand.read(OSCMessage(address))?.action == action)
        #expect(OSCCommand.read(OSCMessage(address, [.float(1)]))?.action == action)
        // A button that is released.
        #expect(OSCCommand.read(OSCMessage(address, [.float(0)])) == nil)
        let asked = try #require(OSCCommand.read(OSCMessage(address, [.string("5.7")])))
        #expect(asked.action == action && asked.text == "5.7")
    }

    @Test(
        "other addresses are no commands",
        arguments: ["/barline", "/barline/", "/barline/Pause", "/barline/pause/", "/other/pause", "/barline/bar", ""])
    func others(address: String) { #expect(OSCCommand.read(OSCMessage(address)) == nil) }

    @Test("a score is opened by one name")
    func opened() {
        let open = "/barline/open"
        #expect(OSCCommand.opened(OSCMessage(open, [.string("sequenza-vii")])) == "sequenza-vii")
        let others = [
            OSCMessage(open), OSCMessage(open, [.int(1)]), OSCMessage(open, [.string("")]),
            OSCMessage(open, [.string("a"), .string("b")]), OSCMessage("/barline/pause", [.string("a")]),
            OSCMessage(open, [.string(String(repeating: "x", count: 101))]),
        ]
        for message in others { #expect(OSCCommand.opened(message) == nil) }
    }
}
