internal import CALSA
internal import Glibc
internal import SystemPackage

/// A client of ALSA's sequencer with one port.
///
/// @unchecked Sendable: whoever has made it uses it in one place at a time: the thread of a cable or, after it has been opened,
/// the control loop.
final class MIDIClient: @unchecked Sendable {
    /// Which way messages go, as its user sees it.
    enum Direction {
        case incoming, outgoing

        /// What its own port offers to others, and what their ports must offer.
        fileprivate var abilities: (own: Int32, others: Int32) {
            let read = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
            let write = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
            return self == .incoming ? (write, read) : (read, write)
        }
    }

    /// Of alsa-lib.
    let handle: OpaquePointer
    let port: Int32
    let direction: Direction
    private let number: Int32

    /// The client of the system, which tells of ports that come and go.
    static let system: UInt8 = 0

    /// Opens it, with a port of this name. Errors: that of the system.
    init(_ direction: Direction, port name: String) throws(Errno) {
        var opened: OpaquePointer?
        let status = alsa_seq_open(&opened)
        guard status >= 0, let opened else { throw Errno(rawValue: -status) }
        snd_seq_set_client_name(opened, "Barline")
        port = snd_seq_create_simple_port(
            opened, name, UInt32(direction.abilities.own),
            UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
        guard port >= 0 else {
            snd_seq_close(opened)
            throw Errno(rawValue: -port)
        }
        (handle, self.direction, number) = (opened, direction, snd_seq_client_id(opened))
    }

    deinit { snd_seq_close(handle) }

    /// All ports of other programs and devices with which messages can be exchanged.
    var others: [MIDIPort] {
        var clientInfo: OpaquePointer?
        var portInfo: OpaquePointer?
        guard snd_seq_client_info_malloc(&clientInfo) == 0 else { return [] }
        defer { snd_seq_client_info_free(clientInfo) }
        guard snd_seq_port_info_malloc(&portInfo) == 0 else { return [] }
        defer { snd_seq_port_info_free(portInfo) }
        var found: [MIDIPort] = []
        snd_seq_client_info_set_client(clientInfo, -1)
        while snd_seq_query_next_client(handle, clientInfo) >= 0 {
            let client = snd_seq_client_info_get_client(clientInfo)
            // What this program sends must not come back to it.
            let isOwn = client == number || snd_seq_client_info_get_pid(clientInfo) == getpid()
            guard !isOwn, client != Int32(MIDIClient.system) else { continue }
            let clientName = snd_seq_client_info_get_name(clientInfo).map { String(cString: $0) } ?? ""
            snd_seq_port_info_set_client(portInfo, client)
            snd_seq_port_info_set_port(portInfo, -1)
            while snd_seq_query_next_port(handle, portInfo) >= 0 {
                let abilities = Int32(bitPattern: snd_seq_port_info_get_capability(portInfo))
                let needed = direction.abilities.others
                guard abilities & needed == needed, abilities & SND_SEQ_PORT_CAP_NO_EXPORT == 0,
                    let address = snd_seq_port_info_get_addr(portInfo)?.pointee
                else { continue }
                let portName = snd_seq_port_info_get_name(portInfo).map { String(cString: $0) } ?? ""
                found.append(
                    MIDIPort(client: address.client, port: address.port, name: "\(clientName): \(portName)"))
            }
        }
        return found
    }
}
