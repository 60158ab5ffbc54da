package import UserSettings

/// Turns messages of MIDI into what they mean. A value without a clock.
///
/// A control counts as pressed when its value rises to half of its range, so that a pedal that sends every position on its way
/// is pressed once. 24 messages of a clock are one beat, and the first one after a start is a beat, too.
package struct MIDIButtons: Sendable {
    private let bindings: MIDIBindings
    private var held: Set<MIDISignal> = []
    private var ticks = 0

    package init(_ bindings: MIDIBindings) { self.bindings = bindings }

    /// Whether a message presses a button, rather than releases one.
    package mutating func isPress(_ message: ButtonMessage) -> Bool {
        switch message.signal.kind {
        case .note: return message.value > 0
        case .control:
            guard message.value >= 64 else {
                held.remove(message.signal)
                return false
            }
            return held.insert(message.signal).inserted
        case .program, .stop: return true
        case .start, .resume:
            ticks = 0
            return true
        case .clock:
            defer { ticks = (ticks + 1) % 24 }
            return ticks == 0
        }
    }

    /// The action of a message and its text; nil if it does nothing.
    package mutating func read(_ message: ButtonMessage) -> MIDIBindings.Meaning? {
        isPress(message) ? bindings.meaning(of: message.signal) : nil
    }
}
