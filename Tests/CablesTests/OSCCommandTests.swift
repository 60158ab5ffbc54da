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
}
