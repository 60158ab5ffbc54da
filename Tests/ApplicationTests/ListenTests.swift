import Application
import Foundation
import Glibc
import Shared
import Testing

/// Listening to recordings that are right, and on those of which nothing can be said.
@Suite struct ListenTests {
    private static let score = "bars: [2, 1.5, 1, 2.5, 1.2, 1.8, 3, 1.3, 2.2, 1]\n"
    private static let rate = 24_000

    /// When the player begins the bars: nobody is as exact as a click.
    private static let starts = [0.5, 2.53, 3.96, 5.03, 7.46, 8.71, 10.55, 13.46, 14.83, 16.98]

    /// Plucked notes at these times.
    private static func notes(_ times: [Double], level: Double = 0.3) -> [Double] {
        var samples = [Double](repeating: 0, count: Int(((times.last ?? 0) + 1.5) * Double(rate)))
        for (index, time) in times.enumerated() {
            let hertz = [220.0, 330, 277, 415, 247][index % 5]
            for n in 0..<rate where Int(time * Double(rate)) + n < samples.count {
                let t = Double(n) / Double(rate)
                let tone: Double =
                    sin(2 * .pi * hertz * t) + 0.5 * sin(4 * .pi * hertz * t) + 0.3 * sin(6 * .pi * hertz * t)
                samples[Int(time * Double(rate)) + n] += level * exp(-5 * t) * tone
            }
        }
        return samples
    }

    private static func home(_ samples: [Double], right: Double? = nil) throws -> Home {
        let home = Home()
        try home.folder.write("score.yaml", score)
        try home.folder.write("take.wav", bytes: WaveFile.bytes(samples, right: right, rate: rate))
        return home
    }

