internal import CDrone
package import Playback
internal import Scores
internal import Shared
package import SimulatedCardSupport

/// Measures the delay from a simulated card to a simulated microphone in simulated time.
package enum SimulatedRoundTrip {
    /// A clock that goes on a little at each reading: the audio thread looks at a device until some time has passed.
    private final class Clock: SimulatedCardClock {
        private var time: Int64 = 1_000_000_000
        var now: Int64 {
            time += 200
            return time
        }
        func sleep(until nanoseconds: Int64) { time = max(time, nanoseconds) }
    }

    /// Plays bursts of a signal at a rate and records them, with settings of the card and of the microphone.
    package static func play(
        _ signal: [Float], rate: Int, card: [String: SimulatedCard.Value], microphone: [String: SimulatedCard.Value]
    ) throws -> RoundTripPlay {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, ["rate": .integer(rate)].merging(card) { $1 })
        let input = try simulated.microphone(in: folder.path, ["rate": .integer(rate)].merging(microphone) { $1 })
        let clock = Clock()
        return try SimulatedCard.withClock(clock) {
            try withExtendedLifetime(clock) {
                var own = drone_clock(
                    now_ns: { $0.map { Unmanaged<Clock>.fromOpaque($0).takeUnretainedValue().now } ?? 0 },
                    context: Unmanaged.passUnretained(clock).toOpaque())
                return try withUnsafePointer(to: &own) { pointer in
                    drone_use_clock(pointer)
                    defer { drone_use_clock(nil) }
                    let output = try Card(
                        simulated.device, SoundFormat(rate: rate, channels: 1, samples: .float32), isExact: true)
                    output.hasThread = false
                    var play = try RoundTripPlay(output, Microphone(input, rate: rate), signal: signal)
                    while let pause = try play.step(at: clock.now) {
                        run(output, simulated, clock, until: clock.now + Int64(pause / .nanoseconds(1)))
                    }
                    return play
                }
            }
        }
    }

    /// Runs the audio code until a time.
    private static func run(_ card: Card, _ simulated: SimulatedCard, _ clock: Clock, until end: Int64) {
        while true {
            let wait = drone_output_next_round(card.output)
            let deadline = wait.listens ? simulated.deadline ?? .max : .max
            let due = drone_output_is_hurried(card.output) ? clock.now : min(wait.until_ns, deadline)
            guard !wait.ended, due <= end else { return clock.sleep(until: end) }
            // A call takes time, so that nothing is repeated without end.
            clock.sleep(until: max(due, clock.now + 1000))
            drone_output_round(card.output, wait.listens && deadline <= clock.now)
        }
    }
}
