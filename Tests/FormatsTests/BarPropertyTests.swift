import Formats
import SampleScores
import Scores
import Shared
import Testing

/// A property of a bar is lost nowhere without a word; this asks for what a new one needs.
@Suite struct BarPropertyTests {
    /// A bar with each property of `Score.Details`, as a score has it.
    private static let bars = [
        "meter": "meter: 4/4", "number": "duration: 1, number: 5a", "tempo": "meter: 4/4, tempo: 90",
        "ramp": "meter: 4/4, ramp: {to: 90, over: 2 beats}", "tempoChanges": "meter: 4/4, tempo: 90 at beat 3",
        "beats": "duration: 1, beats: [1/4, 1/4]", "subdivision": "meter: 4/4, subdivide: 2",
        "grid": "duration: 1, grid: 4 parts", "holds": "duration: 1, hold: 5",
        "hits": "meter: 4/4, hit: 0:02 at beat 3",
        "speed": "duration: 1, speed: 50%", "jump": "duration: 1, go-to: end", "click": "duration: 1, click: off",
        "warning": "duration: 1, warning: 2", "cue": "duration: 1, cue: a", "say": "duration: 1, say: a",
        "drone": "duration: 1, drone: A4", "flash": "duration: 1, flash: sky", "sends": "duration: 1, send: /go",
    ]
    /// Only plans have these.
    private static let ofPlans: Set = ["announcement"]
    /// Formats of seconds tell of these together with the meter.
    private static let ofMeters: Set = ["tempo", "tempoChanges"]

    @Test("each property of a bar is read from a score, and a format that leaves it out tells so")
    func properties() throws {
        for (name, none) in Mirror(reflecting: Score.Details.none).children {
            guard let name, !Self.ofPlans.contains(name) else { continue }
            let text = "tempo: 60\nbars: [{\(try #require(Self.bars[name], "\(name) has no sample here"))}, 1]\n"
            let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score, "\(text)")
            let details = Mirror(reflecting: score.lines[0].bars[0].details).children
            let value = try #require(details.first { $0.label == name }?.value)
            #expect("\(value)" != "\(none)", "\(text)")
            let hasMeter = text.contains("[{meter: 4/4,") && !Self.ofMeters.contains(name)
            let bare = hasMeter ? "{meter: 4/4}" : "1"
            let told = try Self.losses(text).subtracting(try Self.losses("tempo: 60\nbars: [\(bare), 1]\n"))
            #expect(!told.isEmpty, "no format tells that it leaves out \(name): \(text)")
        }
    }

    /// A score with each property of `Score`, as a score has it. What heads a page is only a part of the score's own bars.
    private static let heads = [
        "title": "title: a", "composer": "composer: a", "a4": "a4: 441", "tuning": "tuning: just",
        "drone": "drone: B4", "countIn": "count-in: 2", "warning": "warning: 2", "speed": "speed: 50%",
        "beats": "beats: on", "subdivision": "subdivide: 2", "grid": "grid: 4 parts", "firstBar": "first-bar: 2",
        "pickup": "pickup: 1", "timecode": "timecode: 01:00:00:00 @ 25", "total": "total: 0:02",
        "isEndless": "repeat: forever",
    ]
    /// These are pages, whose bars are written as they are played.
    private static let ofPages: Set = [
        "writtenTempo", "fragments", "sections", "voice", "companions", "orders", "order", "brackets", "realization",
        "remarks",
    ]

    @Test("each property of a score is read from it, and a format that leaves it out tells so")
    func heads() throws {
        let bare = "bars: [1, 1]\n"
        let none = Mirror(reflecting: try #require(Score.read(Array(bare.utf8), file: "x.yaml").score)).children
        for (name, usual) in none {
            guard let name, !Self.ofPages.contains(name) else { continue }
            let text = "\(try #require(Self.heads[name], "\(name) has no sample here"))\n\(bare)"
            let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score, "\(text)")
            let value = try #require(Mirror(reflecting: score).children.first { $0.label == name }?.value)
            #expect("\(value)" != "\(usual)", "\(text)")
            let told = try Self.losses(text).subtracting(try Self.losses(bare))
            #expect(!told.isEmpty, "no format tells that it leaves out \(name): \(text)")
        }
    }

    /// What the formats that know least leave out of a score.
    private static func losses(_ text: String) throws -> Set<String> {
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score, "\(text)")
        return Set(try [Format.csv, .klick, .audacity].flatMap { try $0.write(played(score)).losses.map { "\($0)" } })
    }

    @Test("random scores have every property of a bar, so that a property which is not written or read is noticed")
    func random() {
        var generator = Seeded(state: 1)
        let plain = Mirror(reflecting: Score.Details.none).children
        // Random hits would contradict each other.
        var missing = Set(plain.compactMap(\.label)).subtracting(Self.ofPlans).subtracting(["hits"])
        for _ in 0..<300 where !missing.isEmpty {
            for bar in Score.randomPage(&generator).lines.flatMap(\.bars) where !bar.isPlain {
                let own = Mirror(reflecting: bar.details).children
                for (one, none) in zip(own, plain) where "\(one.value)" != "\(none.value)" {
                    missing.remove(one.label ?? "")
                }
            }
        }
        #expect(missing.isEmpty)
    }
}
