import Foundation
import SimulatedCardSupport

extension TimingBench {
    /// A microphone of its own crystal, which hears noise: that is the sound that takes the most time to compress.
    private static let microphone: Settings = ["skew_ppm": -200, "noise_db": -40, "step_frames": 48, "jitter_us": 200]

    /// What it costs to record while playing, and to listen to the player as well: nothing of the timing, a little of the
    /// processor.
    func record(_ table: inout Table) throws {
        for listens in [false, true] {
            let name = listens ? "listening" : "recording"
            let play = try PlayedScore(
                name, card: Self.fine.with("skew_ppm", 300), policy: "rewind", seconds: isMoment ? 8 : 120,
                recording: Self.microphone, listens: listens, in: folder)
            let heard = Double(play.onsets)
            table.row("\(name): clicks heard of those logged", heard, "", .exactly(Double(play.rows.count)))
            let spread = play.spread(after: isMoment ? 1 : 10, learning: isMoment ? 1 : 10)
            if !play.underruns.isEmpty { table.note("\(name): the card ran dry at \(play.underruns) s") }
            table.row("\(name): rms", spread.rms, "us", .atMost(8))
            table.row("\(name): furthest", spread.max, "us", .atMost(30))
            table.row("\(name): offset", spread.offset, "us", .within(250))
        }

        let (bare, busy) = (try use(recording: nil), try use(recording: Self.microphone))
        // A tone is more work for the tuner than noise.
        let player = Self.microphone.with("noise_db", -80).with("plays", .text(try player())).with("plays_again", true)
        let attentive = try use(recording: player, listens: true)
        table.note("not recording: processor \(Table.short(bare.share)) %, \(Table.short(bare.memory)) MB")
        table.row("recording: processor", busy.share, "%", .atMost(bare.share + 3))
        table.row("listening: processor", attentive.share, "%", .atMost(bare.share + 6))
        table.note("listening: \(Table.short(attentive.memory)) MB")
        table.row("recording: resident", busy.memory, "MB", .atMost(22))
    }

    /// The path of half a minute of a player: a note of ten partials every 0.83 s.
    private func player() throws -> String {
        let samples = (0..<48_000 * 30).map { n -> Float in
            let (note, t) = (n / 39_840, Double(n % 39_840) / 48_000)
            let phase = 2 * Double.pi * [440.0, 493.883, 523.251, 587.33][note % 4] * t
            let tone = (1...10).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
            return Float(0.1 * tone * exp(-t * 2) * (1 - t / 0.83))
        }
        let path = folder + "/player.f32"
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The processor time of a play in percent of a core, the median of five spans, and its memory in MB.
    private func use(recording: Settings?, listens: Bool = false) throws -> (share: Double, memory: Double) {
        var looks: [Child.Use] = []
        _ = try PlayedScore(
            "use", card: Self.quiet, policy: "rewind", seconds: isMoment ? 6 : 60,
            bars: isMoment ? PlayedScore.dense : PlayedScore.sequenza, drone: ["--drone", "B4"], recording: recording,
            listens: listens, in: folder
        ) { child, _ in
            looks = try child.looks(after: isMoment ? 5 : 16, every: isMoment ? 0.5 : 8)
        }
        return (looks.share, looks.last?.memory ?? .nan)
    }
}
