import Formats
import Playback
import Scores
import Screens
import Shared
import Testing
import Timing
import UserSettings

typealias Seeded = Shared.Seeded

extension StandChoices {
    init(keys: KeyBindings) {
        self.init()
        self.keys = keys
    }
}

extension Score {
    /// Two lines: 3 s, 2.7 s; 1 s, 1 s. 7.7 s in all.
    static let piece = Score(
        title: "Piece", composer: "Nobody", drone: Drone(),
        lines: [
            Line(label: "A", bars: [Bar(.seconds(3), cue: "go"), Bar(.milliseconds(2700))]),
            Line(bars: [Bar(.seconds(1)), Bar(.seconds(1), label: "bell")]),
        ])
}

extension Score {
    /// Reads a score in YAML, and expects no diagnostics.
    static func of(_ yaml: String, _ location: SourceLocation = #_sourceLocation) throws -> Score {
        let reading = Score.read(Array(yaml.utf8), file: "x.yaml")
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)", sourceLocation: location)
        return try #require(reading.score, sourceLocation: location)
    }
}

extension Status {
    /// The status of a score that is played as written from `zeroHeard` (ns) on, unless other arguments are given.
    static func of(
        _ score: Score = .piece, passes: Int? = 1, anchor: Anchor = Anchor(speed: .asWritten),
        countsTo: Duration? = nil, paused: Duration? = nil, zeroHeard: Int64 = 0,
        sound: Status.Sound = .device("default")
    ) -> Status {
        Status(
            performance: Performance(of: score, passage: Passage(Timeline(score), passes: passes)), anchor: anchor,
            countsTo: countsTo, pause: paused.map { Pause(anchor.time(of: $0)) }, zeroHeard: zeroHeard, sound: sound)
    }

    /// A performance that has been played to its end.
    static var complete: Status {
        var status = Status.of()
        status.stage = .over(.complete)
        return status
    }

    /// The same performance after a stop at `now` (CLOCK_MONOTONIC, ns), and silent.
    func stopped(at now: Int64) -> Status {
        var status = self
        status.stage = .over(.stopped(moment(at: now)))
        return status
    }
}

extension Moment {
    /// The bar that is heard, if one is.
    var bar: Moment.Bar? { if case .bar(let bar) = self { bar } else { nil } }
}

func seconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

func speed(_ millionths: Int64, _ location: SourceLocation = #_sourceLocation) throws -> Speed {
    try #require(Speed(millionths: millionths), sourceLocation: location)
}
