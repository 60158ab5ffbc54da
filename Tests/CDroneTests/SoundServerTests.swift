import CDrone
import Glibc
import SimulatedCardSupport
import Testing

/// The behavior of sound servers' plugins, in simulated time.
@Suite("Output through a sound server's plugin")
struct SoundServerTests {
    @Test(
        "a sound server is recognized by its plugin's own name, whatever the user's configuration calls it",
        arguments: [
            ("ALSA <-> PulseAudio PCM I/O Plugin", false, true, 960),
            ("ALSA <-> PipeWire PCM I/O Plugin", true, true, 52_800), ("Some other plugin", false, false, 24_000),
        ])
    func known(says: String, rewinds: Bool, estimates: Bool, buffer: Int) throws {
        var grant: drone_output_grant?
        var seen: drone_snapshot?
        _ = try SimulatedOutput.play(["says": .text(says)], DRONE_POLICY_AUTO, milliseconds: 5) { output, _ in
            (grant, seen) = (output.grant, output.snapshot)
        }
        #expect(seen?.rewinds == rewinds)
        #expect(grant?.estimates == estimates)
        #expect(grant.map { abs(Int($0.buffer_frames) - buffer) < 1024 } == true)
    }

    @Test(
        "a device that wakes the thread before it has room gets as much as fits, and does not keep the thread busy",
        arguments: [1, 300, 100_000])
    func early(frames: Int) throws {
        var rounds = 0
        var last = drone_snapshot()
        let (_, happenings) = try SimulatedOutput.play(
            ["calls_early_frames": .integer(frames), "step_frames": 1], milliseconds: 1000
        ) { output, _ in
            rounds += 1
            last = output.snapshot
        }
        #expect(happenings.contains { $0.name == "start" } && last.xruns == 0)
        #expect(last.next_frame > 47_000)
        #expect(rounds < 300)
    }

    @Test(
        "a server whose plugin calls twice for each period, once with nothing new, is observed at the ends of its periods",
        arguments: [-300.0, 0, 300])
    func twice(ppm: Double) throws {
        var seen: [drone_observation] = []
        _ = try SimulatedOutput.play(
            ["calls_again": "yes", "step_frames": 1024, "skew_ppm": .real(ppm), "period_min": 1024], DRONE_POLICY_SMALL,
            late: 60_000, milliseconds: 12_000
        ) { output, _ in
            seen += output.observations()
        }
        // Each is at the same place of the period: the pointer is a period behind just before it steps, and exact just after.
        let places = seen.filter { $0.blur_frames == 0 }.map { observation in
            Double(observation.frame) - Double(observation.time_ns) * 48_000e-9 * (1 + ppm / 1e6)
        }
        let late = places.dropFirst(8)
        #expect(late.count > 300)
        let (low, high) = try (#require(late.min()), #require(late.max()))
        #expect(high - low < 5, "\(high - low) frames")
    }

    /// Plays a quiet tone, and clicks at these frames, on a card that keeps running without data.
    private func playsOn(clicks: [Int64], stalls: [(at: Int64, length: Int64)]) throws -> (
        heard: [Float], gaps: [drone_gap], last: drone_snapshot, skipped: UInt64, happenings: [SimulatedCardHappening]
    ) {
        let engine = EngineUnderTest()
        engine.push(tone(0, level: 0.1))
        for frame in clicks { engine.push(click(frame)) }
        var (gaps, gap, last) = ([drone_gap](), drone_gap(), drone_snapshot())
        let (recording, happenings) = try SimulatedOutput.play(
            ["plays_on": "yes"], engine: engine, stalls: stalls, milliseconds: 4500
        ) { output, _ in
            while drone_output_next_gap(output.handle, &gap) { if gap.end < .max { gaps.append(gap) } }
            last = output.snapshot
        }
        return (
            try #require(recording).samples(channel: 0).map { Float($0) }, gaps, last, engine.counters.skipped,
            happenings
        )
    }

    @Test("on a server that keeps running without data, late sound is lost, and everything after it is in its place")
    func playsOn() throws {
        // The thread is 60 ms late, and misses the second click.
        let played = try playsOn(clicks: [12_000, 48_000 + 2000, 96_000], stalls: [(1000, 60)])
        #expect(played.last.xruns == 1)
        #expect(played.happenings.count { $0.name == "start" } == 1)
        let gap = try #require(played.gaps.first)
        // The fill level is not raised.
        #expect(played.last.next_frame - played.last.heard.frame < 1500)
        #expect(played.gaps.count == 1 && gap.error == -EPIPE && gap.begin <= 50_000 && gap.end > 50_000)
        #expect(played.skipped == 1)
        let model = EngineUnderTest()
        model.push(tone(0, level: 0.1))
        for frame: Int64 in [12_000, 96_000] { model.push(click(frame)) }
        let right = model.renderFloats(played.heard.count)
        let (begin, end) = (Int(gap.begin), Int(gap.end))
        #expect(played.heard[..<begin] == right[..<begin])
        #expect(played.heard[begin..<end].allSatisfy { $0 == 0 })
        // The drone fades in again over 10 ms.
        let pairs = zip(played.heard[end...], right[end...])
        #expect(pairs.allSatisfy { heard, full in abs(heard) <= abs(full) + 1e-6 })
        #expect(played.heard[(end + 480)...] == right[(end + 480)...])
    }

    @Test("a server that has run without data for more than a second gets a new stream")
    func playsOnForLong() throws {
        let played = try playsOn(clicks: [], stalls: [(1000, 1500)])
        #expect(played.happenings.count { $0.name == "start" } == 2)
        #expect(played.last.xruns == 1 && played.gaps.count == 1)
    }

    @Test("a server that repeatedly runs without data gets a larger buffer")
    func playsOnAgain() throws {
        let stalls = stride(from: Int64(300), through: 3300, by: 1000).map { (at: $0, length: Int64(700)) }
        let played = try playsOn(clicks: [], stalls: stalls)
        #expect(played.happenings.count { $0.name == "set-up" } == 2)
        #expect(played.happenings.count { $0.name == "start" } == 2)
        // Only the fourth underrun leads to a new stream.
        #expect(played.last.xruns == 4 && played.gaps.count == 4)
    }
}