    /// Listens to a recording in this home; returns the exit code, and when the bars begin.
    private static func listen(
        _ home: Home, _ take: String = "take.wav", _ change: (inout ListenRequest) -> Void = { $0.json = true }
    ) async throws -> (code: Int32, starts: [Double]) {
        var request = ListenRequest(home.folder(take), home.folder("score.yaml"))
        change(&request)
        let code = try await home.run(request) { try $0.listen() }
        let object = try? JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Any]
        let bars = object?["bars"] as? [[String: Any]] ?? []
        return (code, bars.compactMap { $0["start_s"] as? Double })
    }

    private static func expectAll(_ found: [Double]) {
        #expect(found.count == starts.count)
        for (one, time) in zip(found, starts) { #expect(abs(one - time) < 0.03) }
    }

    @Test("each bar of a recording is found, also of one that is clipped, or has the player on one side, with a note")
    func heard() async throws {
        for (home, note) in [
            (try Self.home(Self.notes(Self.starts)), ""),
            (try Self.home(Self.notes(Self.starts, level: 3)), "/take.wav' is clipped for"),
            (try Self.home(Self.notes(Self.starts), right: 0.01), "the player is on the left side"),
            (try Self.home(Self.notes(Self.starts), right: -1), "the two sides of"),
            (try Self.home(Self.notes(Self.starts), right: 1), ""),
        ] {
            let found = try await Self.listen(home)
            #expect(found.code == 0 && home.errors.isEmpty == note.isEmpty, "\(home.errors)")
            #expect(note.isEmpty || home.errors.contains(note), "\(home.errors)")
            Self.expectAll(found.starts)
        }
    }

    @Test("each note and bar is told in cents, also over a drone, and the practice log keeps them")
    func cents() async throws {
        let home = try Self.home(Self.notes(Self.starts))
        try home.folder.write("score.yaml", "drone: C4\n" + Self.score)
        _ = try await Self.listen(home) { ($0.json, $0.svg) = (true, home.folder("a.svg")) }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Any])
        let (bars, notes) = (object["bars"] as? [[String: Any]] ?? [], object["notes"] as? [[String: Any]] ?? [])
        // 220, 330, 277, 415 and 247 Hz.
        let names = [
            ("A3", 0, "5:6"), ("E4", 1.96, "5:4"), ("C#4", -1.14, "16:15"), ("Ab4", -1.27, "8:5"),
            ("B3", 0.41, "15:16"),
        ]
        #expect(bars.count == 10 && notes.count == 10, "\(home.text)")
        for (index, note) in notes.enumerated() {
            let wanted = names[index % 5]
            #expect(note["note"] as? String == wanted.0 && note["index"] as? Int == index + 1)
            #expect(abs((note["cents"] as? Double ?? 99) - wanted.1) < 0.3 && note["is_sure"] as? Bool == true)
            #expect(note["interval"] as? String == wanted.2 && note["over"] as? String == "C4", "\(note)")
        }
        for (index, bar) in bars.enumerated() where bar["is_sure"] as? Bool == true && index < 9 {
            guard let cents = bar["cents"] as? Double else { continue }
            #expect(abs(cents - names[index % 5].1) < 0.3)
        }
        #expect(bars.count { $0["cents"] is Double } >= 6)
        #expect(home.folder.text("a.svg").contains("¢"))
        let code = try await Self.listen(home) { ($0.notes, $0.log) = (true, true) }.code
        #expect(code == 0 && home.text.contains("the pitch of 10 of 10 notes is sure"), "\(home.text)")
        #expect(home.text.contains("5:4 over C4"))
        #expect(home.practice.last?.last == "A3:0 B3:0.4 C#4:-1.1 E4:2 Ab4:-1.3", "\(home.practice)")
        #expect(try await home.log() == 0, "\(home.errors)")
    }

    @Test("a drone through the recording is taken out, and says nothing without a player")
    func drone() async throws {
        let drone = (0..<30 * Self.rate).map { 0.1 * sin(2 * .pi * 493.88 * Double($0) / Double(Self.rate)) }
        let beside = zip(Self.notes(Self.starts), drone).map { $0 + $1 }
        let home = try Self.home(beside)
        let heard = try await Self.listen(home)
        #expect(heard.code == 0, "\(home.errors)")
        Self.expectAll(heard.starts)
        let alone = try Self.home(drone)
        #expect(try await Self.listen(alone).code == 65)
        #expect(alone.errors.contains("no notes are heard"), "\(alone.errors)")
    }

    @Test("silence, noise, another piece, and no recording at all have a message each, and no table")
    func refused() async throws {
        var state: UInt32 = 1
        let noise = (0..<60 * Self.rate).map { _ -> Double in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Double(state >> 8) / Double(1 << 24) * 0.4 - 0.2
        }
        let other = [0.5, 1.2, 3.9, 4.5, 5.3, 6.4, 7.1, 9.6, 10.1, 11.9, 12.6, 15.5, 16.1]
        for (samples, messages) in [
            ([Double](repeating: 0, count: 5 * Self.rate), ["take.wav' is silent"]),
            (noise, ["no notes are heard in '", "take.wav' do not fit"]),
            (Self.notes(other), ["take.wav' do not fit"]),
        ] {
            let home = try Self.home(samples)
            let found = try await Self.listen(home)
            #expect(found.code == 65 && found.starts.isEmpty)
            #expect(messages.contains { home.errors.contains($0) }, "\(home.errors)")
        }
        let home = try Self.home([])
        #expect(try await Self.listen(home, "none.wav").code == 66)
        #expect(home.errors.contains("none.wav'"), "\(home.errors)")
        #expect(try await Self.listen(home, "score.yaml").code == 65)
        #expect(home.errors.contains("score.yaml'"), "\(home.errors)")
    }

    @Test("a recording of the program's own clicks has no player")
    func onlyClicks() async throws {
        let home = try Self.home([])
        #expect(try await home.render("score.yaml", to: "own.wav") { $0.performance.drone = .off } == 0)
        #expect(try await Self.listen(home, "own.wav").code == 65)
        #expect(home.errors.contains("only clicks of this program are heard"), "\(home.errors)")
    }

    @Test(
        "clicks of a count-in that the microphone hears begin no bar, also where all lines are alike",
        arguments: [0.15, 0.02, 0.01])
    func countIn(level: Double) async throws {
        let home = try Self.home([])
        let line = "  - [2, 1.5, 1, 2.5, 1.2, 1.8, 1, 1, 1]\n"
        try home.folder.write("score.yaml", "count-in: 3\nlines:\n" + String(repeating: line, count: 3))
        #expect(
            try await home.render("score.yaml", to: "own.wav") {
                $0.performance.drone = .off
                ($0.format.rate, $0.format.channels, $0.format.samples) = (Self.rate, 1, .float32)
            } == 0)
        let own = try WaveFile(home.folder.bytes("own.wav"))
        let lengths = [2, 1.5, 1, 2.5, 1.2, 1.8, 1, 1, 1]
        // The player is off by up to 30 ms.
        let off = [0.02, -0.03, 0.01, 0.03, -0.02, -0.01, 0.025, -0.015, 0, 0.03, -0.025]
        // The recording begins a second before the count-in.
        var (starts, time): ([Double], Double) = ([], 4)
        for (index, length) in (lengths + lengths + lengths).enumerated() {
            starts.append(time + off[index % off.count])
            time += length
        }
        var samples = Self.notes(starts)
        for (n, sample) in own.floats.enumerated() where n + Self.rate < samples.count {
            samples[n + Self.rate] += level * Double(sample)
        }
        try home.folder.write("take.wav", bytes: WaveFile.bytes(samples, rate: Self.rate))
        let found = try await Self.listen(home)
        #expect(found.code == 0 && home.errors.contains("clicks of this program are heard"), "\(home.errors)")
        #expect(found.starts.count == starts.count)
        for (one, time) in zip(found.starts, starts) { #expect(abs(one - time) < 0.05) }
        let object = try JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Any]
        #expect((object?["bars"] as? [[String: Any]])?.allSatisfy { $0["is_sure"] as? Bool == true } == true)
    }

    @Test("a recording of notes far apart has no clicks, and a constant in it hides no pitch")
    func farApart() async throws {
        let home = Home()
        try home.folder.write("score.yaml", "bars: [\([String](repeating: "10", count: 12).joined(separator: ", "))]\n")
        var state: UInt32 = 1
        var sound = (0..<125 * Self.rate).map { _ -> Double in
            state = state &* 1_664_525 &+ 1_013_904_223
            return 0.4 + Double(state >> 8) / Double(1 << 24) * 4e-4
        }
        for note in 0..<12 {
            let turns = 2 * Double.pi * [392, 622, 330, 740, 554, 294, 466][note % 7]
            for n in 0..<5 * Self.rate {
                let t = Double(n) / Double(Self.rate)
                let low: Double = sin(turns * t) + 0.5 * sin(2 * turns * t) + 0.35 * sin(3 * turns * t)
                let high: Double = 0.2 * sin(4 * turns * t) + 0.12 * sin(5 * turns * t) + 0.08 * sin(6 * turns * t)
                let envelope = 0.2 * min(1, t / 0.008, (5 - t) / 0.02) * exp(-1.2 * t)
                sound[(10 * note + 1) * Self.rate + n] += envelope * (low + high)
            }
        }
        try home.folder.write("take.wav", bytes: WaveFile.bytes(sound, rate: Self.rate))
        let found = try await Self.listen(home)
        #expect(found.code == 0 && home.errors.isEmpty && found.starts.count == 12, "\(home.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(home.output)) as? [String: Any]
        let notes = object?["notes"] as? [[String: Any]] ?? []
        #expect(notes.count == 12 && notes.allSatisfy { $0["is_sure"] as? Bool == true }, "\(home.text)")
    }

    @Test("of one note or two nothing is told but that they are too few")
    func few() async throws {
        let home = try Self.home(Self.notes([0.5]) + Self.notes([0.5]))
        #expect(try await Self.listen(home).code == 65)
        #expect(home.errors.contains("too few notes are heard in"), "\(home.errors)")
    }

    @Test("labels after the end of the recording, and two at one moment, are errors with their place")
    func impossibleLabels() async throws {
        let home = try Self.home(Self.notes(Self.starts))
        for (labels, why) in [
            ("0.5\t0.5\t1.1\n99\t99\t1.2\n", "labels.txt:2: the recording has only 18.48 s"),
            ("0.5\t0.5\t1.1\n2.5\t2.5\t1.2\n0.5\t0.5\t1.3\n", "labels.txt:3: another label is at the same moment"),
        ] {
            try home.folder.write("labels.txt", labels)
            #expect(try await Self.listen(home) { $0.corrected = home.folder("labels.txt") }.code == 65)
            #expect(home.errors.contains(why), "\(home.errors)")
        }
    }

    @Test("labels do without their recording, but not without a word about it; pitches are an error then")
    func withoutRecording() async throws {
        let home = Home()
        try home.folder.write("score.yaml", Self.score)
        try home.folder.write("labels.txt", "0.5\t0.5\t1.1\n2.5\t2.5\t1.2?\n4\t4\t1.3 ?\n")
        for (notes, code, why) in [(false, Int32(0), "note: no pitch is told: "), (true, 66, "error: ")] {
            let listened = try await Self.listen(home, "nothere.wav") {
                ($0.corrected, $0.notes, $0.json) = (home.folder("labels.txt"), notes, true)
            }
            #expect(listened.code == code && home.errors.hasPrefix("barline: " + why), "\(home.errors)")
            #expect(home.errors.contains("nothere.wav"), "\(home.errors)")
        }
    }
}
