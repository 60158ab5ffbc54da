import Formats
import Foundation
import Listening
import Playback
import Scores
import SimulatedCardSupport
import Timing

extension PlayedScore {
    /// The number of boundaries that were not heard.
    var lost: Int { rows.count { $0.flags.contains(.lost) } + unheard }

    /// The number of boundaries due in a range of times that were not heard or that the log calls lost.
    func lost(within times: ClosedRange<Double>) -> Int {
        let due = rows.map(\.nominal.seconds).filter(times.contains)
        return due.count - boundaries.count { times.contains($0.due) }
    }

    /// The times of events with these names, in seconds after time zero.
    private func times(of names: Set<String>) -> [Double] {
        happenings.filter { names.contains($0.name) }.map { Double($0.nanoseconds - zero) * 1e-9 }
    }

    /// The time of the first of these events after `time`.
    func begin(of names: Set<String>, after time: Double = -.infinity) -> Double {
        times(of: names).first { $0 > time } ?? .nan
    }

    /// The time of the last of these events before `time`.
    func end(of names: Set<String>, before time: Double = .infinity) -> Double {
        times(of: names).last { $0 < time } ?? .nan
    }
}

extension TimingBench {
    /// The delay from a command to the click that it causes, measured in this process.
    func commands(_ table: inout Table) async throws {
        SimulatedCard.configureThisProcess()
        for (title, policy) in [("rewinding", Card.Policy.rewind), ("fallback", .small)] {
            let jumps = isMoment ? 4 : 40
            let delays = try await Self.delays(policy, jumps: jumps, after: isMoment ? 4 : 11, in: folder).sorted()
            guard delays.count == jumps else {
                table.nothing("command to sound, \(title): \(delays.count) of \(jumps) commands were heard")
                continue
            }
            table.row("command to sound, \(title): median", delays[delays.count / 2], "ms", .atMost(20))
            let most = delays.last ?? .nan
            table.row("command to sound, \(title): longest", most, "ms", .atMost(policy == .rewind ? 20 : 25))
        }
    }

    /// The delays of jumps in ms, from `start` seconds on.
    private static func delays(_ policy: Card.Policy, jumps: Int, after start: Int, in folder: String) async throws
        -> [Double]
    {
        let card = try SimulatedCard(in: folder, name: policy.rawValue, ["skew_ppm": 120, "jitter_us": 50])
        let bars = (0..<400).map { _ in Score.Bar(.milliseconds(5000)) }
        let score = Score(lines: [Score.Line(bars: bars)])
        let format = SoundFormat(rate: 48_000, channels: 1, samples: .float32)
        let conductor = Conductor(
            Performance(of: score, passage: Passage(Timeline(score))),
            output: try Card(card.device, format, policy: policy), sound: .device("simulated"))
        let user = Task {
            var asked: [Int64] = []
            try await Task.sleep(for: .seconds(start))
            for k in 0..<jumps {
                try await Task.sleep(for: .milliseconds(613 + k * 7))
                asked.append(monotonicNanoseconds())
                await conductor.perform(.jump(.nextBar))
            }
            try await Task.sleep(for: .seconds(1))
            await conductor.perform(.stop)
            return asked
        }
        try await conductor.run()
        let asked = try await user.value
        let recording = try card.recording()
        var finder = try OnsetFinder(rate: 48_000, amplitude: Performance.standardClickLevel.amplitude)
        let onsets = try finder.onsets(in: recording.samples(channel: 0))
        return asked.compactMap { moment in
            onsets.lazy.compactMap { recording.nanoseconds(ofPlayedFrame: $0.frame, after: moment) }
                .first { $0 > 0 }.map { $0 * 1e-6 }
        }
    }

