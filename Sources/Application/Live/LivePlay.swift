internal import Cables
internal import Glibc
internal import Languages
internal import Playback
internal import Screens
internal import Session
internal import Timing
internal import UserSettings

/// Runs a live performance at a terminal or in a pipe: connects conductor, screen, keys and signals with one output.
enum LivePlay {
    /// What the screen shows.
    enum Kind {
        /// A piece in its words; at a terminal on a stand with these first choices.
        case music(StandChoices, any PieceWords)
        /// The music of another machine, or of JACK's transport, which takes commands of the music, in the words of the piece; at
        /// a terminal on a stand with these first choices.
        case following(StandChoices, any PieceWords, LiveJack? = nil)
        /// A drone alone.
        case drone
        /// A tuner, told in lines at most one in so many ns; `tuner` knows what is heard.
        case tuning(every: Int64, tuner: @Sendable () -> Tuner)

        /// The first choices of the stand.
        fileprivate var choices: StandChoices? {
            switch self {
            case .music(let choices, _), .following(let choices, _, _): choices
            case .drone, .tuning: nil
            }
        }

        /// The words of the piece.
        fileprivate var words: any PieceWords {
            switch self {
            case .music(_, let words), .following(_, let words, _): words
            case .drone, .tuning: ScoreWords()
            }
        }

        /// Whether another machine leads.
        fileprivate var isLed: Bool { choices?.isLed ?? false }

        /// Whether the music may have begun elsewhere, before it begins here.
        fileprivate var joins: Bool { if case .following = self { true } else { false } }

        /// Whether a leader takes this command.
        @Sendable fileprivate func leads(_ command: Command) -> Bool {
            if case .following(_, _, let jack?) = self, command.subject == .music { jack.takes(command) } else { false }
        }

        /// What JACK's transport has made of this command; nil if it does not get it.
        @Sendable fileprivate func transport(_ command: Command) async -> JackTransport.Answer? {
            if case .following(_, _, let jack?) = self { await jack.answer(command) } else { nil }
        }

        /// Whether only a leader can carry out this command.
        @Sendable fileprivate func refuses(_ command: Command) -> Bool {
            guard case .following = self else { return false }
            if case .tell(let word) = command { return isLed && word.isForLeader }
            return command.subject == .music
        }

        /// Whether a key may give this command.
        @Sendable fileprivate func takes(_ command: Command) -> Bool {
            switch self {
            case .music, .following: !refuses(command)
            case .drone, .tuning: command.subject == .ending || command.subject == .drone
            }
        }
    }

