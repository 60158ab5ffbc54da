internal import Foundation
internal import Glibc
internal import Playback
internal import Scores
internal import SimulatedCardSupport
internal import Synchronization
internal import Timing

/// Hours of one play in simulated time, through slews of the clock, suspends and unplugged cards. Every row of the log
/// is compared with what the card played, and the memory and descriptors of the process are counted.
package struct Hours {
    /// The first things that were found wrong, and how many there are in all.
    package private(set) var wrong: [String] = []
    package private(set) var wrongCount = 0
    /// The number of boundaries that were heard, and lost.
    package private(set) var heard = 0
    package private(set) var lost = 0
    /// The largest deviation from the due time in s: with a steady clock, and while it is slewed.
    package private(set) var worst = (calm: 0.0, slewed: 0.0)
    /// The largest difference between the log's time and the recording's, in s.
    package private(set) var worstLog = 0.0
    /// The mean deviation in the last ten calm minutes less that in the first ten, in s.
    package private(set) var drift = 0.0
    /// How much memory the process has gained since the first minutes, in bytes, and how many descriptors in all.
    package private(set) var grown = (bytes: 0, descriptors: 0)

    private let world: World
    private var rows: ArraySlice<TimingRow> = []
    private var tail = RecordingTail()
    private var begin: Double?
    private var means = (first: Mean(), last: Mean())
    private var memory: Int?

    private struct Mean {
        var (sum, count) = (0.0, 0)
        var value: Double { count > 0 ? sum / Double(count) : 0 }
        mutating func add(_ value: Double) { (sum, count) = (sum + value, count + 1) }
    }

    /// Plays for this many hours.
    package static func run(_ hours: Double) throws -> Hours {
        let descriptors = descriptorCount()
        let rows = Mutex<[TimingRow]>([])
        var options = Conductor.Options()
        options.pausesOnSuspend = false
        options.log = { row in rows.withLock { $0.append(row) } }
        let seconds = hours * 3600
        var result = Hours(world: World(seconds: seconds))
        let lengths = [317, 291, 353, 280, 331].map { Score.Bar(.microseconds($0 * 1003)) }
        let score = Score(lines: [Score.Line(passes: Int(seconds / 1.57), bars: lengths)])
        do {
            _ = try Simulation.play(
                Performance(of: score, passage: Passage(Timeline(score))), on: result.world.settings, policy: .rewind,
                machine: .idle, for: seconds,
                options: options, commands: [], leads: [], shapes: Pulse.shapes, keepsStatuses: false
            ) { card, origin in
                result.rows += rows.withLock { all in
                    defer { all.removeAll(keepingCapacity: true) }
                    return all
                }
                try result.look(card, origin)
            }
        }
        result.grown.descriptors = descriptorCount() - descriptors
        result.drift = result.means.last.value - result.means.first.value
        return result
    }

    private init(world: World) { self.world = world }

    /// Compares what has been heard with the log so far.
    private mutating func look(_ card: SimulatedCard, _ origin: Double?) throws {
        guard let origin = origin.map({ $0 * 1e-9 }) else { return }
        if begin == nil { begin = card.happenings().first { $0.name == "start" }.map { Double($0.nanoseconds) * 1e-9 } }
        try tail.read(card)
        while let row = rows.first, row.nominal.seconds + origin < tail.end - 0.2 {
            rows.removeFirst()
            compare(row, origin)
        }
        // What the simulation itself needs has settled by then.
        let now = tail.end - Simulation.beginning
        if now > 600 {
            let resident = Self.residentBytes()
            memory = memory ?? resident
            grown.bytes = max(grown.bytes, resident - (memory ?? resident))
        }
    }

    private mutating func compare(_ row: TimingRow, _ origin: Double) {
        let due = row.nominal.seconds + origin
        let place = due - (begin ?? 0)
        while let next = tail.pulses.first, next.time < due - 0.1 {
            tail.pulses.removeFirst()
            note("heard at \(next.time - origin) s, but not in the log")
        }
        if row.flags.contains(.lost) {
            lost += 1
            if !world.isTroubled(place) { note("boundary \(row.index) at \(row.nominal.seconds) s is lost") }
            return
        }
        guard let next = tail.pulses.first, next.time < due + 0.1, let told = row.heard?.seconds else {
            note("boundary \(row.index) at \(row.nominal.seconds) s was not heard")
            return
        }
        tail.pulses.removeFirst()
        heard += 1
        guard !world.isTroubled(place) else { return }
        let (error, untruth) = (next.time - due, abs(next.time - origin - told))
        worstLog = max(worstLog, untruth)
        if untruth > world.logBound(place) { note("boundary \(row.index): the log is \(untruth * 1e6) us off") }
        let bound = world.bound(place)
        if bound > World.calmBound {
            worst.slewed = max(worst.slewed, abs(error))
        } else {
            worst.calm = max(worst.calm, abs(error))
            if means.first.count < 2000 { means.first.add(error) }
            if place > world.seconds - 600 { means.last.add(error) }
        }
        if abs(error) > bound { note("boundary \(row.index) at \(place) s is \(error * 1e6) us late") }
    }

    private mutating func note(_ text: String) {
        wrongCount += 1
        // The memory that they take would count as growth.
        if wrongCount <= 20 { wrong.append(text) }
    }

    private static func descriptorCount() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }
}

/// A card and a clock to which something happens in every part of the time. Times are in s after the card's start.
private struct World {
    /// How far a boundary may be from its time while the clock is steady, in s.
    static let calmBound = 250e-6

