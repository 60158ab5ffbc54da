import Foundation
import SimulatedCardSupport

extension TimingBench {
    /// A microphone of its own crystal, which hears noise: that is the sound that takes the most time to compress.
    private static let microphone: Settings = ["skew_ppm": -200, "noise_db": -40, "step_frames": 48, "jitter_us": 200]

    /// What it costs to record while playing: nothing of the timing, a little of the processor.
    func record(_ table: inout Table) throws {
        let play = try PlayedScore(
            "record", card: Self.fine.with("skew_ppm", 300), policy: "rewind", seconds: isMoment ? 8 : 120,
            recording: Self.microphone, in: folder)
        table.row("recording: clicks heard of those logged", Double(play.onsets), "", .exactly(Double(play.rows.count)))
        let spread = play.spread(after: isMoment ? 1 : 10, learning: isMoment ? 1 : 10)
        if !play.underruns.isEmpty { table.note("recording: the card ran dry at \(play.underruns) s") }
        table.row("recording: rms", spread.rms, "us", .atMost(8))
        table.row("recording: furthest", spread.max, "us", .atMost(30))
        table.row("recording: offset", spread.offset, "us", .within(250))

        let (bare, busy) = (try use(recording: nil), try use(recording: Self.microphone))
        table.note("not recording: processor \(Table.short(bare.share)) %, \(Table.short(bare.memory)) MB")
        table.row("recording: processor", busy.share, "%", .atMost(bare.share + 3))
        table.row("recording: resident", busy.memory, "MB", .atMost(22))
    }

    /// The processor time of a play in percent of a core, the median of five spans, and its memory in MB.
    private func use(recording: Settings?) throws -> (share: Double, memory: Double) {
        var looks: [Child.Use] = []
        _ = try PlayedScore(
            "use", card: Self.quiet, policy: "rewind", seconds: isMoment ? 6 : 60,
            bars: isMoment ? PlayedScore.dense : PlayedScore.sequenza, drone: ["--drone", "B4"], recording: recording,
            in: folder
        ) { child, _ in
            looks = try child.looks(after: isMoment ? 5 : 16, every: isMoment ? 0.5 : 8)
        }
        return (looks.share, looks.last?.memory ?? .nan)
    }
}
