import Foundation
import Listening
import Playback
import Scores
import SimulatedCardSupport

/// Two machines' worth of network namespaces on one machine, joined by a cable that can be pulled; they end with this
/// object.
private final class Cable {
    private static let names = ["barline-a", "barline-b"]
    static let address = "10.77.0.1"

    /// Lays the cable; nil if this machine or user may not.
    init?() {
        Cable.remove()
        let (a, b) = (Cable.names[0], Cable.names[1])
        let isLaid =
            [
                ["netns", "add", a], ["netns", "add", b],
                ["-n", a, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", b],
                ["-n", a, "addr", "add", "\(Cable.address)/24", "dev", "cable"],
                ["-n", b, "addr", "add", "10.77.0.2/24", "dev", "cable"],
                ["-n", a, "link", "set", "lo", "up"], ["-n", b, "link", "set", "lo", "up"],
                ["-n", a, "link", "set", "cable", "up"], ["-n", b, "link", "set", "cable", "up"],
            ].allSatisfy { Cable.run("/usr/sbin/ip", $0) }
        guard isLaid else {
            Cable.remove()
            return nil
        }
    }

    deinit { Cable.remove() }

    /// Delays what goes either way by this time, in ms, more or less by `spread`; false if the kernel cannot.
    func delay(_ time: Int, spread: Int) -> Bool {
        Cable.names.allSatisfy { name in
            Cable.run(
                "/usr/sbin/tc",
                ["-n", name, "qdisc", "add", "dev", "cable", "root", "netem", "delay", "\(time)ms", "\(spread)ms"])
        }
    }

    /// Pulls the cable, or plugs it in.
    func plug(_ isIn: Bool) throws(BenchFailure) {
        guard Cable.run("/usr/sbin/ip", ["-n", Cable.names[1], "link", "set", "cable", isIn ? "up" : "down"]) else {
            throw BenchFailure("the cable cannot be \(isIn ? "plugged in" : "pulled")")
        }
    }

    /// What makes a program run on one of the machines.
    func place(_ machine: Int) -> [String] { ["/usr/sbin/ip", "netns", "exec", Cable.names[machine]] }

    private static func remove() { for name in names { _ = run("/usr/sbin/ip", ["netns", "delete", name]) } }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension TimingBench {
    /// `barline follow` beside its leader: cards of +200 and -200 ppm in two network namespaces, through half a minute
    /// without network.
    func follow(_ table: inout Table) throws {
        try follow(&table, "LAN", delay: nil)
        try follow(&table, "25 ± 10 ms each way", delay: (25, 10))
    }

    private func follow(_ table: inout Table, _ name: String, delay: (Int, Int)?) throws {
        guard let cable = Cable() else { return table.note("follow: this user may not make network namespaces") }
        if let delay, !cable.delay(delay.0, spread: delay.1) {
            return table.note("follow, \(name): this kernel cannot delay packets (netem)")
        }
        let length = isMoment ? 20 : max(seconds, 60)
        let machines = try [200, -200].enumerated().map { index, skew in
            let home = "\(folder)/follow-\(index)"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            let settings = Self.fine.with("skew_ppm", .integer(skew)).merging(PlayedScore.sound) { own, _ in own }
            return (home: home, card: try SimulatedCard(in: home, settings))
        }
        let (score, errors) = (machines[0].home + "/score.yaml", machines[0].home + "/errors")
        try PlayedScore.score(PlayedScore.dense, seconds: length).write(
            toFile: score, atomically: true, encoding: .utf8)
        let leader = try Child(
            ["serve", score, "--lan", "--device", machines[0].card.device, "--drone", "off"], folder: machines[0].home,
            alsa: try SimulatedCard.writeConfiguration(into: machines[0].home), within: cable.place(0), errors: errors)
        defer { leader.kill() }
        guard let address = Self.address(in: errors) else { return table.nothing("follow: the leader does not serve") }
        let follower = try Child(
            ["follow", address, "--device", machines[1].card.device, "--drone", "off"], folder: machines[1].home,
            alsa: try SimulatedCard.writeConfiguration(into: machines[1].home), within: cable.place(1))
        defer { follower.kill() }
        // The network is away for half a minute in the middle.
        let away = isMoment ? 4.0 : 30
        Thread.sleep(forTimeInterval: (Double(length) - away) / 2)
        try cable.plug(false)
        Thread.sleep(forTimeInterval: away)
        try cable.plug(true)
        try leader.wait()
        try follower.wait()
        let heard = try machines.map { try Self.onsets($0.card) }
        let begin = heard[0].first ?? 0
        // Through a slow network, the leader's clock is learnt within two minutes.
        let settled = begin + (isMoment ? 5 : delay == nil ? 15 : 120)
        var next = 0
        var (apart, alone): ([Double], Int) = ([], 0)
        for click in heard[0] where click > settled {
            while next < heard[1].count, heard[1][next] < click - 0.1 { next += 1 }
            if next < heard[1].count, heard[1][next] < click + 0.1 {
                apart.append(abs(heard[1][next] - click))
                next += 1
            } else {
                alone += 1
            }
        }
        apart.sort()
        let doubles = zip(heard[1], heard[1].dropFirst()).count { $1 - $0 < 0.1 }
        table.row("follow, \(name): clicks of both", Double(apart.count), "", .atLeast(Double(length) * 0.3))
        table.row("follow, \(name): clicks of one alone", Double(alone), "", .exactly(0))
        table.row("follow, \(name): clicks twice", Double(doubles), "", .exactly(0))
        table.row(
            "follow, \(name): apart, 95 %", (apart.isEmpty ? .nan : apart[apart.count * 95 / 100]) * 1e3, "ms",
            .atMost(1))
        table.row("follow, \(name): apart, furthest", (apart.last ?? .nan) * 1e3, "ms", .atMost(1))
    }

    /// The address that a leader prints for those who only watch; nil if it prints none within 20 s.
    static func address(in path: String) -> String? {
        for _ in 0..<200 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("only watch: ") }), text.last == "\n"
            {
                return String(line.dropFirst("only watch: ".count))
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return nil
    }

    /// When the clicks of a card were heard, in s of CLOCK_MONOTONIC.
    private static func onsets(_ card: SimulatedCard) throws -> [Double] {
        let recording = try card.recording()
        var finder = try OnsetFinder(rate: 48_000, amplitude: Level(decibels: -6).amplitude)
        return try finder.onsets(in: recording.samples(channel: 0)).compactMap {
            recording.time(ofPlayedFrame: $0.frame)
        }
    }
}