    /// Plays until the end or a stop. `goesOn` says whether to play the next piece of a set list: yes if this one was
    /// played to its end or the player asked for the next; `prompt` is the line that is still being typed. With `pages`,
    /// browsers show and control it, too. Without `atTerminal`, even a terminal gets lines of text.
    static func run(
        _ performance: Performance, output: sending any Output, sound: Status.Sound, as kind: Kind,
        options: Conductor.Options = Conductor.Options(), session: LiveSession? = nil, notifies: Bool = false,
        pages: LivePages? = nil, cables: LiveCables? = nil, signs: CableSigns = CableSigns(),
        hearing: LiveHearing? = nil, atTerminal: Bool, conducting: (Conductor) -> Void = { _ in }
    ) async throws -> (conductor: Conductor, goesOn: Bool, prompt: StandChoices.Prompt?) {
        let rate = output.rate
        let stand = Stand(
            kind.choices ?? StandChoices(), guests: { [weak pages] in pages?.guests ?? [] },
            cables: { signs.all }, tuner: { hearing?.tuner })
        var options = options
        if cables != nil {
            // For commands by cable, also where no screen shows the stand.
            options.watch = { [watch = options.watch] status in
                watch?(status)
                stand.see(status)
            }
        }
        let conductor = Conductor(performance, output: output, sound: sound, options: options)
        let words = kind.words
        conducting(conductor)
        hearing?.conduct(conductor)
        let terminal = Terminal()
        let write = StandardOutput.lines(of: terminal)
        let isHeld = hasKeys && atTerminal
        let isWhole = isHeld && !Terminal.isPlain
        await session?.conduct(
            LiveSession.Playing(
                conductor: conductor, words: words, pages: pages, hearing: hearing,
                cables: { stand.signs($0, at: $1) }, transport: kind.transport, refuses: kind.refuses,
                isLed: kind.isLed,
                part: kind.choices?.part
            ))
        cables?.obey { action, text in
            carryOut(stand.perform(action, with: text, at: monotonicNanoseconds()), conductor, stand, kind)
        }
        defer { cables?.obey(nil) }
        var plain: PlainPlay?
        if isHeld, !isWhole, kind.choices != nil {
            plain = PlainPlay(
                conductor, PlainStand(stand, words) { terminal.write($0) },
                speaker: PlainPlay.speaker(performance, rate: rate), takes: kind.takes,
                leads: kind.leads)
        }
        signal(SIGPIPE, SIG_IGN)
        let fade = performance.drone?.fade ?? .zero
        var sources = [
            signals(conductor, terminal, suspends: isHeld, fade: fade) { [plain] command in
                if let plain { await plain.carryOut(command) } else { await conductor.perform(command) }
            }
        ]
        if let plain {
            terminal.hold { [stand = plain.stand] in stand.print($0) }
            sources.append(keys(conductor, terminal) { plain.press($0, stand) })
        } else if isHeld {
            if case .tuning = kind, isWhole {
                terminal.hold(whole: true) { _ in }
            } else if kind.choices == nil {
                terminal.hold()
            } else {
                terminal.hold(whole: true) { [stand] in stand.say($0, at: monotonicNanoseconds()) }
            }
            sources.append(keys(conductor, terminal) { press($0, conductor, stand, kind) })
        }
        defer {
            terminal.release()
            sources.forEach { $0.cancel() }
            // Between two pieces, Ctrl-Z does what it does elsewhere.
            if isHeld { signal(SIGTSTP, SIG_DFL) }
        }

        let running = Task<Void, any Error> { try await conductor.run() }
        switch kind {
        case .drone:
            let screen = DroneScreen(write: write)
            await watch(conductor.statuses, on: screen)
        case .tuning(_, let tuner) where isWhole:
            await watch(conductor.statuses, on: TuneScreen(terminal, colors: depth, tuner: tuner))
            terminal.release()
        case .tuning(let every, let tuner):
            let told: @Sendable (String) -> Void = {
                write($0)
                // Lines that nobody can read are no use; music would be.
                if StandardStream.output.isRefused { Task { await conductor.perform(.stop) } }
            }
            await watch(conductor.statuses, on: TuneLines(every: every, write: told, tuner: tuner))
        case .music where isWhole, .following where isWhole:
            let screen = StandScreen(terminal, stand, colors: depth, words)
            await show(conductor, on: screen, stand.changes, words, notifies: notifies, pages, hearing)
            terminal.release()
            if let status = await conductor.status {
                terminal.write(StandScreen.farewell(status, words, part: kind.choices?.part))
            }
        case .music, .following:
            if let plain {
                let screen = PlainScreen(plain.stand, words, joins: kind.joins, part: kind.choices?.part)
                await show(conductor, on: screen, plain.stand.changes, words, notifies: notifies, pages, hearing)
                await plain.end()
                break
            }
            let screen = LineScreen(
                words, joins: kind.joins, isLed: kind.isLed, part: kind.choices?.part, write: write)
            await show(conductor, on: screen, nil, words, notifies: notifies, pages, hearing)
        }
        if case .failure(let error) = await running.result { throw Failure.exit(.noDevice, "\(error)") }
        return (conductor, await conductor.hasPlayedAll || stand.choices.wantsNext, stand.choices.prompt)
    }

    /// Shows a performance on a screen until it ends; with `notifies`, on the desktop, too, and with `pages` in browsers.
    private static func show(
        _ conductor: Conductor, on screen: sending some Screen, _ changes: AsyncStream<Void>?, _ words: any PieceWords,
        notifies: Bool, _ pages: LivePages? = nil, _ hearing: LiveHearing? = nil
    ) async {
        if let pages {
            let screens = BothScreens(pages.conduct(conductor, words, hearing), screen)
            return await show(conductor, on: screens, changes, words, notifies: notifies)
        }
        guard notifies else { return await watch(conductor.statuses, on: screen, changes) }
        let notifications = NotificationScreen(words) {
            StandardStream.end()
            Task { await conductor.perform(.stop) }
        } onFailure: { reason in
            Failure.say(localized("note: desktop notifications are not available (\(reason))"))
        }
        await watch(conductor.statuses, on: BothScreens(screen, notifications), changes)
    }

