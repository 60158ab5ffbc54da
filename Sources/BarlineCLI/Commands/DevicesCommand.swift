internal import ArgumentParser
internal import Playback

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the ALSA outputs that can be opened.")

    @Flag(help: "A JSON array of objects with name and description.")
    var json = false

    func run() throws {
        let devices = Card.devices()
        if json {
            let rows = devices.map {
                "{\"name\":\(JSONText.quoted($0.name)),\"description\":\(JSONText.quoted($0.description))}"
            }
            print("[" + rows.joined(separator: ",\n ") + "]")
            return
        }
        let width = devices.map(\.name.count).max() ?? 0
        for device in devices {
            let description = device.description.split(separator: "\n").joined(separator: ", ")
            print(device.name + String(repeating: " ", count: width - device.name.count + 2) + description)
        }
        if !devices.contains(where: { $0.name == "default" }) {
            Failure.say("note: ALSA has no default output: `barline play` counts silently")
        }
    }
}
