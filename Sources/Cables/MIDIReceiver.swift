internal import CALSA
internal import Glibc
internal import SystemPackage

/// A port of ALSA's sequencer to which others send.
final class MIDIReceiver: Sendable {
    private let client: MIDIClient
    /// The descriptor that can be read when events have arrived.
    let descriptor: Int32

    /// The port of the system that tells of ports that come and go.
    private static let announcer: UInt8 = 1

    /// Opens it. Errors: that of the system.
    init() throws(Errno) {
        client = try MIDIClient(.incoming, port: "in")
        var waiting = pollfd()
        guard snd_seq_poll_descriptors(client.handle, &waiting, 1, Int16(POLLIN)) == 1 else {
            throw Errno.ioError
        }
        descriptor = waiting.fd
    }

    /// All ports of others that can be read.
    var readable: [MIDIPort] { client.others }

    /// Takes the events of the announcer, too, from now on.
    func followPorts() {
        snd_seq_connect_from(client.handle, client.port, Int32(MIDIClient.system), Int32(MIDIReceiver.announcer))
    }

    /// Takes the events of a port; returns whether that succeeded.
    func connect(_ other: MIDIPort) -> Bool {
        snd_seq_connect_from(client.handle, client.port, Int32(other.client), Int32(other.port)) == 0
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
        let status = snd_seq_event_input(client.handle, &event)
        // The buffer has overflowed: what follows is whole again.
        if status == -ENOSPC { return (nil, false) }
        guard status >= 0, let event = event?.pointee else { return (nil, true) }
        if event.source.client == MIDIClient.system { return (.portsChanged, false) }
        return (ButtonMessage(event).map(Arrival.message), false)
    }
}
