import Foundation
import Listening
import Playback
import Scores
import SimulatedCardSupport
import Timing

/// A score that `barline` has played on a simulated card, with the true time at which each boundary sounded.
struct PlayedScore {
    /// A boundary: when it was due and how late it came, both in seconds; `due` is counted from time zero.
    struct Boundary {
        var due: Double
        var deviation: Double
    }

    var rows: [TimingRow] = []
    /// The boundaries that were heard, among those that the log calls heard.
    var boundaries: [Boundary] = []
    /// How many boundaries that the log calls heard were not: a pointer jump inside a click is only detected after the
    /// click.
    var unheard = 0
    /// How many clicks were heard that the log does not have.
    var unlogged = 0
    var onsets = 0
    var happenings: [SimulatedCardHappening] = []
    /// Time zero as requested by `--at`, CLOCK_MONOTONIC in ns.
    var zero: Int64

    /// About three bars a second, whose boundaries fall between frames.
    static let dense = [0.3179, 0.2919, 0.3540, 0.2808, 0.3319]
    /// A line of Sequenza VII, as an example of real music.
    static let sequenza = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]

    /// The sound that is recorded.
    static let sound: TimingBench.Settings = ["format": "FLOAT_LE", "channels": 1, "rate": 48000]

    static func score(_ bars: [Double], seconds: Int) -> String {
        let passes = Int((Double(seconds) / bars.reduce(0, +)).rounded(.up))
        return "lines:\n  - {repeat: \(passes), bars: \(bars)}\n"
    }

    /// Plays the score; without a drone, also analyzes the recording. `microphone` is one that the program records meanwhile.
    /// With `listens`, it listens to it, too. `during` is called with the process while it
    /// plays.
    init(
        _ name: String, card settings: [String: SimulatedCard.Value], policy: String, seconds: Int,
        bars: [Double] = dense, drone: [String] = [], serving errors: String? = nil,
        recording microphone: TimingBench.Settings? = nil, listens: Bool = false, in folder: String,
        during: (Child, Int64) throws -> Void = { _, _ in }
    ) throws {
        let home = folder + "/" + name.filter { $0.isLetter || $0.isNumber }
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let card = try SimulatedCard(
            in: home, settings.merging(Self.sound) { a, _ in a },
            records: drone.isEmpty)
        try Self.score(bars, seconds: seconds).write(toFile: home + "/score.yaml", atomically: true, encoding: .utf8)
        let input = try microphone.map { try SimulatedCard(in: home, name: "microphone", $0, records: false).device }
        // Time zero is a whole second of the wall clock, three to four seconds from now.
        let start = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 3).rounded(.up))
        zero = monotonicNanoseconds() + Int64((start.timeIntervalSince1970 - Self.wallClock()) * 1e9)
        let clock = DateFormatter()
        clock.dateFormat = "HH:mm:ss"
        let child = try Child(
            [
                "play", home + "/score.yaml", "--device", card.device, "--output-policy", policy, "--on-suspend",
                "continue", "--at",
                clock.string(from: start), "--timing-log", home + "/log.csv",
            ] + (drone.isEmpty ? ["--drone", "off"] : drone) + (errors == nil ? [] : ["--serve", "--port", "0"])
                + (input.map { ["--record", home + "/take.flac", "--input", $0] } ?? [])
                + (listens ? ["--listen"] : []),
            folder: home, alsa: try SimulatedCard.writeConfiguration(into: home), errors: errors)
        do {
            try during(child, zero)
        } catch {
            child.kill()
            throw error
        }
        try child.wait()
        happenings = card.happenings()
        rows +=
            TimingLog.read(Array(try Data(contentsOf: URL(fileURLWithPath: home + "/log.csv"))), file: "log.csv").rows
        if drone.isEmpty { try listen(to: try card.recording()) }
        try? FileManager.default.removeItem(atPath: home)
    }

    private static func wallClock() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }

    private mutating func listen(to recording: SimulatedCardRecording) throws {
        var finder = try OnsetFinder(rate: 48_000, amplitude: Level(decibels: -6).amplitude)
        let found = try finder.onsets(in: recording.samples(channel: 0))
        onsets = found.count
        let heard = found.compactMap { recording.nanoseconds(ofPlayedFrame: $0.frame, after: zero) }.map { $0 * 1e-9 }
        // Matches each row of the log with the click heard within 50 ms of its time; bars are at least five times as
        // long.
        var next = 0
        for row in rows.lazy.filter({ !$0.flags.contains(.lost) }) {
            let due = row.nominal.seconds
            while next < heard.count, heard[next] < due - 0.05 { next += 1 }
            if next < heard.count, heard[next] <= due + 0.05 {
                boundaries.append(Boundary(due: due, deviation: heard[next] - due))
                next += 1
            } else {
                unheard += 1
            }
        }
        unlogged = found.count - boundaries.count
    }

    /// The times of underruns up to the last boundary, in seconds after time zero. After it, a card that is closed a little
    /// late runs dry when all has sounded.
    var underruns: [Double] {
        let end = rows.last?.nominal.seconds ?? .infinity
        return happenings.filter { $0.name == "xrun" }.map { Double($0.nanoseconds - zero) * 1e-9 }.filter { $0 < end }
    }

    /// Whether `due` is less than `time` seconds after an underrun, while the clock model is relearning the card.
    private func isSoonAfterUnderrun(_ due: Double, _ time: Double) -> Bool {
        underruns.contains { due > $0 && due < $0 + time }
    }

    /// The largest deviation in µs of the boundaries due from 0.35 s to `time` seconds after an underrun.
    func furthest(soonAfterUnderruns time: Double) -> Double {
        let soon = boundaries.filter { isSoonAfterUnderrun($0.due, time) && !isSoonAfterUnderrun($0.due, 0.35) }
        return (soon.map { abs($0.deviation) }.max() ?? .nan) * 1e6
    }

    /// The mean of the deviations, and the root mean square and maximum about it, in µs; and their slope in µs per
    /// second. Only boundaries after `time` and before `end` count, without those due less than `learning` seconds
    /// after an underrun.
    func spread(
        after time: Double, before end: Double = .infinity, learning: Double = 0
    ) -> (offset: Double, rms: Double, max: Double, slope: Double) {
        let all = boundaries.filter { $0.due > time && $0.due < end && !isSoonAfterUnderrun($0.due, learning) }
        guard !all.isEmpty else { return (.nan, .nan, .nan, .nan) }
        let count = Double(all.count)
        let mean = all.map(\.deviation).reduce(0, +) / count
        let middle = all.map(\.due).reduce(0, +) / count
        let about = all.map { $0.deviation - mean }
        let along = zip(all, about).map { ($0.due - middle) * $1 }.reduce(0, +)
        let across = all.map { ($0.due - middle) * ($0.due - middle) }.reduce(0, +)
        let rms = (about.map { $0 * $0 }.reduce(0, +) / count).squareRoot()
        return (mean * 1e6, rms * 1e6, (about.map(abs).max() ?? .nan) * 1e6, along / across * 1e6)
    }
}
