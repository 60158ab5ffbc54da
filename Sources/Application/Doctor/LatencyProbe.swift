internal import Glibc
internal import Hearing
internal import Languages
internal import Playback
internal import Scores

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
        let text = localized(
            "from '\(output)' to '\(input)': \(delay.fixed(2)) ms, \(count) bursts within \(spread.fixed(2)) ms")
        let kept = isKept ? "\n" + localized("`play --record` uses it for these two devices") : ""
        try StandardOutput.print((text + kept).printable + "\n")
    }

    private static func measure(output: String, input: String) async throws -> RoundTrip {
        let card = try Failure.exitOnError(.noDevice) { try Card(output) }
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
