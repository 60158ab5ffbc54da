internal import Dispatch
internal import Languages
internal import Playback
internal import Screens
internal import Timing
internal import UserSettings

/// The keys at a plain terminal: each command is carried out, then confirmed in a line, and by voice if there is one.
final class PlainPlay: Sendable {
    let stand: PlainStand
    private let conductor: Conductor
    private let takes: @Sendable (Command) -> Bool
    private let leads: @Sendable (Command) -> Bool
    private let commands: AsyncStream<Command>.Continuation
    private let confirming: Task<Void, Never>
    /// Carries out keys and prints what they do. A terminal that stops reading blocks this thread, not the control loop.
    private let printing = OwnThread()

    /// Begins to carry out commands that `takes` allows and that `leads` does not carry out itself. `speaker` makes the words of confirmations, and may be slow.
    init(
        _ conductor: Conductor, _ stand: PlainStand, speaker: (any Speaker)?,
        takes: @escaping @Sendable (Command) -> Bool, leads: @escaping @Sendable (Command) -> Bool
    ) {
        (self.conductor, self.stand, self.takes, self.leads) = (conductor, stand, takes, leads)
        let (stream, commands) = AsyncStream<Command>.makeStream()
        self.commands = commands
        // If several keys come quickly, only the last one is spoken.
        let (texts, saying) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // A word can take long on a busy machine. It delays neither other tasks nor the end.
        let queue = DispatchQueue(label: "confirmations")
        Task {
            for await text in texts {
                let word = await withCheckedContinuation { made in
                    queue.async { made.resume(returning: speaker?.word(text)) }
                }
                if let word { conductor.send(.say(word)) }
            }
        }
        confirming = Task {
            for await command in stream {
                let text = await PlainPlay.carryOut(command, conductor, stand)
                if speaker != nil, let text { saying.yield(text) }
            }
            saying.finish()
        }
    }

    /// Carries out a command that no key has given, such as the pause of Ctrl-Z, and confirms it as that of a key.
    func carryOut(_ command: Command) async {
        stand.expectConfirmation()
        _ = await PlainPlay.carryOut(command, conductor, stand)
    }

    private static func carryOut(_ command: Command, _ conductor: Conductor, _ stand: PlainStand) async -> String? {
        let before = await conductor.status
        await conductor.perform(command)
        guard let before, let after = await conductor.status else {
            stand.skipConfirmation()
            return nil
        }
        return stand.confirm(command, before, after, at: monotonicNanoseconds())
    }

    /// Takes a key.
    func press(_ key: Key, _ choosing: Stand) { printing.call { [self] in carryOut(key, choosing) } }

    private func carryOut(_ key: Key, _ choosing: Stand) {
        for command in stand.press(key, at: monotonicNanoseconds()) {
            guard !leads(command) else {
                stand.skipConfirmation()
                continue
            }
            guard takes(command) else {
                stand.skipConfirmation(localized("only the machine that leads can do that"))
                continue
            }
            guard command == .stop else {
                commands.yield(command)
                continue
            }
            // A stop waits for nothing, not even for the commands before it.
            if !choosing.choices.wantsNext { StandardStream.end() }
            conductor.send(command)
        }
    }

    /// A voice for the confirmations, in the language of the process, not of the cues; nil if nothing is spoken.
    static func speaker(_ performance: Performance, rate: Int) -> (any Speaker)? {
        guard performance.cues.speech != nil else { return nil }
        // A failure has been told by the voice of the music.
        return Espeak(language: Environment.language, rate: rate, waits: true) { _ in }
    }

    /// Ends after the commands that have been given.
    func end() async {
        commands.finish()
        await confirming.value
    }
}
