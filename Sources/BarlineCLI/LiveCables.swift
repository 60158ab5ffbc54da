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
    private let remote = Mutex<Remote?>(nil)
    private let server = Mutex<OSCServer?>(nil)
    private let newest = Mutex<Status?>(nil)

    /// Opens the cables that the options name; nil if they name none. Errors: one cannot be opened.
    init?(_ options: CableOptions) throws {
        guard !options.osc.isEmpty || options.oscIn != nil else { return nil }
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
        guard let address = options.oscIn else { return }
        let server = OSCServer(at: address) { [weak self] in self?.take($0) }
        guard let server else {
            throw Failure.exit(.usage, localized("--osc-in: nothing can be received at '\(address.description)'"))
        }
        self.server.withLock { $0 = server }
    }

    /// Follows a performance.
    func listen(to options: inout Conductor.Options) {
        let watch = options.watch
        options.watch = { status in
            watch?(status)
            self.newest.withLock { $0 = status }
            self.osc?.cable.take(status)
        }
    }

    /// Carries out commands from other machines by `remote`, from now on; nil while nothing plays.
    func obey(_ remote: Remote?) { self.remote.withLock { $0 = remote } }

    /// Tells that the performance is over, and closes the cables.
    func end() async {
        server.withLock { $0 = nil }
        obey(nil)
        osc?.cable.end()
        await osc?.running.value
    }

    /// A message such as `/barline/next-bar` or `/barline/go-to 5.7`: the actions are those of the keys.
    private func take(_ message: OSCMessage) {
        guard let (action, text) = OSCCommand.read(message), let remote = remote.withLock({ $0 }) else { return }
        remote(action, text, newest.withLock { $0 })
    }
}
