import Foundation
import Score
import Timing

@testable import Playback

/// A folder that goes with the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? ["unreadable"] }
    func bytes(_ name: String) -> [UInt8] { FileManager.default.contents(atPath: self(name)).map(Array.init) ?? [] }
}

extension Score {
    /// Lines of bars in milliseconds.
    static func ofMilliseconds(_ lines: [[Int]], drone: Drone? = nil, countIn: Duration = .zero) -> Score {
        Score(drone: drone, countIn: countIn, lines: lines.map { Line(bars: $0.map { Bar(.milliseconds($0)) }) })
    }

    func performance(_ change: (inout Performance) -> Void = { _ in }) -> Performance {
        var performance = Performance(of: self, walk: Walk(Timeline(self)))
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
