internal import Application
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

    @Flag(help: .localized("List the inputs: what can record."))
    var inputs = false

    func run() throws {
        let devices = inputs ? Microphone.devices() : Card.devices()
        if json {
            let rows = devices.map { JSON.object(["name": .text($0.name), "description": .text($0.description)]).line }
            return try StandardOutput.print(JSON.array(rows))
        }
        let width = devices.map(\.name.columns).max() ?? 0
        let lines = devices.map { device in
            let description = device.description.split(separator: "\n").joined(separator: ", ")
            return (device.name.padding(to: width + 2) + description).printable + "\n"
        }
        try StandardOutput.print(lines.joined())
        if !inputs, !devices.contains(where: { $0.name == "default" }) {
            Failure.say(
                localized("note: there is no sound card (no ALSA device 'default'): `barline play` counts silently"))
        }
    }
}
