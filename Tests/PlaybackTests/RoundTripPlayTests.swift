import Hearing
import Listening
import Playback
import SimulatedCardSupport
import Testing

/// The delay from a simulated card to a simulated microphone.
@Suite("Round trips on a card")
struct RoundTripPlayTests {
    private func measure(
        rate: Int = 48_000, card: [String: SimulatedCard.Value] = [:], microphone: [String: SimulatedCard.Value] = [:]
    ) throws -> RoundTrip {
        let play = try SimulatedRoundTrip.play(RoundTrip.sequence, rate: rate, card: card, microphone: microphone)
        return try RoundTrip(
            play.samples, rate: play.rate, pace: play.pace, bursts: play.bursts.map { RoundTrip.Burst(frame: $0) })
    }

    @Test("a delay is measured within a frame at any rate, with any two crystals", arguments: [44_100, 48_000, 96_000])
    func exact(rate: Int) throws {
        for (hidden, path, ppm) in [(0, 3000.0, 0.0), (1234, 8765.4, 200)] {
            let found = try measure(
                rate: rate, card: ["skew_ppm": .real(ppm), "hidden_latency_frames": .integer(hidden)],
                microphone: ["skew_ppm": .real(-ppm), "path_us": .real(path), "noise_db": -60])
            let truth = path * 1e-6 + Double(hidden) / Double(rate)
            #expect(abs(found.delay - truth) * Double(rate) <= 1, "\(found), \(truth)")
            #expect(found.spread * Double(rate) <= 1)
        }
    }

    @Test("a muted microphone, one that hears nothing, an echo and two equal peaks are refused")
    func refused() throws {
        #expect(throws: RoundTrip.Fault.silent) { try measure(microphone: ["muted": true]) }
        #expect(throws: RoundTrip.Fault.notHeard) {
            try measure(microphone: ["path_db": -150, "noise_db": -30])
        }
        for echo in [-15.0, -12, -8] {
            do {
                let found = try measure(microphone: ["path_us": [3000, 33_000], "path_db": [-12, .real(echo)]])
                Issue.record("\(found)")
            } catch {
                guard case .echo(let apart) = error as? RoundTrip.Fault else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(abs(apart - 0.03) < 0.0002)
            }
        }
    }

    @Test("a microphone that goes away or loses sound is told")
    func faults() {
        #expect(throws: RoundTripPlay.Fault.self) { try measure(microphone: ["disconnect_at": 3000]) }
        #expect(throws: RoundTripPlay.Fault.interrupted) { try measure(microphone: ["xrun_at": 3000]) }
    }

    @Test("a measured delay is remembered for its two devices, whatever they are called")
    func memory() throws {
        let folder = TemporaryFolder()
        let path = folder("delays.csv")
        let pairs = [("hw:0,0", "a \"b\""), ("default", "default"), ("default", "hw:1")].map {
            RoundTripMemory.Pair(output: $0.0, input: $0.1)
        }
        for (n, pair) in pairs.enumerated() {
            #expect(try RoundTripMemory.keep(.init(delay: Double(n) + 0.1234, spread: 0.01), of: pair, in: path) == nil)
        }
        let memory = RoundTripMemory.read(path)
        #expect(pairs.map { memory.entries[$0]?.delay } == [0.123, 1.123, 2.123])
        #expect(RoundTripMemory(text: "x\n1,2,3\na,b,nan,1\na,b,1,-1\n").entries.isEmpty)
    }
}