    /// A card that is unplugged and plugged in again.
    func unplugged(_ table: inout Table) throws {
        let (after, away) = isMoment ? (4.0, 2.5) : (20, 5)
        let card = Self.fine.with("skew_ppm", 300).with("disconnect_at", .list([.real(after * 1000 + 0.01)]))
            .with("return_after", .list([.real(away * 1000)]))
        for (title, policy) in [("rewinding", "rewind"), ("fallback", "small")] {
            var (first, last): (Child.Use?, Child.Use?)
            // Few bars, because printing a line for each bar costs time that is not due to the card.
            let play = try PlayedScore(
                "unplugged", card: card, policy: policy, seconds: isMoment ? 9 : 40,
                bars: isMoment ? PlayedScore.dense : PlayedScore.sequenza,
                in: folder
            ) { child, zero in
                // The card starts with the program, three to four seconds before time zero.
                let begin = Double(zero - monotonicNanoseconds()) * 1e-9
                Thread.sleep(forTimeInterval: begin + after - 1)
                first = try child.use()
                Thread.sleep(forTimeInterval: isMoment ? 1.5 : 2.8)
                last = try child.use()
            }
            if let first, let last {
                table.row(
                    "unplugged, \(title): wake-ups meanwhile",
                    Double(last.wakes - first.wakes) / (last.time - first.time),
                    "/s", .atMost(5))
            }
            let gone = play.end(of: ["disconnect"])
            let again = play.begin(of: ["start"], after: gone)
            table.row("unplugged, \(title): sound after return", again - gone - away, "s", .atMost(1.5))
            let next = play.boundaries.first { $0.due > again + 0.3 }
            table.row("unplugged, \(title): boundary after it", (next?.deviation ?? .nan) * 1e6, "us", .within(280))
            table.row(
                "unplugged, \(title): rms from there", play.spread(after: again + 0.3).rms, "us", .atMost(8))
        }
    }

    /// Four processes that keep the processor busy.
    func busyMachine(_ table: inout Table) throws {
        let loops = try (0..<4).map { _ in
            let loop = Process()
            loop.executableURL = URL(fileURLWithPath: "/bin/sh")
            // No loop outlives the bench.
            loop.arguments = ["-c", "while kill -0 \(getpid()) 2> /dev/null; do :; done"]
            try loop.run()
            return loop
        }
        // SIGKILL, because the loops inherit blocked signals and would not get SIGTERM.
        defer { loops.forEach { kill($0.processIdentifier, SIGKILL) } }
        let play = try PlayedScore(
            "busy", card: Self.fine.with("skew_ppm", 50), policy: "rewind", seconds: isMoment ? 8 : 20, in: folder)
        table.row(
            "four busy loops, rewinding: xruns in 20 s", Double(play.happenings.count { $0.name == "xrun" }), "",
            .exactly(0))
        table.row("four busy loops, rewinding: clicks lost", Double(play.lost), "", .exactly(0))
        table.row("four busy loops, rewinding: furthest", play.spread(after: 2).max, "us", .atMost(30))
    }

    /// One hour of recording takes 1.4 GB.
    private var hours: Double { isMoment ? 0.01 : 2 }

    /// Two hours in simulated time.
    func hours(_ table: inout Table) async throws {
        guard let bundled = BundledScore.named("sequenza-vii"),
            let score = Score.read(bundled.bytes, file: "sequenza-vii.yaml").score
        else { return table.nothing("the score of Sequenza VII cannot be read") }
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        performance.countIn = .off
        // With jitter, the pointer is late by the same mean at time zero, too, which cannot be detected; so only the
        // spread is bounded.
        for (title, jitter) in [("", 0.0), (", jitter 50 us", 50e-6)] {
            let play = try SimulatedPlay.run(
                performance, on: ["skew_ppm": 200, "wander_ppm": 2, "jitter_us": .real(jitter * 1e6)], policy: .rewind,
                for: hours * 3600)
            let count = play.boundaries.count
            if jitter == 0 {
                let furthest = play.boundaries.map { abs($0.deviation) }.max() ?? .nan
                table.row(
                    "\(Table.short(hours)) simulated hours: furthest of \(count)", furthest * 48_000, "frames",
                    .atMost(1))
            } else {
                let furthest = SimulatedPlay.spread(play.boundaries.filter { $0.due > 2 }).max
                table.row(
                    "\(Table.short(hours)) simulated hours\(title): furthest of \(count)", furthest * 1e6, "us",
                    .atMost(30))
            }
        }
    }
}
