internal import Cables
internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Serving
internal import Session
internal import Synchronization
package import SystemPackage
internal import UserSettings

/// The cables of a live performance to and from other machines.
package final class LiveCables: Sendable {
    /// What a command from another machine does: an action of a key, and the text that the key would ask for.
    typealias Remote = @Sendable (KeyAction, String) -> Void

    private let arrivals: CableArrivals
    private let osc: (cable: OSCCable, running: Task<Void, Never>)?
    private let midi: (cable: MIDICable, running: Task<Void, Never>)?
    private let server: OSCServer?
    private let buttons: MIDIInput?
    private let keys: MediaKeys?

    /// Opens the cables that are wanted, here or in the settings, and shows their signs; nil if they name none. Errors: one
    /// cannot be opened.
    init?(_ wanted: CableRequest, _ signs: CableSigns) throws {
        let say = Failure.sayer
        let settings = try LoadedSettings.get(wanted.options)
        let (receivers, oscIn) = (settings[Setting.osc], settings[Setting.oscIn])
        if wanted[Setting.oscAhead] != nil, receivers.isEmpty {
            throw Failure.exit(.usage, localized("--osc-ahead says when --osc sends: add --osc"))
        }
        let (midiIn, midiOut) = (settings[Setting.midiIn], try wanted.midiOut)
        let hasKeys = settings[Setting.mediaKeys]
        guard !receivers.isEmpty || oscIn != nil || midiIn != nil || hasKeys || midiOut != nil else { return nil }
        var ports: [OSCPort] = []
        for address in receivers {
            let port = OSCPort(address)
            if port.isBroken {
                try CableRequest.miss(
                    .usage, isOption: wanted[Setting.osc] != nil,
                    localized("--osc: '\(address.description)' is not known or cannot be reached"))
            }
            ports.append(port)
        }
        if ports.isEmpty {
            osc = nil
        } else {
            signs.oscOut.open()
            let cable = OSCCable(to: ports, ahead: settings[Setting.oscAhead]) { address, reason in
                say(
                    localized("note: OSC to \(address.description) does not arrive (\(reason)); the music goes on"))
            } sent: { [sign = signs.oscOut, count = ports.count] gone in
                if gone < count { sign.pulse(gone: gone) } else { sign.open(isGone: true) }
            }
            osc = (cable, Task { await cable.run() })
        }
        midi = midiOut.map { LiveCables.midi($0, signs.midiOut, say) }
        let arrivals = CableArrivals(signs, MIDIButtons(settings[Setting.midiKeys]), say)
        self.arrivals = arrivals
        server = oscIn.flatMap { OSCServer(at: $0) { message in arrivals.assumeIsolated { $0.take(message) } } }
        if let address = oscIn {
            if server == nil {
                try CableRequest.miss(
                    .usage, isOption: wanted[Setting.oscIn] != nil,
                    localized("--osc-in: nothing can be received at '\(address.description)'"))
            }
            signs.oscIn.open(isGone: server == nil)
        }
        if hasKeys {
            keys = MediaKeys { command in
                ControlLoop.shared.call(arrivals) { $0.take(command) }
            } missing: {
                say(localized("note: media keys do not arrive: there is no session bus; the music goes on"))
            }
        } else {
            keys = nil
        }
        do throws(Errno) {
            if midiIn != nil { signs.midiIn.open() }
            buttons = try midiIn.map { midiIn throws(Errno) in
                try MIDIInput(from: midiIn) { message in
                    arrivals.assumeIsolated { $0.take(message) }
                } say: { [sign = signs.midiIn] change in
                    if case .back = change { sign.open() } else { sign.open(isGone: true) }
                    say(LiveCables.words(change, midiIn))
                }
            }
        } catch {
            buttons = nil
            let reason = LiveCables.noSequencer(error)
            signs.midiIn.open(isGone: true)
            try CableRequest.miss(.noDevice, isOption: wanted[Setting.midiIn] != nil, reason)
        }
    }

    /// Why no MIDI arrives.
    package static func noSequencer(_ error: Errno) -> String {
        localized("ALSA's sequencer for MIDI cannot be opened (\(error.description)); `sudo modprobe snd-seq` loads it")
    }

    private static func words(_ change: MIDIInput.Change, _ wanted: String) -> String {
        switch change {
        case .missing:
            localized("note: there is no MIDI port '\(wanted)' yet; it is used as soon as it is there")
        case .gone(let port): localized("note: the MIDI port '\(port.name)' is gone; the music goes on")
        case .back(let port): localized("note: the MIDI port '\(port.name)' is there")
        }
    }

    /// Follows a performance.
    func listen(to options: inout Conductor.Options) {
        midi?.cable.begin()
        let watch = options.watch
        options.watch = { [keys, osc, midi] status in
            watch?(status)
            keys?.take(status)
            osc?.cable.take(status)
            midi?.cable.take(status)
        }
    }

    /// Says which messages of a score go nowhere, because no option or setting says where to; `cables` is nil for none.
    static func sayWhatIsNotSent(of score: Score, by cables: LiveCables?) {
        let messages = score.messages
        if cables?.osc == nil, messages.contains(where: \.isOSC) {
            Failure.say(localized("note: the score sends OSC, and no --osc HOST:PORT says where to: nothing is sent"))
        }
        if cables?.midi == nil, messages.contains(where: { !$0.isOSC }) {
            Failure.say(localized("note: the score sends MIDI, and no --midi PORT says where to: nothing is sent"))
        }
    }

    /// Opens the cable of MIDI.
    private static func midi(
        _ out: CableRequest.MIDIOut, _ sign: CableSigns.Cable, _ say: @escaping @Sendable (String) -> Void
    ) -> (MIDICable, Task<Void, Never>) {
        sign.open()
        let cable = MIDICable(to: out.ports, out.what) { happening in
            switch happening {
            case .isAway(let error):
                say(localized("note: \(noSequencer(error)); the music goes on"))
            case .isMissing(let port): say(words(.missing, port))
            case .isFull:
                say(localized("note: MIDI messages were lost, because there were too many at once"))
            }
        } sent: { arrives in
            if arrives { sign.pulse() } else { sign.open(isGone: true) }
        }
        return (cable, Task { await cable.run() })
    }

    /// Carries out commands from other machines by `remote`, from now on; nil while nothing plays.
    func obey(_ remote: Remote?) { ControlLoop.shared.call(arrivals) { $0.remote = remote } }

    /// Whether another program may choose scores.
    var canOpen: Bool { server != nil }

    /// Opens scores from this shelf.
    func open(from shelf: LiveShelf) { ControlLoop.shared.call(arrivals) { $0.shelf = shelf } }

    /// Tells that the performance is over, and closes the cables.
    func end() async {
        await arrivals.end()
        keys?.end()
        osc?.cable.end()
        midi?.cable.end()
        await osc?.running.value
        await midi?.running.value
    }
}

