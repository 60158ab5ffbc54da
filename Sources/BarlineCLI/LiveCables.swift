internal import Cables
internal import Languages
internal import Playback
internal import Screens
internal import Synchronization
internal import UserSettings

/// The cables of a live performance to and from other machines.
final class LiveCables: Sendable {
    /// What a command from another machine does: an action of a key, the text that the key would ask for, and the newest status.
    typealias Remote = @Sendable (KeyAction, String, Status?) -> Void

    private let osc: (cable: OSCCable, running: Task<Void, Never>)?
    private let midi: (cable: MIDICable, running: Task<Void, Never>)?
    private struct State {
        var server: OSCServer?
        var remote: Remote?
        var newest: Status?
    }
    private let state = Mutex(State())

    /// Opens the cables that the options name; nil if they name none. Errors: one cannot be opened.
    init?(_ options: CableOptions) throws {
        guard !options.osc.isEmpty || options.oscIn != nil || options.hasMIDI else { return nil }
        var ports: [OSCPort] = []
        for address in options.osc {
            guard let port = OSCPort(address) else {
                throw Failure.exit(
                    .usage, localized("--osc: '\(address.description)' is not known or cannot be reached"))
            }
            ports.append(port)
        }
        if ports.isEmpty {
            osc = nil
        } else {
            let cable = OSCCable(to: ports, ahead: options.oscAhead ?? .zero) { address, reason in
                Failure.say(
                    localized("note: OSC to \(address.description) does not arrive (\(reason)); the music goes on"))
            }
            osc = (cable, Task { await cable.run() })
        }
        midi = options.hasMIDI ? LiveCables.midi(options) : nil
        guard let address = options.oscIn else { return }
        let server = OSCServer(at: address) { [weak self] in self?.take($0) }
        guard let server else {
            throw Failure.exit(.usage, localized("--osc-in: nothing can be received at '\(address.description)'"))
        }
        state.withLock { $0.server = server }
    }

    /// Follows a performance.
    func listen(to options: inout Conductor.Options) {
        midi?.cable.begin()
        let watch = options.watch
        options.watch = { status in
            watch?(status)
            self.state.withLock { $0.newest = status }
            self.osc?.cable.take(status)
            self.midi?.cable.take(status)
        }
    }

    /// Opens the cable of MIDI.
    private static func midi(_ options: CableOptions) -> (MIDICable, Task<Void, Never>) {
        let what = MIDIPlan.Options(timecode: options.mtc, clock: options.midiClock)
        let cable = MIDICable(to: options.midi.filter { $0 != "none" }, what) { happening in
            let text =
                switch happening {
                case .isAway(let reason): localized("note: no MIDI goes out (\(reason)); the music goes on")
                case .isMissing(let port):
                    localized("note: there is no MIDI port '\(port)', see aconnect -o; the music goes on")
                case .isFull: localized("note: MIDI messages were lost, because there were too many at once")
                }
            Failure.say(text)
        }
        return (cable, Task { await cable.run() })
    }

    /// Carries out commands from other machines by `remote`, from now on; nil while nothing plays.
    func obey(_ remote: Remote?) { state.withLock { $0.remote = remote } }

    /// Tells that the performance is over, and closes the cables.
    func end() async {
        state.withLock { $0 = State() }
        osc?.cable.end()
        midi?.cable.end()
        await osc?.running.value
        await midi?.running.value
    }

    /// A message such as `/barline/next-bar` or `/barline/go-to 5.7`: the actions are those of the keys.
    private func take(_ message: OSCMessage) {
        let (remote, newest) = state.withLock { ($0.remote, $0.newest) }
        guard let (action, text) = OSCCommand.read(message) else { return }
        remote?(action, text, newest)
    }
}
