internal import ArgumentParser
internal import Languages
internal import Playback
internal import Scores

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: localized("List the ALSA outputs that can be opened."))

    @Flag(help: .localized("Print a JSON array of objects with name and description."))
    var json = false

    func run() throws {
        let devices = Card.devices()
        var output = StandardOutput()
        if json {
            let rows = devices.map {
                JSON.object(["name": .text($0.name), "description": .text($0.description)]).line
            }
            try output.write(JSON.array(rows))
            return try output.flush()
        }
        let width = devices.map(\.name.columns).max() ?? 0
        for device in devices {
            let description = device.description.split(separator: "\n").joined(separator: ", ")
            try output.write((device.name.padding(to: width + 2) + description).printable + "\n")
        }
        try output.flush()
        if !devices.contains(where: { $0.name == "default" }) {
            Failure.say(
                localized("note: there is no sound card (no ALSA device 'default'): `barline play` counts silently"))
        }
    }
}