/// Carries out the commands that other machines send. It belongs to the control loop.
private actor CableArrivals {
    var remote: LiveCables.Remote?
    var shelf: LiveShelf?
    private var buttons: MIDIButtons
    private var allowance = Allowance()
    private let signs: CableSigns
    /// Says something from any thread.
    private let say: @Sendable (String) -> Void
    /// The score that is being read because another program has chosen it, and another one that it has chosen since.
    private var opening, next: String?
    /// When it was last said why one is not played (CLOCK_MONOTONIC, ns).
    private let saidAt = Atomic(Int64.min)
    /// After the program has said why it does not open a score, it says nothing more about scores for so long, in ns: another
    /// program may send many names.
    private static let silence: Int64 = 10_000_000_000

    nonisolated var unownedExecutor: UnownedSerialExecutor { ControlLoop.shared.asUnownedSerialExecutor() }

    init(_ signs: CableSigns, _ buttons: MIDIButtons, _ say: @escaping @Sendable (String) -> Void) {
        (self.signs, self.buttons, self.say) = (signs, buttons, say)
    }

    /// A message such as `/barline/next-bar` or `/barline/go-to 5.7`: the actions are those of the keys.
    func take(_ message: OSCMessage) {
        signs.oscIn.pulse()
        if let name = OSCCommand.opened(message) { return open(name) }
        if let (action, text) = OSCCommand.read(message) { remote?(action, text) }
    }

    /// A message of MIDI, which may be a button.
    func take(_ message: ButtonMessage) {
        signs.midiIn.pulse()
        guard let meaning = buttons.read(message), allowance.takesOne() else { return }
        remote?(meaning.action, meaning.text)
    }

    /// A command of a media key.
    func take(_ command: MediaCommand) {
        guard allowance.takesOne() else { return }
        for (action, text) in command.actions { remote?(action, text) }
    }

    /// Forgets the performance and the shelf.
    func end() { (remote, shelf) = (nil, nil) }

    /// Opens a score, one at a time: of those that come while one is read, the last.
    private func open(_ name: String) {
        guard let shelf else { return }
        guard opening == nil else {
            next = name == opening ? nil : name
            return
        }
        opening = name
        // The thread that reads scores says the answer: a terminal may keep it waiting.
        shelf.open(name) { answer in
            defer { ControlLoop.shared.call(self) { $0.openNext() } }
            let now = monotonicNanoseconds()
            guard self.saidAt.load(ordering: .relaxed) < now - CableArrivals.silence else { return }
            switch answer {
            case .note(let text), .problems(let text):
                self.saidAt.store(now, ordering: .relaxed)
                self.say(localized("note: OSC: \(text)"))
            default: break
            }
        }
    }

    /// Opens the score that was chosen last while another one was read, if one was.
    private func openNext() {
        let name = next
        (opening, next) = (nil, nil)
        if let name { open(name) }
    }
}