    /// Whether there is a user at a terminal who can press keys.
    static var hasKeys: Bool { Terminal.isInteractive }

    // MARK: - Signals and keys

    /// Handles signals. Ctrl-C, SIGTERM and SIGHUP end the music with a fade. A second one ends it at once, with the recording
    /// and the notes about the session in their places. Should even that hang, a third one ends the program, but restores the
    /// terminal first. Ctrl-Z at a terminal pauses the music and restores the terminal; `fg` resumes both, by `perform`.
    private static func signals(
        _ conductor: Conductor, _ terminal: Terminal, suspends: Bool, fade: Duration,
        perform: @escaping @Sendable (Command) async -> Void
    ) -> ControlLoop.Watch {
        let (isEnding, isCut) = (Interrupt(), Interrupt())
        let (stops, asked) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Task { for await _ in stops { await suspend(conductor, terminal, fade, perform) } }
        let numbers = Signals.endings + (suspends ? [SIGTSTP, SIGCONT, SIGWINCH] : [])
        // The task that waits for Ctrl-Z retains the conductor, so it has to end.
        return Signals.handle(numbers, end: { asked.finish() }) { number in
            switch number {
            case SIGTSTP: asked.yield()
            case SIGCONT: terminal.retake()
            case SIGWINCH: terminal.spoil()
            case _ where isCut.hasCome:
                terminal.release()
                Signals.die(by: number)
            case _ where isEnding.hasCome:
                isCut.come()
                conductor.cut()
            default:
                isEnding.come()
                Task { await conductor.perform(.stop) }
            }
        }
    }

    private static func suspend(
        _ conductor: Conductor, _ terminal: Terminal, _ fade: Duration, _ perform: (Command) async -> Void
    ) async {
        let isPlaying = await !conductor.isPaused
        if isPlaying {
            await perform(.pause)
            // Wait for the sound that the card still has, and for the fade of the drone.
            try? await Task.sleep(for: .milliseconds(150) + max(fade, .milliseconds(50)))
        }
        terminal.suspend()
        if isPlaying { await perform(.resume) }
    }

    /// Sends the commands of a key.
    private static func press(_ key: Key, _ conductor: Conductor, _ stand: Stand, _ kind: Kind) {
        carryOut(stand.press(key, at: monotonicNanoseconds()), conductor, stand, kind)
    }

    private static func carryOut(_ commands: [Command], _ conductor: Conductor, _ stand: Stand, _ kind: Kind) {
        for command in commands {
            guard !kind.leads(command), kind.takes(command) else { continue }
            if command == .stop, !stand.choices.wantsNext { StandardStream.end() }
            conductor.send(command)
        }
    }

    /// Reads keys until the terminal goes away, which ends the music.
    private static func keys(
        _ conductor: Conductor, _ terminal: Terminal, _ press: @escaping @Sendable (Key) -> Void
    ) -> ControlLoop.Watch {
        // Perhaps with a sequence of bytes that is not complete: more bytes, or a time, end it.
        let keys = ControlLoop.Kept(Keys())
        return ControlLoop.shared.watch(0) {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return .goesOn }
            guard count > 0 else {
                // The terminal has gone away.
                StandardStream.end()
                conductor.send(.stop)
                return .ends
            }
            let typed = bytes[..<count]
            // Ctrl-L: the picture is damaged.
            if typed.contains(0x0C) { terminal.spoil() }
            let (pressed, isOpen) = keys.use { ($0.keys(for: typed), $0.isEscapeOpen) }
            pressed.forEach(press)
            if isOpen {
                ControlLoop.shared.after(.milliseconds(50)) { keys.use { $0.closeEscape() }.forEach(press) }
            }
            return .goesOn
        }
    }

    /// The color depth of the terminal.
    private static var depth: ColorDepth {
        ColorDepth(
            isWanted: Terminal.hasColor(1), term: Environment[.terminal],
            colorterm: Environment[.colors])
    }
}
