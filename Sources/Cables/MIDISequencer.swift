internal import CALSA
internal import Playback
internal import SystemPackage

/// A port of ALSA's sequencer with a queue, which sends each message at its moment.
final class MIDISequencer {
    private let client: MIDIClient
    private let queue: Int32
    /// The time of the queue minus CLOCK_MONOTONIC, in ns, as it was measured last.
    private(set) var offset: Int64 = 0

    /// How often in a second the queue looks for what is due: no message is later than half a byte takes on a cable.
    private static let looks: UInt32 = 4000
    /// What the queue holds at most.
    private static let room = 2000

    /// Opens it. Errors: that of the system.
    init() throws(Errno) {
        client = try MIDIClient(.outgoing, port: "out")
        snd_seq_set_client_pool_output(client.handle, MIDISequencer.room)
        queue = alsa_seq_start(client.handle, MIDISequencer.looks)
        guard queue >= 0 else { throw Errno(rawValue: -queue) }
    }

    /// Measures the clock of the queue, which need not go as the system's does. Returns by how much it has moved, in ns.
    func measure() -> Int64 {
        var best: (width: Int64, offset: Int64)?
        for _ in 0..<3 {
            let before = monotonicNanoseconds()
            let time = alsa_seq_now(client.handle, queue)
            let after = monotonicNanoseconds()
            guard time >= 0 else { continue }
            if after - before < best?.width ?? .max { best = (after - before, time - (before + after) / 2) }
        }
        guard let best else { return 0 }
        defer { offset = best.offset }
        return best.offset - offset
    }

    /// Puts an event into the queue; false if that is full.
    func add(_ event: MIDIEvent) -> Bool { send(event.message, queue, max(event.time + offset, 0)) }

    /// Sends a message now.
    func send(_ message: MIDIMessage) { _ = send(message, -1, 0) }

    /// Takes back what is due after a moment, CLOCK_MONOTONIC in ns.
    func takeBack(after moment: Int64) { _ = alsa_seq_take_back(client.handle, queue, max(moment + offset + 1, 0)) }

    /// Connects the port to all those that `wanted` means, unless they are connected; before that, `prepare` is called. Returns
    /// whether there is one, and all are connected.
    func connect(to wanted: String, prepare: () -> Void) -> Bool {
        let there = client.others.filter { $0.matches(wanted) }
        for other in there {
            let address = snd_seq_addr_t(client: other.client, port: other.port)
            if alsa_seq_is_connected(client.handle, client.port, address) { continue }
            prepare()
            guard snd_seq_connect_to(client.handle, client.port, Int32(other.client), Int32(other.port)) >= 0 else {
                return false
            }
        }
        return !there.isEmpty
    }

    private func send(_ message: MIDIMessage, _ queue: Int32, _ time: Int64) -> Bool {
        var bytes: [UInt8] = []
        var (channel, number, value) = (0, 0, 0)
        let type: snd_seq_event_type
        switch message {
        case .channel(let on, let what):
            channel = on - 1
            switch what {
            case .noteOn(let note, let velocity):
                (type, number, value) = (SND_SEQ_EVENT_NOTEON, note, velocity)
            case .noteOff(let note): (type, number) = (SND_SEQ_EVENT_NOTEOFF, note)
            case .program(let program): (type, value) = (SND_SEQ_EVENT_PGMCHANGE, program)
            case .control(let controller, let to): (type, number, value) = (SND_SEQ_EVENT_CONTROLLER, controller, to)
            }
        case .quarterFrame(let byte): (type, value) = (SND_SEQ_EVENT_QFRAME, Int(byte))
        case .fullFrame(let hours, let minutes, let seconds, let frames):
            bytes = [0xF0, 0x7F, 0x7F, 0x01, 0x01, hours, minutes, seconds, frames, 0xF7]
            type = SND_SEQ_EVENT_SYSEX
        case .clock: type = SND_SEQ_EVENT_CLOCK
        case .start: type = SND_SEQ_EVENT_START
        case .continue: type = SND_SEQ_EVENT_CONTINUE
        case .stop: type = SND_SEQ_EVENT_STOP
        case .songPosition(let sixteenths): (type, value) = (SND_SEQ_EVENT_SONGPOS, sixteenths)
        }
        let sent = alsa_seq_send(
            client.handle, client.port, queue, time, Int32(type.rawValue), Int32(channel), Int32(number), Int32(value),
            bytes,
            UInt32(bytes.count))
        return sent >= 0
    }
}
