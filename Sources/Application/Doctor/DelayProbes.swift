internal import Glibc
internal import Hearing
internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import UserSettings

/// The delay from an output to an input, for `barline doctor --latency`.
enum LatencyProbe {
    /// Measures, tells and remembers it. Errors end the command.
    static func run(output: String, input: String, json: Bool) async throws {
        let found = try await measure(output: output, input: input)
        let (delay, spread) = (found.delay * 1000, found.spread * 1000)
        let isKept = keep(RoundTripMemory.Entry(delay: delay, spread: spread), .init(output: output, input: input))
        guard !json else {
            return try StandardOutput.print(
                JSON.object([
                    "output": .text(output), "input": .text(input), "delay_ms": .number(delay.fixed(3)),
                    "spread_ms": .number(spread.fixed(3)),
                    "delays_ms": .list(found.delays.map { .number(($0 * 1000).fixed(3)) }),
                ]).line + "\n")
        }
        let count = found.delays.count
        let told = localized(
            "from '\(output)' to '\(input)': \(delay.fixed(2)) ms, \(count) bursts within \(spread.fixed(2)) ms")
        let kept = isKept ? [localized("`play --record` uses it for these two devices")] : []
        try StandardOutput.print(([told] + kept).map { $0.printable + "\n" }.joined())
    }

    private static func measure(output: String, input: String) async throws -> RoundTrip {
        let card = try Card.opened(output)
        let microphone = try Microphone.opened(input, rate: card.rate)
        StandardError.write(localized("playing three bursts of noise; keep the room quiet") + "\n")
        let play: RoundTripPlay
        do throws(RoundTripPlay.Fault) {
            var trial = try RoundTripPlay(card, microphone, signal: RoundTrip.sequence)
            while let pause = try trial.step(at: monotonicNanoseconds()) { usleep(UInt32(pause / .microseconds(1))) }
            play = trial
        } catch {
            throw Failure.exit(.noDevice, message(error, output, input))
        }
        do throws(RoundTrip.Fault) {
            return try RoundTrip(
                play.samples, rate: play.rate, pace: play.pace, bursts: play.bursts.map { RoundTrip.Burst(frame: $0) })
        } catch {
            throw Failure.exit(.badData, message(error, input))
        }
    }

    private static func message(_ fault: RoundTripPlay.Fault, _ output: String, _ input: String) -> String {
        switch fault {
        case .engine(let error): "\(error)"
        case .stopped: localized("'\(output)' or '\(input)' does not move: nothing was measured")
        case .interrupted:
            localized("'\(output)' or '\(input)' lost sound while it was measured: close other programs, and try again")
        case .gone(let reason): localized("the microphone '\(input)' has gone away: \(reason)")
        }
    }

    private static func message(_ fault: RoundTrip.Fault, _ input: String) -> String {
        switch fault {
        case .silent: localized("'\(input)' gives silence: is the microphone muted, or another one meant?")
        case .notHeard:
            localized(
                "the bursts are not heard in '\(input)': turn the loudspeaker up, put the microphone near it, or name another --input"
            )
        case .echo(let apart):
            localized(
                "the bursts are heard twice, \((apart * 1000).fixed(1)) ms apart, and almost equally loud: put the microphone nearer to the loudspeaker"
            )
        case .disagree(let apart):
            localized(
                "the bursts disagree by \((apart * 1000).fixed(1)) ms: the delay of these devices changes, or something else was heard"
            )
        }
    }

    /// Remembers the delay; prints a note if that is not possible.
    private static func keep(_ entry: RoundTripMemory.Entry, _ pair: RoundTripMemory.Pair) -> Bool {
        guard let path = RoundTripMemory.path(environment: Environment.values) else { return false }
        do {
            if let aside = try RoundTripMemory.keep(entry, of: pair, in: path) {
                Failure.say(localized("note: '\(path)' was damaged and has been moved to '\(aside)'"))
            }
            return true
        } catch {
            Failure.say(localized("note: the delay could not be stored: '\(path)' \(error)"))
            return false
        }
    }
}

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
