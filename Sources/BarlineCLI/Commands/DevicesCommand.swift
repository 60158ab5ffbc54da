internal import ArgumentParser
internal import Playback
internal import Score

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the ALSA outputs that can be opened.")

    @Flag(help: "A JSON array of objects with name and description.")
    var json = false

    func run() throws {
        let devices = Card.devices()
        var output = StandardOutput()
        if json {
            let rows = devices.map {
                "{\"name\":\(JSONText.quoted($0.name)),\"description\":\(JSONText.quoted($0.description))}"
            }
            try output.write("[" + rows.joined(separator: ",\n ") + "]\n")
            return try output.flush()
        }
        let width = devices.map(\.name.count).max() ?? 0
        for device in devices {
            let description = device.description.split(separator: "\n").joined(separator: ", ")
            try output.write((device.name.padding(to: width + 2) + description).printable + "\n")
        }
        try output.flush()
        if !devices.contains(where: { $0.name == "default" }) {
            Failure.say("note: there is no sound card (no ALSA device 'default'): `barline play` counts silently")
        }
    }
}
