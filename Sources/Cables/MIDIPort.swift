package import SystemPackage

/// A port of ALSA's sequencer.
package struct MIDIPort: Sendable, Hashable {
    package let client: UInt8
    package let port: UInt8
    /// The names of its client and its own: `nanoKONTROL2: nanoKONTROL2 MIDI 1`.
    package let name: String

    package init(client: UInt8, port: UInt8, name: String) {
        (self.client, self.port, self.name) = (client, port, name)
    }

    package var address: String { "\(client):\(port)" }

    /// Whether the user means this port: by its address, such as `20:0`, a part of its name, or `all`.
    package func matches(_ wanted: String) -> Bool {
        let wanted = wanted.lowercased()
        if wanted == "all" || wanted == address { return true }
        // A number alone is a client, and no part of a name such as `MIDI 1`.
        if wanted.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ":") }) {
            return wanted == "\(client)"
        }
        return name.lowercased().contains(wanted)
    }

    /// All ports of others from which messages can come, and to which they can go. Errors: the system has no sequencer, or does
    /// not let this program use it.
    package static func all() throws(Errno) -> (incoming: [MIDIPort], outgoing: [MIDIPort]) {
        (try MIDIClient(.incoming, port: "in").others, try MIDIClient(.outgoing, port: "out").others)
    }
}
