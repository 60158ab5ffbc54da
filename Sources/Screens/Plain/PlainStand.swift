internal import Languages
package import Playback
internal import Scores
internal import Synchronization
internal import Timing
package import UserSettings

/// A stand without a picture: its questions are asked in lines, and each key is confirmed in a line.
///
/// Keys arrive on one thread, the screen prints on another. What is typed and what is printed take turns: while an answer
/// is being typed, lines wait.
package final class PlainStand: Sendable {
    private struct State {
        var isTyping = false
        /// How many commands have been given and not been confirmed yet.
        var open = 0
        var confirmations: [Confirmation] = []
        /// The newest status after a command.
        var status: Status?
    }

    /// Guards whose turn it is to print.
    private let state = Mutex(State())
    private let stand: Stand
    private let words: any PieceWords
    private let write: @Sendable (String) -> Void
    private let asked: AsyncStream<Void>.Continuation
    /// Yields whenever there is a line to print.
    package let changes: AsyncStream<Void>

    /// A stand whose keys are those of `stand`; `write` prints a text as it is.
    package init(_ stand: Stand, _ words: any PieceWords, write: @escaping @Sendable (String) -> Void) {
        (self.stand, self.words, self.write) = (stand, words, write)
        (changes, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // A question of the piece before is still open.
        guard let prompt = stand.choices.prompt else { return }
        state.withLock { $0.isTyping = true }
        write(prompt.question + prompt.text)
    }

    /// The commands for a key pressed at `now` (CLOCK_MONOTONIC, ns), each of which, but a stop, must be confirmed once it has
    /// been carried out. What needs no command is printed at once.
    package func press(_ key: Key, at now: Int64) -> [Command] {
        state.withLock { state in
            let typed = stand.choices.prompt
            let action = typed == nil ? stand.choices.keys.action(of: key) : nil
            let commands = stand.press(key, at: now)
            state.open += commands.count { $0 != .stop }
            if let typed {
                echo(key, typed)
            } else if let question = stand.choices.prompt?.question {
                write(question)
            } else if commands.isEmpty, stand.choices.message.isEmpty {
                answer(action, key, at: now, &state)
            }
            state.isTyping = stand.choices.prompt != nil
            if !stand.choices.message.isEmpty { state.confirmations.append(Confirmation(stand.choices.message)) }
            asked.yield()
            return commands
        }
    }

    /// Takes note that a command that no key has given will be confirmed.
    package func expectConfirmation() { state.withLock { $0.open += 1 } }

    /// Confirms a command that has been carried out between two statuses; returns the text.
    package func confirm(_ command: Command, _ before: Status, _ after: Status, at now: Int64) -> String {
        let confirmation = Confirmation(command, before, after, words, at: now)
        state.withLock { state in
            state.confirmations.append(confirmation)
            (state.status, state.open) = (after, max(state.open - 1, 0))
        }
        asked.yield()
        return confirmation.text
    }

    /// Takes note that a command cannot be confirmed, because the music has not begun or is over, or for another reason,
    /// which is printed.
    package func skipConfirmation(_ reason: String? = nil) {
        state.withLock { state in
            state.open = max(state.open - 1, 0)
            if let reason { state.confirmations.append(Confirmation(reason)) }
        }
        asked.yield()
    }

    /// Takes the lines to print now, with the newest status; nil while an answer is being typed, or a command carried out:
    /// its confirmation comes before the bars that follow from it.
    func take(_ status: Status) -> (confirmations: [Confirmation], status: Status)? {
        stand.see(status)
        return state.withLock { state in
            guard !state.isTyping, state.open == 0 else { return nil }
            defer { state.confirmations = [] }
            // A status from before a command tells of a place that the music has left.
            let known = state.status.flatMap { $0.commandCount > status.commandCount ? $0 : nil }
            return (state.confirmations, known ?? status)
        }
    }

    /// Prints a line; if an answer has been begun meanwhile, below it.
    package func print(_ line: String) { state.withLock { write(($0.isTyping ? "\n" : "") + line) } }

    var keys: KeyBindings { stand.choices.keys }
    var usefulKeys: KeyBindings { stand.choices.usefulKeys }
    var isLed: Bool { stand.choices.isLed }

    /// Shows a key that belongs to the answer being typed.
    private func echo(_ key: Key, _ typed: StandChoices.Prompt) {
        switch key {
        case .character(let character) where stand.choices.prompt != typed: write(String(character))
        case .backspace where !typed.text.isEmpty:
            let columns = typed.text.last.map { String($0).columns } ?? 0
            let back = String(repeating: "\u{8}", count: columns)
            write(back + String(repeating: " ", count: columns) + back)
        case .enter: write("\n")
        case .backspace, .escape: write("\n" + localized("cancelled") + "\n")
        default: break
        }
    }

    /// The answer to a key that has no command.
    private func answer(_ action: KeyAction?, _ key: Key, at now: Int64, _ state: inout State) {
        let help = keys.spokenName(of: .help)
        func say(_ text: String) { state.confirmations.append(Confirmation(text)) }
        switch action {
        case .help:
            stand.closePages()
            KeyTable.lines(usefulKeys, words.parts, isLed: isLed).forEach(say)
        case .addresses:
            stand.closePages()
            let guests = stand.guests().map { $0.text(at: now) }
            stand.choices.invitations.forEach { say("\($0.title): \($0.address)") }
            if !stand.choices.invitations.isEmpty {
                say(guests.isEmpty ? localized("nobody is connected") : localized("connected:"))
            }
            guests.forEach(say)
        case .digits:
            say(StatusText.line(stand.seen, words, isLed: isLed, part: stand.choices.part, at: now))
            if let heard = stand.seen.flatMap({ words.heard($0) }) { say(localized("heard \(heard)")) }
            let cables = stand.signs(at: now).map { $0.words(at: now) }
            if !cables.isEmpty { say(cables.joined(separator: ", ")) }
        case .flash: say(localized("flashes need the picture of the stand"))
        case .tap: say(localized("tap"))
        case .loopFrom:
            let place = stand.seen.map { words.place($0.boundary(at: now), $0) }
            say(place.map { localized("loop from \($0)") } ?? localized("not playing yet"))
        case .some: say(localized("not possible yet"))
        case nil where key == .escape: break
        case nil where help.isEmpty: say(localized("\(key.shownName) has no meaning"))
        case nil: say(localized("\(key.shownName) has no meaning; \(help) lists the keys"))
        }
    }
}
