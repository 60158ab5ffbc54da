package import CALSA
package import UserSettings

/// A message of MIDI that a button can send.
package struct ButtonMessage: Sendable, Hashable {
    /// Its kind, number and channel, as devices show them.
    package var signal: MIDISignal
    /// The velocity of a note, 0 when it ends; the value of a control; 127 for other kinds.
    package var value: Int

    package init(_ signal: MIDISignal, value: Int = 127) { (self.signal, self.value) = (signal, value) }
}

extension ButtonMessage {
    /// The message of an event of the ALSA sequencer; nil if no button sends it.
    package init?(_ event: snd_seq_event_t) {
        let (kind, number, channel, value): (MIDISignal.Kind, Int, Int?, Int)
        switch snd_seq_event_type(UInt32(event.type)) {
        case SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_NOTEOFF:
            let note = event.data.note
            let isOn = snd_seq_event_type(UInt32(event.type)) == SND_SEQ_EVENT_NOTEON
            (kind, number, channel) = (.note, Int(note.note), Int(note.channel) + 1)
            value = isOn ? Int(note.velocity) : 0
        case SND_SEQ_EVENT_CONTROLLER:
            let control = event.data.control
            (kind, number, channel) = (.control, Int(control.param), Int(control.channel) + 1)
            value = Int(control.value)
        case SND_SEQ_EVENT_PGMCHANGE:
            let control = event.data.control
            (kind, number, channel, value) = (.program, Int(control.value), Int(control.channel) + 1, 127)
        case SND_SEQ_EVENT_START: (kind, number, channel, value) = (.start, 0, nil, 127)
        case SND_SEQ_EVENT_STOP: (kind, number, channel, value) = (.stop, 0, nil, 127)
        case SND_SEQ_EVENT_CONTINUE: (kind, number, channel, value) = (.resume, 0, nil, 127)
        case SND_SEQ_EVENT_CLOCK: (kind, number, channel, value) = (.clock, 0, nil, 127)
        default: return nil
        }
        // Another program can send anything.
        guard (0...127).contains(value), channel.map((1...16).contains) != false,
            (0...127).contains(number)
        else { return nil }
        self.init(MIDISignal(kind, number, channel: channel), value: value)
    }
}
