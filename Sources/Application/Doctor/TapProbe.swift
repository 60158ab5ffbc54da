internal import Glibc
internal import Hearing
internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import UserSettings

/// How late keys of the keyboard or a pedal arrive, for `barline doctor --latency --taps`: a microphone hears the hits.
enum TapProbe {
    /// How many keys are asked for, how long to wait for them, and how long two are apart at least, in ns.
    private static let (count, longest, apart) = (10, Int64(60_000_000_000), Int64(300_000_000))
    /// For how long the clock of the microphone is learned first, and how long is recorded after the last key, in ns.
    private static let (learning, rest) = (Int64(2_000_000_000), Int64(400_000_000))

    /// Measures and tells it. Errors end the command.
    static func run(input: String, json: Bool) throws {
        guard StandardOutput.isInteractive || (json && isatty(0) == 1) else {
            throw Failure.exit(.usage, localized("--taps needs a terminal, because you hit its keys"))
        }
        let found = try measure(input)
        let (delay, spread) = (found.delay * 1000, found.spread * 1000)
        guard !json else {
            return try StandardOutput.print(
                JSON.object([
                    "input": .text(input), "tap_delay_ms": .number(delay.fixed(1)),
                    "spread_ms": .number(spread.fixed(1)),
                    "delays_ms": .list(found.delays.map { .number(($0 * 1000).fixed(1)) }),
                ]).line + "\n")
        }
        let told = localized(
            "a key arrives \(delay.fixed(1)) ms after its hit, \(found.delays.count) keys with a spread of \(spread.fixed(1)) ms"
        )
        let included = localized(
            "this includes the keyboard, the system and the terminal; the delay of '\(input)' itself is unknown, and would make it longer"
        )
        let advice = localized("to subtract it from your taps: barline config tap-delay \(delay.fixed(1))")
        try StandardOutput.print([told, included, advice].map { $0.printable + "\n" }.joined())
    }

    private static func measure(_ input: String) throws -> TapDelay {
        let microphone = try Microphone.opened(input)
        let (samples, keys) = try HeldTerminal.run { terminal in try record(microphone, input, terminal) }
        do throws(TapDelay.Fault) {
            return try TapDelay(
                samples, rate: Double(microphone.rate), keys: keys.compactMap { microphone.frame(at: Double($0)) })
        } catch { throw Failure.exit(.badData, message(error, input)) }
    }

    /// The sound and the times of the keys (CLOCK_MONOTONIC, ns).
    private static func record(
        _ microphone: Microphone, _ input: String, _ terminal: Terminal
    ) throws -> (samples: [Float], keys: [Int64]) {
        var (samples, keys): ([Float], [Int64]) = ([], [])
        var (sheet, reader) = (TerminalFoot(terminal), Keys())
        let begin = monotonicNanoseconds()
        var end = begin + longest
        while true {
            let typed = HeldTerminal.typed(&reader, within: 20)
            // As soon as it is known: nothing else may make it later.
            let now = monotonicNanoseconds()
            if case .gone(let reason) = microphone.read({ samples += $0 }) {
                throw Failure.exit(.noDevice, localized("the microphone '\(input)' has gone away: \(reason)"))
            }
            let isReady = now > begin + learning && microphone.model.isSettled
            for key in typed ?? [] {
                switch key {
                case .key(.escape), .key(.character("q")), .key(.character("Q")): end = min(end, now + rest)
                default:
                    let due = (keys.last ?? begin) + apart
                    if isReady, now > due, keys.count < count { keys.append(now) }
                }
            }
            if keys.count == count { end = min(end, (keys.last ?? now) + rest) }
            sheet.draw(lines(isReady, keys.count))
            if now >= end || typed == nil { return (samples, keys) }
        }
    }

    /// Two lines, each of which fits into a terminal of 80 columns in every language.
    private static func lines(_ isReady: Bool, _ keys: Int) -> [String] {
        guard isReady else { return [localized("listening; wait a moment"), ""] }
        guard keys < count else { return [localized("thank you"), ""] }
        return [
            localized("Hit any key hard, about once a second, near the microphone. q ends."),
            localized("Keys: \(keys) of \(count)"),
        ]
    }

    private static func message(_ fault: TapDelay.Fault, _ input: String) -> String {
        switch fault {
        case .silent: localized("'\(input)' gives silence: is the microphone muted, or another one meant?")
        case .tooFew(let keys):
            localized("\(keys) keys were hit, and at least \(TapDelay.fewest) are needed: nothing was measured")
        case .notHeard(let heard, let keys):
            localized(
                "only \(heard) of \(keys) hits are heard in '\(input)': hit the keys harder, or put the microphone nearer"
            )
        case .otherSounds(let count):
            localized("\(count) other sounds are as loud as the hits in '\(input)': keep the room quiet, and try again")
        case .disagree(let spread):
            localized(
                "hits and keys do not match, they differ by \((spread * 1000).fixed(0)) ms: is it the hits that the microphone hears?"
            )
        }
    }
}
