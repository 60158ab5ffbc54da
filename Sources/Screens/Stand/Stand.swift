internal import Languages
package import Playback
internal import Scores
internal import Synchronization
internal import Timing
package import UserSettings

/// The practice stand: turns keys into commands for the music and choices of what is shown.
///
/// Keys arrive on one thread; the screen reads the choices on another.
package final class Stand: Sendable {
    /// Guards the choices, of which keys change one after the other.
    private let state: Mutex<StandState>
    private let changed: AsyncStream<Void>.Continuation
    /// Yields whenever a choice has changed, for the screen that shows it.
    package let changes: AsyncStream<Void>

    /// Who is connected.
    let guests: @Sendable () -> [Guest]
    /// The cables to and from other machines.
    let cables: @Sendable () -> [CableSign]

    /// What a microphone hears of the player; nil if none listens.
    let tuner: @Sendable () -> Tuner?

    package init(
        _ choices: StandChoices = StandChoices(), guests: @escaping @Sendable () -> [Guest] = { [] },
        cables: @escaping @Sendable () -> [CableSign] = { [] }, tuner: @escaping @Sendable () -> Tuner? = { nil }
    ) {
        state = Mutex(StandState(choices: choices))
        (self.guests, self.cables, self.tuner) = (guests, cables, tuner)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var choices: StandChoices { state.withLock { $0.choices } }

    /// Takes the newest status, because the meaning of some keys depends on where the music is.
    package func see(_ status: Status) { state.withLock { $0.status = status } }

    /// The newest status that the stand has seen; nil before the first.
    var seen: Status? { state.withLock { $0.status } }

    /// The signs of life of all cables while the music is at a moment; that of timecode follows from what is heard.
    package func signs(_ moment: Moment, at now: Int64) -> [CableSign] {
        (choices.carriesTimecode ? [CableSign.timecode(moment, at: now)] : []) + cables()
    }

    /// The same while the music goes on as was seen last.
    func signs(at now: Int64) -> [CableSign] { seen.map { signs($0.moment(at: now), at: now) } ?? cables() }

    /// The commands for a key pressed at `now` (CLOCK_MONOTONIC, ns); changes the choices as well.
    package func press(_ key: Key, at now: Int64) -> [Command] { answer { $0.press(key, at: now) } }

    /// The commands for an action at `now`, whatever its keys are; changes the choices as well.
    func perform(_ action: KeyAction, at now: Int64) -> [Command] {
        answer { state in
            state.choices.message = ""
            return state.act(action, at: now)
        }
    }

    /// The commands for an action that another machine asks for at `now`, with the text that the action would ask the player
    /// for; none if it lacks that.
    package func perform(_ action: KeyAction, with text: String, at now: Int64) -> [Command] {
        answer { state in
            guard case .ask(let kind) = action.standKey.action else {
                return state.act(action, at: now)
            }
            guard let status = state.status, !text.isEmpty, !state.refuses(kind) else { return [] }
            do throws(TextError) {
                return try StandChoices.Prompt(kind: kind, text: text).commands(status)
            } catch {
                state.choices.message = "\(error)"
                return []
            }
        }
    }

    /// Shows the first line of what the program has to say at `now` (CLOCK_MONOTONIC, ns) for ten seconds, after what it has
    /// said before.
    package func say(_ text: String, at now: Int64) {
        guard let line = text.split(separator: "\n").first else { return }
        change { state in
            state.choices.notices.removeAll { $0.shown.upperBound <= now }
            let begin = state.choices.notices.last?.shown.upperBound ?? now
            let shown = begin..<begin + 10_000_000_000
            state.choices.notices.append(StandChoices.Notice(text: String(line), shown: shown))
        }
    }

    /// Forgets that the help or an address is shown, for a screen that has printed it.
    func closePages() { change { ($0.choices.helpPage, $0.choices.shownInvitation) = (nil, nil) } }

    private func answer(_ body: (inout StandState) -> [Command]) -> [Command] {
        // Before the lock: it is held while nothing else is asked.
        let hasGuests = !guests().isEmpty
        return change { state in
            state.hasGuests = hasGuests
            return body(&state)
        }
    }

    private func change<Result>(_ body: (inout StandState) -> Result) -> Result where Result: Sendable {
        let (result, isNew) = state.withLock { state in
            let before = state.choices
            let result = body(&state)
            return (result, state.choices != before)
        }
        if isNew { changed.yield() }
        return result
    }
}

/// What keys change at the stand, and what they mean where the music is.
private struct StandState {
    var choices: StandChoices
    var status: Status?
    /// Whether anybody was connected at the last key.
    var hasGuests = false

    mutating func press(_ key: Key, at now: Int64) -> [Command] {
        choices.message = ""
        if choices.prompt != nil { return type(key) }
        if key == .escape, choices.helpPage != nil || choices.shownInvitation != nil {
            (choices.helpPage, choices.shownInvitation) = (nil, nil)
            return []
        }
        return choices.keys.action(of: key).map { act($0, at: now) } ?? []
    }

    mutating func act(_ key: KeyAction, at now: Int64) -> [Command] {
        guard !choices.isLed || !key.isOfLeader else {
            choices.message = localized("only the machine that leads can do that")
            return []
        }
        let action = key.standKey.action
        if action != .tap { choices.taps = [] }
        switch action {
        case .command(let command):
            // After this, no piece follows, whatever was asked for before.
            if command == .stop { choices.wantsNext = false }
            return [command]
        case .tapBar: return [.tell(.tap(at: now))]
        case .begin: return [.jump(.firstBar), .resume]
        case .goOn:
            if case .bar(let bar) = status?.moment(at: now), bar.isWaiting { return [.continue] }
            return [.jump(.thisBar)]
        case .ask(let kind) where refuses(kind): break
        case .ask(let kind): choices.prompt = StandChoices.Prompt(kind: kind, isLed: choices.isLed)
        case .nextDigits: choices.digits = choices.digits.next
        case .nextFlash: choices.flash = choices.flash.next
        case .addresses:
            choices.helpPage = nil
            let next = choices.shownInvitation.map { $0 + 1 } ?? 0
            choices.shownInvitation = next < choices.invitations.count ? next : nil
            if choices.invitations.isEmpty { choices.message = StandState.closed }
        case .help:
            choices.shownInvitation = nil
            let next = choices.helpPage.map { $0 + 1 } ?? 0
            let pages = StandView.helpPages(choices, Terminal.size)
            choices.helpPage = next < pages ? next : nil
        case .nextPiece where !choices.hasNext: choices.message = localized("no other piece follows")
        case .nextPiece:
            choices.wantsNext = true
            return [.stop]
        case .unloop:
            choices.loopStart = nil
            return [.practice(nil, passes: nil)]
        case .nextWaveform:
            return status.map { [.droneWaveform(($0.performance.drone?.timbre.waveform ?? .sine).next)] } ?? []
        case .tap, .loopBar, .loopLine, .loopWorth, .markStart, .markEnd:
            guard let status else { return [] }
            return place(action, at: now, status)
        }
        return []
    }

    /// Whether an answer would go nowhere; then a message says why.
    mutating func refuses(_ kind: StandChoices.Prompt.Kind) -> Bool {
        switch kind {
        case .mark where !choices.keepsNotes:
            choices.message = localized("nothing is noted: the setting practice-log is off")
        case .message where choices.invitations.isEmpty: choices.message = StandState.closed
        case .message where !hasGuests: choices.message = localized("nobody is connected")
        default: return false
        }
        return true
    }

    /// Why nobody is connected.
    private static var closed: String { localized("nobody can connect: `barline play --serve` lets others in") }

    /// Performs an action that depends on where the music is.
    private mutating func place(_ action: StandAction, at now: Int64, _ status: Status) -> [Command] {
        let passage = status.performance.passage
        let n = status.boundary(at: now)
        let bar = passage.bar(of: n)
        switch action {
        case .loopBar: return loop(bar.index..<bar.index + 1, status)
        case .loopLine: return loop(passage.timeline.bars(ofLine: bar.line) ?? bar.index..<bar.index + 1, status)
        case .loopWorth:
            let bars = status.heard?.worth.map(\.bar) ?? []
            let stretches = try? PracticeProgram.weak.stretches(
                of: passage.timeline, bars: status.home.bars, at: status.speed, weak: { bars })
            if let stretches { return [.practice(stretches, passes: nil)] }
            choices.message =
                choices.listens
                ? localized("no bar is far enough off yet") : localized("nobody listens: `barline play --listen` does")
        case .markStart: choices.loopStart = bar.index
        case .markEnd:
            let start = choices.loopStart ?? bar.index
            choices.loopStart = nil
            return loop(min(start, bar.index)..<max(start, bar.index) + 1, status)
        case .tap:
            choices.taps = Array((choices.taps.filter { now - $0 < 4_000_000_000 } + [now]).suffix(5))
            return Tapping.speed(choices.taps, bar, at: passage.stretch(of: n).speed).map { [.speedTo($0)] } ?? []
        default: break
        }
        return []
    }

    /// Loops these bars; ends the loop if they are looped already.
    private func loop(_ bars: Range<Int>, _ status: Status) -> [Command] {
        status.loop == bars ? [.practice(nil, passes: nil)] : [.practice([Passage.Stretch(bars)], passes: nil)]
    }

    // MARK: - Typing

    private mutating func type(_ key: Key) -> [Command] {
        guard var prompt = choices.prompt else { return [] }
        switch key {
        case .character(let character) where prompt.text.count < 100: prompt.text.append(character)
        case .backspace where !prompt.text.isEmpty: prompt.text.removeLast()
        case .backspace, .escape:
            choices.prompt = nil
            return []
        case .enter:
            choices.prompt = nil
            guard let status, !prompt.text.isEmpty else { return [] }
            do throws(TextError) {
                return try prompt.commands(status)
            } catch {
                choices.message = "\(error)"
                return []
            }
        default: break
        }
        choices.prompt = prompt
        return []
    }
}
