internal import Session
package import SystemPackage

/// Messages of MIDI from other programs and devices, by the ALSA sequencer. Ports that go away are used again once they are
/// back.
package final class MIDIInput: Sendable {
    private let watch: ControlLoop.Watch

    /// A change among the ports that the user wants.
    package enum Change: Sendable, Equatable {
        /// No port matches at the beginning.
        case missing
        case gone(MIDIPort)
        case back(MIDIPort)
    }

    /// Listens to all ports that `wanted` means, and calls `take` with each message and `say` with each change, on the control
    /// loop. Errors: the system has no sequencer, or does not let this program use it.
    package init(
        from wanted: String, take: @escaping @Sendable (ButtonMessage) -> Void,
        say: @escaping @Sendable (Change) -> Void
    ) throws(Errno) {
        let listening = try MIDIListening(to: wanted, say: say)
        watch = ControlLoop.shared.watch(
            listening.sequencer.descriptor, keeping: listening, end: { _ = listening }
        ) { listening in
            listening.read(take)
            return .goesOn
        }
    }

    deinit { watch.cancel() }
}

/// The same for a caller that has a loop of its own.
package struct MIDIListening: Sendable {
    fileprivate let sequencer: MIDIReceiver
    private var ports: MIDIPorts
    private let say: @Sendable (MIDIInput.Change) -> Void

    /// The most events that are read before others have their turn.
    private static let mostAtOnce = 64

    /// Listens to all ports that `wanted` means, and calls `say` with each change. Errors: the system has no sequencer, or does
    /// not let this program use it.
    package init(to wanted: String, say: @escaping @Sendable (MIDIInput.Change) -> Void = { _ in }) throws(Errno) {
        sequencer = try MIDIReceiver()
        sequencer.followPorts()
        (ports, self.say) = (MIDIPorts(wanted), say)
        look()
    }

    /// Calls `take` with each message that has come.
    package mutating func read(_ take: (ButtonMessage) -> Void) {
        var haveChanged = false
        for _ in 0..<MIDIListening.mostAtOnce {
            let (arrival, isOver) = sequencer.next()
            guard !isOver else { break }
            switch arrival {
            case .message(let message): take(message)
            case .portsChanged: haveChanged = true
            case nil: break
            }
        }
        if haveChanged { look() }
    }

    private mutating func look() {
        let (changes, new) = ports.update(sequencer.readable)
        for port in new where !sequencer.connect(port) { ports.forget(port) }
        changes.forEach(say)
    }
}

/// The ports that are listened to. A value.
package struct MIDIPorts: Sendable {
    private let wanted: String
    private var connected: Set<MIDIPort> = []
    /// The names of ports that were there once.
    private var known: Set<String> = []
    private var isFirst = true

    package init(_ wanted: String) { self.wanted = wanted }

    /// Compares with all ports that are there now: what is to be said, and the ports that are new.
    package mutating func update(_ all: [MIDIPort]) -> (changes: [MIDIInput.Change], new: [MIDIPort]) {
        let there = all.filter { $0.matches(wanted) }
        let gone = connected.subtracting(there).sorted { $0.address < $1.address }
        let new = there.filter { !connected.contains($0) }
        var changes = gone.map(MIDIInput.Change.gone)
        // With all ports, it does not matter which there are.
        changes += new.filter { known.contains($0.name) || !isFirst && wanted.lowercased() != "all" }.map(
            MIDIInput.Change.back)
        if isFirst, there.isEmpty, wanted.lowercased() != "all" { changes.append(.missing) }
        isFirst = false
        connected = Set(there)
        known.formUnion(there.map(\.name))
        return (changes, new)
    }

    /// Forgets a port that could not be listened to, so that it is tried again.
    package mutating func forget(_ port: MIDIPort) { connected.remove(port) }
}
