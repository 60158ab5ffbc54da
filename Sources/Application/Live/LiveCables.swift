internal import Cables
internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Serving
internal import Synchronization
package import SystemPackage
internal import UserSettings

/// The cables of a live performance to and from other machines.
package final class LiveCables: Sendable {
    /// What a command from another machine does: an action of a key, the text that the key would ask for, and the newest status.
    typealias Remote = @Sendable (KeyAction, String, Status?) -> Void

    private let signs: CableSigns
    /// Says something from the threads of the cables.
    private let say: @Sendable (String) -> Void
    private let osc: (cable: OSCCable, running: Task<Void, Never>)?
    private let midi: (cable: MIDICable, running: Task<Void, Never>)?
    private struct State {
        var server: OSCServer?
        var midi: MIDIInput?
        var keys: MediaKeys?
        var buttons = MIDIButtons(.standard)
        var allowance = Allowance()
        var remote: Remote?
        var shelf: LiveShelf?
        /// Whether a score is being read that another program has chosen.
        var isOpening = false
        /// When it was last said why one is not played (CLOCK_MONOTONIC, ns).
        var saidAt = Int64.min
        var newest: Status?
    }
    /// Guards what the cables share with the performance: commands come on the control loop, and the music changes.
    private let state = Mutex(State())
    /// After the program has said why it does not open a score, it says nothing more about scores for so long, in ns: another
    /// program may send many names.
    private static let silence: Int64 = 10_000_000_000

    /// Opens the cables that are wanted, here or in the settings, and shows their signs; nil if they name none. Errors: one
    /// cannot be opened.
    init?(_ wanted: CableRequest, _ signs: CableSigns) throws {
        self.signs = signs
        let say = Failure.sayer
        self.say = say
        let settings = try LoadedSettings.get()
        let receivers = try wanted.receivers
        let oscIn = wanted.oscIn.map(\.value) ?? settings[Setting.oscIn]
        if wanted.oscAhead != nil, receivers.isEmpty {
            throw Failure.exit(.usage, localized("--osc-ahead says when --osc sends: add --osc"))
        }
        let midiIn = wanted.midiIn.map(\.value) ?? settings[Setting.midiIn]
        let midiOut = try wanted.midiOut
        let hasKeys = wanted.mediaKeys ?? settings[Setting.mediaKeys]
        guard !receivers.isEmpty || oscIn != nil || midiIn != nil || hasKeys || midiOut != nil else { return nil }
        var ports: [OSCPort] = []
        for address in receivers {
            let port = OSCPort(address)
            if port.isBroken {
                try CableRequest.miss(
                    .usage, isOption: wanted.osc != nil,
                    localized("--osc: '\(address.description)' is not known or cannot be reached"))
            }
            ports.append(port)
        }
        if ports.isEmpty {
            osc = nil
        } else {
            signs.open(.oscOut)
            let cable = OSCCable(to: ports, ahead: wanted.oscAhead ?? settings[Setting.oscAhead]) { address, reason in
                say(
                    localized("note: OSC to \(address.description) does not arrive (\(reason)); the music goes on"))
            } sent: { [signs] arrives in
                if arrives { signs.pulse(.oscOut) } else { signs.open(.oscOut, isGone: true) }
            }
            osc = (cable, Task { await cable.run() })
        }
        midi = midiOut.map { [signs] in LiveCables.midi($0, signs, say) }
        if let address = oscIn {
            let server = OSCServer(at: address) { [weak self] in self?.take($0) }
            if server == nil {
                try CableRequest.miss(
                    .usage, isOption: wanted.oscIn != nil,
                    localized("--osc-in: nothing can be received at '\(address.description)'"))
            }
            signs.open(.oscIn, isGone: server == nil)
            state.withLock { $0.server = server }
        }
        if hasKeys {
            let keys = MediaKeys {
                [weak self] in
                self?.take($0)
            } missing: {
                say(localized("note: media keys do not arrive: there is no session bus; the music goes on"))
            }
            state.withLock { $0.keys = keys }
        }
        guard let midiIn else { return }
        state.withLock { $0.buttons = MIDIButtons(settings[Setting.midiKeys]) }
        do throws(Errno) {
            signs.open(.midiIn)
            let midi = try MIDIInput(from: midiIn) { [weak self] message in
                self?.take(message)
            } say: { [signs] change in
                if case .back = change { signs.open(.midiIn) } else { signs.open(.midiIn, isGone: true) }
                say(LiveCables.words(change, midiIn))
            }
            state.withLock { $0.midi = midi }
        } catch {
            let reason = LiveCables.noSequencer(error)
            signs.open(.midiIn, isGone: true)
            try CableRequest.miss(.noDevice, isOption: wanted.midiIn != nil, reason)
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
        options.watch = { status in
            watch?(status)
            let keys = self.state.withLock { state in
                state.newest = status
                return state.keys
            }
            keys?.take(status)
            self.osc?.cable.take(status)
            self.midi?.cable.take(status)
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
        _ out: CableRequest.MIDIOut, _ signs: CableSigns, _ say: @escaping @Sendable (String) -> Void
    ) -> (MIDICable, Task<Void, Never>) {
        signs.open(.midiOut)
        let what = MIDIPlan.Options(timecode: out.timecode, clock: out.clock)
        let cable = MIDICable(to: out.ports, what) { happening in
            switch happening {
            case .isAway(let error):
                say(localized("note: \(noSequencer(error)); the music goes on"))
            case .isMissing(let port): say(words(.missing, port))
            case .isFull:
                say(localized("note: MIDI messages were lost, because there were too many at once"))
            }
        } sent: { arrives in
            if arrives { signs.pulse(.midiOut) } else { signs.open(.midiOut, isGone: true) }
        }
        return (cable, Task { await cable.run() })
    }

    /// Carries out commands from other machines by `remote`, from now on; nil while nothing plays.
    func obey(_ remote: Remote?) { state.withLock { $0.remote = remote } }

    /// Whether another program may choose scores.
    var canOpen: Bool { state.withLock { $0.server != nil } }

    /// Opens scores from this shelf.
    func open(from shelf: LiveShelf) { state.withLock { $0.shelf = shelf } }

    /// Tells that the performance is over, and closes the cables.
    func end() async {
        let keys = state.withLock { state in
            defer { state = State() }
            return state.keys
        }
        keys?.end()
        osc?.cable.end()
        midi?.cable.end()
        await osc?.running.value
        await midi?.running.value
    }

    /// A message such as `/barline/next-bar` or `/barline/go-to 5.7`: the actions are those of the keys.
    private func take(_ message: OSCMessage) {
        signs.pulse(.oscIn)
        if let name = OSCCommand.opened(message) { return open(name) }
        let (remote, newest) = state.withLock { ($0.remote, $0.newest) }
        guard let (action, text) = OSCCommand.read(message) else { return }
        remote?(action, text, newest)
    }

    /// Opens a score, one at a time.
    private func open(_ name: String) {
        let shelf = state.withLock { state in
            defer { state.isOpening = state.isOpening || state.shelf != nil }
            return state.isOpening ? nil : state.shelf
        }
        shelf?.open(name) { [weak self] answer in
            guard let self else { return }
            let now = monotonicNanoseconds()
            let mayBeSaid = state.withLock { state in
                state.isOpening = false
                return state.saidAt < now - LiveCables.silence
            }
            guard mayBeSaid else { return }
            switch answer {
            case .note(let text), .problems(let text):
                state.withLock { $0.saidAt = now }
                say(localized("note: OSC: \(text)"))
            default: break
            }
        }
    }

    /// A message of MIDI, which may be a button.
    private func take(_ message: ButtonMessage) {
        signs.pulse(.midiIn)
        let (remote, newest, meaning) = state.withLock { state in
            let meaning = state.buttons.read(message)
            return (state.remote, state.newest, meaning == nil || !state.allowance.takesOne() ? nil : meaning)
        }
        guard let meaning else { return }
        remote?(meaning.action, meaning.text, newest)
    }

    /// A command of a media key.
    private func take(_ command: MediaCommand) {
        let (remote, newest) = state.withLock { state in
            (state.allowance.takesOne() ? state.remote : nil, state.newest)
        }
        for (action, text) in command.actions { remote?(action, text, newest) }
    }
}
