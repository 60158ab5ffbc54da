internal import Cables
internal import Languages
internal import Playback
internal import Timing
internal import UserSettings

/// A live performance that follows JACK's transport, as a follower follows its leader.
final class LiveJack: Sendable {
    /// What is wanted, here or in the settings.
    struct Wish {
        /// The time of the transport at which the score begins.
        private let begin: Duration
        /// Whether an option asks for it; what only a setting names may be missing.
        private let isOption: Bool

        /// nil if they do not ask for it. `isAlone` is false where several scores may be played. Errors: an option asks for it
        /// then.
        init?(_ wanted: CableRequest, isAlone: Bool) throws {
            let chosen = try LoadedSettings.get(wanted.options)[Setting.jackTransport]
            guard let chosen else { return nil }
            (begin, isOption) = (chosen, wanted[Setting.jackTransport] != nil)
            guard !isAlone else { return }
            try CableRequest.miss(
                .usage, isOption: isOption,
                localized("--jack-transport is for one score, and not with --serve or --then"))
            return nil
        }

        /// Follows the transport with a performance; nil if that is not possible, and need not be. Errors: no server runs.
        func follow(_ performance: Performance, _ sign: CableSigns.Cable) async throws -> LiveJack? {
            let jack = await LiveJack(performance, at: begin, sign)
            if jack == nil {
                sign.open(isGone: true)
                try CableRequest.miss(
                    .noDevice, isOption: isOption,
                    localized("--jack-transport: no JACK server runs, or the library libjack.so.0 is missing"))
            }
            return jack
        }
    }

    private let transport: JackTransport
    private let running: Task<Void, Never>

    /// Follows the transport; the piece begins at a time of it. nil if no server runs.
    private init?(_ performance: Performance, at begin: Duration, _ sign: CableSigns.Cable) async {
        sign.open()
        let transport = await JackTransport(
            performance, at: begin,
            live: { news in
                switch news {
                case .rolls: sign.pulse()
                case .stands: sign.open()
                case .isGone: sign.open(isGone: true)
                }
            })
        guard let transport else { return nil }
        self.transport = transport
        running = Task { await transport.run() }
    }

    /// Follows with a performance.
    func listen(to options: inout Conductor.Options) {
        options.leader = transport.leader
        options.pausesOnSuspend = false
        let (watch, latency) = (options.watch, options.latency)
        options.watch = { [transport] status in
            watch?(status)
            transport.take(status, latency: latency)
        }
    }

    func conduct(_ conductor: Conductor) { transport.tell { conductor.follow($0) } }

    /// Asks the transport for what a key wants; false if it cannot do that.
    func takes(_ command: Command) -> Bool {
        guard let request = LiveJack.request(command) else { return false }
        transport.ask(request)
        return true
    }

    /// The same, with what has become of it; nil if it cannot do that.
    func answer(_ command: Command) async -> JackTransport.Answer? {
        guard let request = LiveJack.request(command) else { return nil }
        return await transport.carryOut(request)
    }

    private static func request(_ command: Command) -> JackTransport.Request? {
        switch command {
        case .togglePause: .toggle
        case .pause: .stop
        case .resume: .start
        case .jump(.firstBar): .rewind
        default: nil
        }
    }

    func end() async {
        transport.end()
        await running.value
    }
}