    let seconds: Double
    /// What happens, in a part of the whole time.
    private func at(_ part: Double) -> Double { part * seconds }
    private var slews: [(at: Double, ppm: Double, lasts: Double)] {
        [
            (at(0.05), 100, 30), (at(0.12), -100, 30), (at(0.2), 500, 60), (at(0.33), -500, 60), (at(0.5), 50, 300),
            (at(0.66), -500, 60), (at(0.8), 100, 30), (at(0.9), -100, 30),
        ]
    }
    private var offsets: [Double] { [at(0.27), at(0.58), at(0.74)] }
    private var changes: [Double] { [at(0.15), at(0.62)] }
    private var suspends: [Double] { [at(0.1), at(0.41), at(0.85)] }
    private var unplugs: [(at: Double, lasts: Double)] { [(at(0.37), 4), (at(0.7), 90)] }
    private var underruns: [Double] { [at(0.45)] }
    private var slips: [Double] { [at(0.55)] }

    var settings: [String: SimulatedCard.Value] {
        func list(_ values: [Double], _ scale: Double = 1) -> SimulatedCard.Value {
            .list(values.map { .real($0 * scale + (scale == 1 ? 0 : 0.01)) })
        }
        return [
            "format": "FLOAT_LE", "channels": 2, "rate": 48_000, "skew_ppm": 120, "wander_ppm": 2, "jitter_us": 10,
            "slew_at": list(slews.map(\.at), 1000), "slew_ppm": list(slews.map(\.ppm)),
            "slew_for": list(slews.map(\.lasts), 1000), "offset_at": list(offsets, 1000),
            "offset_us": [5000, -5000, 2000], "skew_at": list(changes, 1000), "skew_by_ppm": [20, -100],
            "suspend_at": list(suspends, 1000), "resume_after": [3000], "disconnect_at": list(unplugs.map(\.at), 1000),
            "return_after": list(unplugs.map(\.lasts), 1000), "xrun_at": list(underruns, 1000),
            "jump_at": list(slips, 1000), "jump_frames": [67],
        ]
    }

    /// Whether boundaries may be lost or misplaced, because the card has just failed.
    func isTroubled(_ time: Double) -> Bool { hasFailed(before: time, within: 3) }

    /// How far the time in the log may be from that in the recording: further while a card is learnt anew, and at a sharp
    /// turn, because nobody can know when it was between two looks.
    func logBound(_ time: Double) -> Double {
        if hasFailed(before: time, within: 13) { return World.calmBound }
        let turns =
            slews.flatMap { [($0.at, $0.ppm), ($0.at + $0.lasts, $0.ppm)] } + (changes + offsets).map { ($0, 100) }
        let nearest = turns.filter { abs(time - $0.0) < 0.5 }.map { abs($0.1) }.max()
        return nearest.map { $0 > 100 ? 130e-6 : 60e-6 } ?? 30e-6
    }

    private func hasFailed(before time: Double, within seconds: Double) -> Bool {
        let faults = suspends.map { ($0, 3) } + unplugs + (underruns + slips).map { ($0, 0) }
        return faults.contains { time > $0.0 - 0.5 && time < $0.0 + $0.1 + seconds }
    }

    /// How far a boundary may be from its time.
    func bound(_ time: Double) -> Double {
        var bound = World.calmBound
        for slew in slews where time > slew.at && time < slew.at + slew.lasts + 10 {
            bound = max(bound, abs(slew.ppm) > 100 ? 1.2e-3 : World.calmBound + 150e-6)
        }
        for change in changes where time > change && time < change + 40 { bound = max(bound, World.calmBound + 150e-6) }
        for offset in offsets where time > offset && time < offset + 320 {
            bound = max(bound, World.calmBound + 300e-6)
        }
        return bound
    }
}

/// The clicks of a recording that is read while it grows.
private struct RecordingTail {
    /// The clicks that have not been compared yet, in seconds of the clock.
    var pulses: ArraySlice<(time: Double, sound: ClickSound?)> = []
    /// Up to when all clicks are known, in seconds of the clock.
    private(set) var end = 0.0
    /// What may end in the middle of a click: rows, and samples from the first frame of the first row on.
    private var rows: [SimulatedCardRecording.Row] = []
    private var samples: [Float] = []
    /// So many silent frames separate two clicks.
    private static let silence = 32

    mutating func read(_ card: SimulatedCard) throws {
        let new = try SimulatedCardRecording.take(path: card.recordingPath)
        let offset = samples.count
        rows += new.rows.map { row in
            var row = row
            row.firstFrame += offset
            return row
        }
        samples += new.samples(channel: 0)
        // Cut between two clicks, at the end of a row.
        var cut = rows.count - 1
        while cut > 0, !samples[..<rows[cut].firstFrame].suffix(Self.silence).allSatisfy({ $0 == 0 }) { cut -= 1 }
        guard cut > 0 else { return }
        let frames = rows[cut].firstFrame
        var row = 0
        for pulse in Pulse.find(in: Array(samples[..<frames])) {
            while rows[row].firstFrame + rows[row].count <= Int(pulse.frame) { row += 1 }
            pulses.append((rows[row].time(ofFrame: pulse.frame), pulse.sound))
        }
        end = rows[cut].time(ofFrame: Double(frames))
        samples.removeFirst(frames)
        rows.removeFirst(cut)
        for i in rows.indices { rows[i].firstFrame -= frames }
    }
}

extension SimulatedCardRecording.Row {
    /// When a frame of the row was heard, in seconds of the clock.
    fileprivate func time(ofFrame frame: Double) -> Double {
        Double(nanoseconds) * 1e-9 + fraction * 1e-9 + (frame - Double(firstFrame)) / rate
    }
}
