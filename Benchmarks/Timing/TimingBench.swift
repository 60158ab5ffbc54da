import Foundation
import SimulatedCardSupport

/// Measures the timing that Barline promises, on simulated cards and in real time, and prints a table: `make
/// bench-timing`.
@main
struct TimingBench {
    /// The parts of the table, in order. They are named on the command line after the minutes; without names, all parts
    /// run.
    enum Part: String, CaseIterable {
        case start, steady, idle, record, commands, faults, unplugged, busy, hours, follow, serve
    }

    static func main() async throws {
        let length = CommandLine.arguments.dropFirst().first ?? "10"
        let isMoment = length == "moment"
        guard let minutes = isMoment ? 0.2 : Double(length) else {
            FileHandle.standardError.write(Data("bench-timing: '\(length)' is no number of minutes\n".utf8))
            exit(64)
        }
        let named = CommandLine.arguments.dropFirst(2).map { name -> Part in
            guard let part = Part(rawValue: name) else {
                let parts = Part.allCases.map(\.rawValue).joined(separator: ", ")
                FileHandle.standardError.write(Data("bench-timing: there is no part '\(name)', but \(parts)\n".utf8))
                exit(64)
            }
            return part
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("barline-bench-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let bench = TimingBench(folder: folder, seconds: Int(minutes * 60), isMoment: isMoment)
        var table = Table(isStrict: !isMoment)
        table.note(
            "48 kHz, simulated cards; steady cases over \(minutes) minutes; times in us where nothing else is said")
        for part in named.isEmpty ? Part.allCases : named {
            do {
                try await bench.run(part, &table)
            } catch {
                table.nothing("\(part): \(error)")
            }
        }
        try? FileManager.default.removeItem(atPath: folder)
        if !table.finish() { exit(1) }
    }

    private func run(_ part: Part, _ table: inout Table) async throws {
        switch part {
        case .start: try start(&table)
        case .steady: try await steady(&table)
        case .idle: try idle(&table)
        case .record: try record(&table)
        case .commands: try await commands(&table)
        case .faults: try await faults(&table)
        case .unplugged: try unplugged(&table)
        case .busy: try busyMachine(&table)
        case .hours: try await hours(&table)
        case .follow: try follow(&table)
        case .serve: try serve(&table)
        }
    }

    let folder: String
    let seconds: Int
    /// Whether it only shows that everything runs and has a result.
    let isMoment: Bool

    typealias Settings = [String: SimulatedCard.Value]
    static let fine: Settings = ["step_frames": 1, "jitter_us": 50]
    static let coarse: Settings = [
        "step_frames": 48, "jitter_us": 200, "wander_ppm": 2, "wander_period_s": 600, "skew_ppm": 300,
    ]

    /// Steady playing: clicks heard, deviations, slope and the first click.
    private func steady(_ table: inout Table) async throws {
        let cases: [(String, Settings, String, Bool)] = [
            ("fine +300 ppm, rewinding", Self.fine.with("skew_ppm", 300), "rewind", true),
            ("fine -300 ppm, rewinding", Self.fine.with("skew_ppm", -300), "rewind", true),
            ("fine +300 ppm, fallback", Self.fine.with("skew_ppm", 300), "small", true),
            ("coarse, wandering, rewinding", Self.coarse, "rewind", false),
            ("coarse, wandering, fallback", Self.coarse, "small", false),
        ]
        let played = try await withThrowingTaskGroup(of: (Int, PlayedScore).self) { group in
            for (index, one) in cases.enumerated() {
                let (folder, seconds) = (folder, seconds)
                group.addTask {
                    let play = try await onThread {
                        try PlayedScore("steady-\(index)", card: one.1, policy: one.2, seconds: seconds, in: folder)
                    }
                    return (index, play)
                }
            }
            var all: [Int: PlayedScore] = [:]
            for try await (index, play) in group { all[index] = play }
            return all
        }
        for (index, one) in cases.enumerated() {
            guard let play = played[index] else { continue }
            table.row(
                "\(one.0): clicks heard of those logged", Double(play.onsets), "", .exactly(Double(play.rows.count)))
            let learning = isMoment ? 1 : one.3 ? 2.0 : 10
            let spread = play.spread(after: learning, learning: learning)
            // This machine may keep the audio thread waiting for longer than the buffer lasts: then the clock model
            // starts again.
            if !play.underruns.isEmpty {
                table.note("\(one.0): the card ran dry \(play.underruns.count) times, at \(play.underruns) s")
                // In a moment, the piece may be over before the model has started again.
                if !isMoment {
                    table.row(
                        "\(one.0): furthest soon after that", play.furthest(soonAfterUnderruns: learning), "us",
                        .atMost(one.3 ? 250 : 1000))
                }
            }
            table.row("\(one.0): rms", spread.rms, "us", .atMost(one.3 ? 8 : 25))
            table.row("\(one.0): furthest", spread.max, "us", .atMost(one.3 ? 30 : 100))
            table.row("\(one.0): offset", spread.offset, "us", .within(one.3 ? 250 : 1000))
            table.row("\(one.0): slope", spread.slope, "us/s", .within(0.05))
            table.row("\(one.0): first click", (play.boundaries.first?.deviation ?? .nan) * 1e6, "us", .within(1000))
        }
    }

    /// Faults of cards: underrun, suspend, pointer jump and stall.
    private func faults(_ table: inout Table) async throws {
        let after = isMoment ? 6.0 : 20
        let place = SimulatedCard.Value.list([.real(after * 1000 + 0.01)])
        let cases: [(String, Settings)] = [
            ("underrun", ["xrun_at": place]),
            ("suspend and resume", ["suspend_at": place, "resume_after": [300]]),
            ("pointer jump", ["jump_at": place, "jump_frames": [2400]]),
            ("stall", ["stall_at": place, "stall_for": [100]]),
        ]
        // All cases run at the same time, each with its own card and process.
        let played = try await withThrowingTaskGroup(of: (String, PlayedScore).self) { group in
            for (name, card) in cases {
                for (title, policy) in [("rewinding", "rewind"), ("fallback", "small")] {
                    let settings = Self.fine.with("skew_ppm", 300).merging(card) { $1 }
                    let (folder, whole, seconds) = (folder, "\(name), \(title)", Int(after * 2))
                    group.addTask {
                        let play = try await onThread {
                            try PlayedScore(whole, card: settings, policy: policy, seconds: seconds, in: folder)
                        }
                        return (whole, play)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (name, play) in played.sorted(by: { $0.0 < $1.0 }) {
            let fault = play.begin(of: ["start"]) + after
            // This machine may keep the audio thread waiting for longer than the buffer lasts: such an underrun is
            // noted but not counted.
            let next = play.underruns.first { $0 > fault + 1 } ?? .infinity
            if next.isFinite { table.note("\(name): the card ran dry once more at \(next) s") }
            table.row("\(name): clicks lost", Double(play.lost(within: fault - 0.5...fault + 2.5)), "", .atMost(1))
            table.row("\(name): clicks out of place", Double(play.unlogged), "", .atMost(1))
            let over = play.end(of: ["xrun", "start", "jump", "go-on"], before: fault + 1)
            // Faults that the card does not report are detected within half a second.
            let grace = name.hasPrefix("underrun") ? 0 : 0.5
            let healed = play.boundaries.first { $0.due > over + grace }
            // An underrun wakes the thread at once; after a suspend, the resume wakes it.
            if name.hasPrefix("underrun") || name.hasPrefix("suspend") {
                let woken = name.hasPrefix("underrun") ? fault : fault + 0.3
                let again = play.begin(of: ["start"], after: fault)
                table.row("\(name): sound after wake", (again - woken) * 1e3, "ms", .atMost(5))
            }
            table.row("\(name): next boundary", (healed?.deviation ?? .nan) * 1e6, "us", .within(280))
            let spread = play.spread(after: over + grace + 0.2, before: next)
            table.row("\(name): rms from there", spread.rms, "us", .atMost(8))
        }
    }
}

/// Runs blocking work on its own thread, because tasks have only as many threads as the machine has cores.
private func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result(catching: work)) }.start()
    }
}

extension [String: SimulatedCard.Value] {
    /// The same settings with one more.
    func with(_ key: String, _ value: SimulatedCard.Value) -> Self { merging([key: value]) { $1 } }
}
