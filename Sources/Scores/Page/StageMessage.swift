/// A message to another machine, sent as its bar begins.
public enum StageMessage: Sendable, Hashable {
    /// A message on a channel of MIDI, 1 ... 16.
    case midi(channel: Int, MIDI)
    /// A message of Open Sound Control: an address and its values.
    case osc(address: String, [OSCValue])

    /// What a channel of MIDI is told. All numbers are 0 ... 127.
    public enum MIDI: Sendable, Hashable {
        /// A note begins.
        case noteOn(Int, velocity: Int)
        /// A note ends.
        case noteOff(Int)
        /// Another program is chosen.
        case program(Int)
        /// A controller gets a value.
        case control(Int, value: Int)
    }

    /// A value of a message of Open Sound Control.
    public enum OSCValue: Sendable, Hashable {
        /// A whole number.
        case int(Int32)
        /// Any number.
        case float(Float)
        /// A text.
        case text(String)
    }

    /// Whether it goes out by Open Sound Control.
    package var isOSC: Bool { if case .osc = self { true } else { false } }

    /// The maximum number of messages of a bar.
    public static let limitInBar = 100
    /// The velocity of a note that gives none.
    public static let standardVelocity = 100
}
