import Foundation
import Playback
import Scores
import Shared
import Timing

typealias TemporaryFolder = Shared.TemporaryFolder

extension Score {
    /// Lines of bars in milliseconds.
    static func ofMilliseconds(_ lines: [[Int]], drone: Drone? = nil, countIn: Lead = .off) -> Score {
        Score(drone: drone, countIn: countIn, lines: lines.map { Line(bars: $0.map { Bar(.milliseconds($0)) }) })
    }

    func performance(_ change: (inout Performance) -> Void = { _ in }) -> Performance {
        var performance = Performance(of: self, passage: Passage(Timeline(self)))
        change(&performance)
        return performance
    }
}

extension Renderer {
    /// All samples, in blocks of `blockFrames`.
    func samples(blockFrames: Int = 2048) throws -> [UInt8] {
        var renderer = self
        renderer.blockFrames = blockFrames
        var all: [UInt8] = []
        try renderer.render { bytes, _ throws(RenderError) in all += bytes }
        return all
    }
}

extension DroneSound {
    /// The loudest note's peak; 0 for silence.
    var amplitude: Double { notes.map(\.amplitude).max() ?? 0 }
}

/// A conductor that no thread runs.
extension Conductor {
    func step() -> Duration? { live.step() }

    func take(_ command: Command) { live.take(LivePerformance.WaitingCommand(command)) }
}
