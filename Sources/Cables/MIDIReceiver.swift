internal import CALSA
internal import Glibc
internal import SystemPackage

/// A client of the ALSA sequencer with one port, to which others send.
///
/// @unchecked Sendable: whoever has made it uses it in one place at a time, first to open it, then on the control loop.
final class MIDIReceiver: @unchecked Sendable {
    private let handle: OpaquePointer
    private let client: Int32
    private let port: Int32
    /// The descriptor that can be read when events have arrived.
    let descriptor: Int32

    /// The client and the port that tell of ports that come and go.
    private static let announcer: (client: UInt8, port: UInt8) = (0, 1)

    /// Opens it; the error is that of the system.
    init() throws(Errno) {
        // alsa-lib would write its own message to standard error.
        let probe = open("/dev/snd/seq", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard probe >= 0 else { throw Errno(rawValue: errno) }
        close(probe)
        var handle: OpaquePointer?
        let status = snd_seq_open(&handle, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK)
        guard status >= 0, let handle else { throw Errno(rawValue: -status) }
        snd_seq_set_client_name(handle, "Barline")
        let port = snd_seq_create_simple_port(
            handle, "in", UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
            UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
        var waiting = pollfd()
        guard port >= 0, snd_seq_poll_descriptors(handle, &waiting, 1, Int16(POLLIN)) == 1 else {
            snd_seq_close(handle)
            throw Errno(rawValue: port < 0 ? -port : EIO)
        }
        (self.handle, self.port, client, descriptor) = (handle, port, snd_seq_client_id(handle), waiting.fd)
    }

    deinit { snd_seq_close(handle) }

    /// Takes the events of the announcer, too, from now on.
    func followPorts() {
        snd_seq_connect_from(handle, port, Int32(MIDIReceiver.announcer.client), Int32(MIDIReceiver.announcer.port))
    }

    /// Takes the events of a port; returns whether that succeeded.
    func connect(_ other: MIDIPort) -> Bool {
        snd_seq_connect_from(handle, port, Int32(other.client), Int32(other.port)) == 0
    }

    /// All ports of others that can be read.
    var readable: [MIDIPort] {
        var clientInfo: OpaquePointer?
        var portInfo: OpaquePointer?
        guard snd_seq_client_info_malloc(&clientInfo) == 0 else { return [] }
        defer { snd_seq_client_info_free(clientInfo) }
        guard snd_seq_port_info_malloc(&portInfo) == 0 else { return [] }
        defer { snd_seq_port_info_free(portInfo) }
        var found: [MIDIPort] = []
        snd_seq_client_info_set_client(clientInfo, -1)
        while snd_seq_query_next_client(handle, clientInfo) >= 0 {
            let number = snd_seq_client_info_get_client(clientInfo)
            guard number != client, number != Int32(MIDIReceiver.announcer.client) else { continue }
            let clientName = snd_seq_client_info_get_name(clientInfo).map { String(cString: $0) } ?? ""
            snd_seq_port_info_set_client(portInfo, number)
            snd_seq_port_info_set_port(portInfo, -1)
            while snd_seq_query_next_port(handle, portInfo) >= 0 {
                let abilities = Int32(bitPattern: snd_seq_port_info_get_capability(portInfo))
                let needed = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
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

    /// Something that has arrived.
    enum Arrival {
        case message(ButtonMessage)
        /// Ports have come, or gone.
        case portsChanged
    }

    /// The next event, if it is of interest; `isOver` if there is none.
    func next() -> (arrival: Arrival?, isOver: Bool) {
        var event: UnsafeMutablePointer<snd_seq_event_t>?
        let status = snd_seq_event_input(handle, &event)
        // The buffer has overflowed: what follows is whole again.
        if status == -ENOSPC { return (nil, false) }
        guard status >= 0, let event = event?.pointee else { return (nil, true) }
        if event.source.client == MIDIReceiver.announcer.client { return (.portsChanged, false) }
        return (ButtonMessage(event).map(Arrival.message), false)
    }
}
