internal import Files
internal import Glibc
internal import Languages
internal import Playback
internal import Scores
internal import Session
internal import Timing

extension Finding {
    /// The devices that can be opened, and those that cannot and why. `wanted` is the one that the user has chosen; nil for
    /// the default.
    static func soundCards(_ wanted: String?) -> [Finding] {
        let device = wanted ?? Card.defaultDevice
        var findings: [Finding] = []
        let hardware = KernelDevice.all()
        if hardware.isEmpty {
            findings.append(.note(localized("sound card"), localized("the kernel knows no sound card that plays")))
        }
        let subject = localized("device '\(device)'")
        switch opening(device) {
        case .success(let words): findings.append(.good(subject, words))
        case .failure(let error):
            let playsSilently = wanted == nil && !error.isOfCard
            let advice = advice(error, hasNoCard: hardware.isEmpty && playsSilently)
            findings.append(.problem(subject, error.description, advice: advice))
        }
        for other in hardware where other.name != device {
            let subject = localized("device '\(other.name)'")
            switch opening(other.name) {
            case .success(let words): findings.append(.good(subject, "\(other.title): \(words)"))
            case .failure(let error):
                // Another program may well use a card that Barline is not to use.
                let advice = error.errno == EBUSY ? nil : advice(error, hasNoCard: false)
                findings.append(.note(subject, "\(other.title): \(error)", advice: advice))
            }
        }
        let others = Card.devices().map(\.name).filter { name in
            name != device && !hardware.contains { $0.name == name }
        }
        if !others.isEmpty { findings.append(.good(localized("other devices"), others.joined(separator: ", "))) }
        return findings
    }

    /// How a device opens: its rate, channels and policy; or why it does not.
    private static func opening(_ device: String) -> Result<String, CardError> {
        Result { () throws(CardError) in
            let card = try Card(device)
            let (rate, channels) = (card.rate, card.channels)
            return card.policy == .rewind
                ? localized("opens with \(rate) Hz and \(channels) channels; commands are heard at once")
                : localized("opens with \(rate) Hz and \(channels) channels; commands are heard within its buffer")
        }
    }

    private static func advice(_ error: CardError, hasNoCard: Bool) -> String {
        switch error.reason {
        case .busy: localized("close the other program; `fuser -v /dev/snd/*` names it")
        case .forbidden: localized("`sudo adduser $USER audio`, then log in again")
        case _ where hasNoCard:
            localized(
                "connect or enable a sound card, or start a sound server; until then, Barline counts silently")
        case .missing:
            localized(
                "choose one of the devices below: `barline play SCORE --device NAME`, or `barline config device NAME`")
        case .unsuitable: localized("choose another device, or a rate that it can play: `--rate 44100`")
        default:
            localized("choose another device with `--device`; `journalctl -b` may say what is wrong with this one")
        }
    }

    /// A sound server that runs or is set, and whether ALSA can reach it.
    static func soundServers() -> [Finding] {
        let runtime = Environment[.runtimeFolder] ?? "/run/user/\(getuid())"
        let folders =
            ((try? FileBytes.names(in: "/usr/lib")) ?? []).filter { $0.contains("-linux-") } + ["", "../lib64"]
        /// Whether ALSA finds a module.
        func has(_ module: String) -> Bool {
            folders.contains { FileBytes.exists("/usr/lib/\($0)/alsa-lib/libasound_module_pcm_\(module).so") }
        }
        let subject = localized("sound server")
        var findings: [Finding] = []
        if isServed(runtime + "/pipewire-0") {
            findings.append(
                has("pipewire")
                    ? .good(subject, localized("PipeWire runs, and ALSA can reach it"))
                    : .note(
                        subject, localized("PipeWire runs, but ALSA's module for it is missing"),
                        advice: "`sudo apt install pipewire-alsa`"))
        }
        // A server of another machine is not asked whether it is there.
        let server = Environment[.soundServer].flatMap { $0.isEmpty ? nil : $0 }
        let isLocal = server.map { $0.hasPrefix("unix:") || $0.hasPrefix("/") } ?? true
        let socket = server.map { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : $0 } ?? runtime + "/pulse/native"
        if isLocal, isServed(socket) {
            findings.append(
                has("pulse")
                    ? .good(subject, localized("PulseAudio, or PipeWire in its place, runs, and ALSA can reach it"))
                    : .note(
                        subject,
                        localized("PulseAudio, or PipeWire in its place, runs, but ALSA's module for it is missing"),
                        advice: "`sudo apt install libasound2-plugins`"))
        } else if let server {
            findings.append(
                has("pulse")
                    ? .good(subject, localized("PULSE_SERVER is set to '\(server)', and ALSA has a module for it"))
                    : .note(
                        subject, localized("PULSE_SERVER is set to '\(server)', but ALSA's module for it is missing"),
                        advice: "`sudo apt install libasound2-plugins`"))
        }
        return findings.isEmpty
            ? [.note(subject, localized("none runs; Barline uses ALSA's own devices"))] : findings
    }

    /// Whether a program takes connections at a socket: one that has ended may have left its file behind.
    private static func isServed(_ path: String) -> Bool {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        return (try? SessionFolder.withAddress(of: path) { connect(socket, $0, $1) }) == 0
    }

    /// Plays four clicks over a short drone, and tells what became of them.
    static func testSound(_ device: String) async -> [Finding] {
        let subject = localized("test sound")
        let bars = [Score.Bar](repeating: Score.Bar(.milliseconds(500)), count: 4)
        let score = Score(drone: Score.Drone(notes: [Score.Drone.Note(.b4)]), lines: [Score.Line(bars: bars)])
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: 1))
        let (heard, told) = AsyncStream.makeStream(of: Void.self)
        var options = Conductor.Options()
        options.heard = { boundary in if boundary.isHeard { told.yield() } }
        let card: Card
        do throws(CardError) { card = try Card(device) } catch {
            return [.problem(subject, error.description, advice: localized("try again, or choose another device"))]
        }
        let conductor = Conductor(performance, output: card, sound: .device(device), options: options)
        do throws(EngineError) { try await conductor.run() } catch {
            return [.problem(subject, "\(error)", advice: localized("free some memory, and try again"))]
        }
        let status = await conductor.status
        if case .lost(_, let reason) = status?.sound {
            let seen = localized("the device was lost: \(reason)")
            return [.problem(subject, seen, advice: localized("connect it again"))]
        }
        told.finish()
        var clicks = 0
        for await _ in heard { clicks += 1 }
        let xruns = status?.xruns ?? 0
        let played =
            clicks == bars.count
            ? good(
                subject, localized("\(clicks) clicks and a drone have been played"),
                advice: localized(
                    "if you heard nothing, something after the device is muted: look at `alsamixer` (M unmutes), the "
                        + "volume of the desktop and the cable, or try another `--device`"))
            : problem(
                subject, localized("the device played only \(clicks) of \(bars.count) clicks"),
                advice: localized(
                    "see 'real-time priority' below, close programs that keep the machine busy, and try again"))
        guard xruns > 0 else { return [played] }
        return [
            played,
            note(
                subject, localized("the device ran dry \(xruns) times"),
                advice: localized("see 'real-time priority' below")),
        ]
    }
}
