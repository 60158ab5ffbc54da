import Foundation
import Listening
import Playback
import Scores
import SimulatedCardSupport

extension TimingBench {
    /// How long programs take from the command to their version, and Barline to its first click: in a score without a
    /// count-in, by the card's own clock.
    func start(_ table: inout Table) throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let programs = [
            ("barline", own.appendingPathComponent("barline").path, "--version"),
            ("barline in German", own.appendingPathComponent("barline").path, "--version"),
            ("klick", "/usr/bin/klick", "-V"), ("gtick", "/usr/bin/gtick", "--version"),
        ]
        // gtick wants a screen, also for its version.
        let screen = try? Child.other("Xvfb", [":97"])
        defer { screen?.kill() }
        Thread.sleep(forTimeInterval: 2)
        // One after the other, so that others' load meets all of them.
        var times = [[Double]](repeating: [], count: programs.count)
        let (runs, starts) = isMoment ? (3, 2) : (40, 10)
        for _ in 0..<runs {
            for (index, program) in programs.enumerated() where access(program.1, X_OK) == 0 {
                let language = program.0.hasSuffix("German") ? "de_DE.UTF-8" : "C.UTF-8"
                if let time = try Self.run(program.1, [program.2], language) {
                    times[index].append(time)
                } else if program.0.hasPrefix("barline") {
                    throw BenchFailure("\(program.0) does not tell its version")
                }
            }
        }
        for (program, all) in zip(programs, times) where !all.isEmpty {
            let sorted = all.sorted()
            let name = "\(program.0): its version, median of \(runs)"
            guard program.0.hasPrefix("barline") else {
                table.note("\(name): \(Table.short(sorted[sorted.count / 2])) ms"); continue
            }
            table.row(name, sorted[sorted.count / 2], "ms", .atMost(15))
        }
        for (name, policy) in [("rewinding", "rewind"), ("fallback", "small")] {
            let clicks = try (0..<starts).map { try firstClick("start-\($0)", policy) }.sorted()
            table.row(
                "\(name): first click after the command, median of \(starts)", clicks[starts / 2], "ms", .within(120))
            table.note(
                "\(name): first click after the command, latest of \(starts): \(Table.short(clicks[starts - 1])) ms")
        }
    }

    /// How long a program runs that ends by itself, in ms; nil if it ends without success.
    private static func run(_ path: String, _ arguments: [String], _ language: String) throws -> Double? {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let environment: [String] = ["LC_ALL=\(language)", "PATH=/usr/bin:/bin", "DISPLAY=:97"]
        var values: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (words + values).forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var child = pid_t()
        let begin = monotonicNanoseconds()
        guard posix_spawn(&child, path, &actions, nil, &words, &values) == 0 else { throw POSIXError(.ENOENT) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status == 0 ? Double(monotonicNanoseconds() - begin) * 1e-6 : nil
    }

    /// From the command to the first click on a card that plays at once, in ms.
    private func firstClick(_ name: String, _ policy: String) throws -> Double {
        let home = folder + "/" + name
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let card = try SimulatedCard(in: home, Self.fine.merging(PlayedScore.sound) { a, _ in a })
        try "bars: [0.5, 0.5]\n".write(toFile: home + "/score.yaml", atomically: true, encoding: .utf8)
        let configuration = try SimulatedCard.writeConfiguration(into: home)
        let begin = monotonicNanoseconds()
        let child = try Child(
            [
                "play", home + "/score.yaml", "--device", card.device, "--output-policy", policy, "--clock", "card",
                "--count-in", "0", "--drone", "off",
            ], folder: home, alsa: configuration)
        try child.wait()
        let recording = try card.recording()
        var finder = try OnsetFinder(rate: 48_000, amplitude: Level(decibels: -6).amplitude)
        guard let first = try finder.onsets(in: recording.samples(channel: 0)).first,
            let heard = recording.nanoseconds(ofPlayedFrame: first.frame, after: begin)
        else { return .infinity }
        return heard * 1e-6
    }
}
