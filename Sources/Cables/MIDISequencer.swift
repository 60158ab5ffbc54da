internal import CALSA
internal import Glibc
internal import Languages
internal import Playback

/// A port of ALSA's sequencer with a queue, which sends each message at its moment.
final class MIDISequencer {
    private let sequencer: OpaquePointer
    private let port: Int32
    private let queue: Int32
    /// The time of the queue minus CLOCK_MONOTONIC, in ns, as it was measured last.
    private(set) var offset: Int64 = 0

    /// How often in a second the queue looks for what is due: no message is later than half a byte takes on a cable.
    private static let looks: UInt32 = 4000
    /// What the queue holds at most.
    private static let room = 2000
    private static let device = "/dev/snd/seq"

    /// Opens the sequencer. Errors: the reason why it cannot be opened.
    init() throws(Failure) {
        guard access(MIDISequencer.device, F_OK) == 0 else {
            throw Failure(reason: localized("there is no \(MIDISequencer.device); sudo modprobe snd-seq makes it"))
        }
        var opened: OpaquePointer?
        let status = alsa_seq_open(&opened)
        guard status >= 0, let opened else { throw Failure(status) }
        snd_seq_set_client_name(opened, "Barline")
        snd_seq_set_client_pool_output(opened, MIDISequencer.room)
        let canBeRead = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
        let port = snd_seq_create_simple_port(
            opened, "out", canBeRead, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
        let queue = port < 0 ? port : alsa_seq_start(opened, MIDISequencer.looks)
        guard queue >= 0 else {
            snd_seq_close(opened)
            throw Failure(queue)
        }
        (sequencer, self.port, self.queue) = (opened, port, queue)
    }

    deinit { snd_seq_close(sequencer) }

    /// Why the sequencer cannot be used.
    struct Failure: Error {
        var reason: String

        init(reason: String) { self.reason = reason }
        init(_ status: Int32) { reason = String(cString: snd_strerror(status)) }
    }

    /// Measures the clock of the queue, which need not go as the system's does. Returns by how much it has moved, in ns.
    func measure() -> Int64 {
        var best: (width: Int64, offset: Int64)?
        for _ in 0..<3 {
            let before = monotonicNanoseconds()
            let time = alsa_seq_now(sequencer, queue)
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
    func takeBack(after moment: Int64) { _ = alsa_seq_take_back(sequencer, queue, max(moment + offset + 1, 0)) }

    /// Connects the port to another one, `128:0` or the beginning of a name, unless they are connected; before that, `prepare`
    /// is called. Returns whether they are connected.
    func connect(to name: String, prepare: () -> Void) -> Bool {
        var address = snd_seq_addr_t()
        guard snd_seq_parse_address(sequencer, &address, name) >= 0 else { return false }
        if alsa_seq_is_connected(sequencer, port, address) { return true }
        prepare()
        return snd_seq_connect_to(sequencer, port, Int32(address.client), Int32(address.port)) >= 0
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
            sequencer, port, queue, time, Int32(type.rawValue), Int32(channel), Int32(number), Int32(value), bytes,
            UInt32(bytes.count))
        return sent >= 0
    }
}
