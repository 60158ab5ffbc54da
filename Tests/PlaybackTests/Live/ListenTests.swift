import Foundation
import Hearing
import Listening
import Playback
import Scores
import Shared
import SimulatedCardSupport
import Synchronization
import Testing
import Timing

/// A microphone listens to the player while music plays, on a simulated card.
@Suite("Listening while music plays")
struct ListenTests {
    /// What the conductor says of its clicks, on its way to the take.
    private final class Dues: Sendable {
        private let all = Mutex<(clicks: [DueClick], before: Double)>(([], -.infinity))
        func add(_ clicks: [DueClick], _ before: Double) {
            all.withLock { $0 = ($0.clicks + clicks, before) }
        }
        func taken() -> (clicks: [DueClick], before: Double) {
            all.withLock { all in
                defer { all.clicks = [] }
                return all
            }
        }
    }

    /// Hears the bars, as the program does.
    private final class Ear: TakeEar {
        private var tracker: PitchTracker
        private var bars: LiveBars
        private var due: [DueBar] = []
        private(set) var told: [(bar: DueBar, late: Double?, at: Int64)] = []
        var now: Int64 = 0

        init(rate: Int) {
            tracker = PitchTracker(rate: rate)
            _ = tracker.takeSound()
            bars = LiveBars(rate: tracker.soundRate, shapes: [], isPlaced: true)
        }

        func expect(_ clicks: [(click: DueClick, frame: Double)], before frame: Double) {
            bars.expect(
                clicks.map { click, frame in
                    if let bar = click.bar { due.append(bar) }
                    return LiveBars.Click(
                        place: tracker.place(of: frame), shape: nil, bar: click.bar == nil ? nil : due.count - 1)
                }, before: tracker.place(of: frame))
        }

        func hear(_ sound: ArraySlice<Float>) {
            _ = tracker.add(sound)
            take(bars.hear(tracker.takeSound()))
        }

        func finish() { take(bars.finish()) }

        private func take(_ heard: [LiveBars.Heard]) { for bar in heard { told.append((due[bar.bar], bar.late, now)) } }
    }

    /// What the player plays: a tone of 0.5 s at each time, in seconds of a recording that its crystal makes faster or slower.
    private static func player(_ times: [Double], ppm: Double, seconds: Double) -> [Float] {
        let pace = 24_000 * (1 + ppm * 1e-6)
        var random = Seeded(state: 39)
        var samples = (0..<Int(seconds * pace)).map { _ in Float.random(in: -2e-4...2e-4, using: &random) }
        for (index, time) in times.enumerated() {
            let hertz = [220.0, 277.2, 329.6, 246.9, 392, 311.1, 440][index % 7]
            let first = Int((time * pace).rounded(.up))
            for n in first..<min(first + 12_000, samples.count) {
                let t = Double(n) / pace - time
                let turn: Double = 2 * .pi * hertz * t
                let tone = (1...6).map(Double.init).reduce(0.0) { $0 + sin(turn * $1) / $1 }
                samples[n] += Float(0.1 * tone * exp(-t * 6) * (1 - 2 * t))
            }
        }
        return samples
    }

    /// What the detector hears of the player alone, whose places are known exactly.
    private static func detector(_ sound: [Float], places: [Double]) -> [Double?] {
        var bars = LiveBars(rate: 24_000, shapes: [], isPlaced: true)
        bars.expect(places.enumerated().map { LiveBars.Click(place: $1, shape: nil, bar: $0) }, before: .infinity)
        let heard = stride(from: 0, to: sound.count, by: 1200).flatMap { start in
            bars.hear(Array(sound[start..<min(start + 1200, sound.count)]))
        }
        return (heard + bars.finish()).map(\.late)
    }

    @Test(
        "each bar is heard within 1 ms of the truth beside the spread of the detector, whatever the two crystals",
        arguments: [(200.0, -200.0), (-200, 200)])
    func truth(ppm: (card: Double, microphone: Double)) throws {
        let folder = TemporaryFolder()
        let performance = Score.ofMilliseconds([[3000, 2700, 2000, 1500, 1800]]).performance {
            $0.passage = Passage($0.passage.timeline, passes: 3)
        }
        let late = (0..<15).map { [0.0, 0.021, -0.03, 0.055, 0.012, -0.061, 0.04][$0 % 7] }
        // The same music without a player tells when its clicks are heard.
        let known = try SimulatedPlay.run(
            performance, on: .fine(ppm: ppm.card).merging(["skew_ppm": .real(ppm.card)]) { $1 }, policy: .rewind)
        let pace = 24_000 * (1 + ppm.microphone * 1e-6)
        let (dues, delay) = (Dues(), 0.0123)
        var options = Conductor.Options()
        options.due = { dues.add($0, $1) }
        var (take, ear, last, begin): (Take?, Ear?, Int64, Double) = (nil, nil, 0, 0)
        var sound: [Float] = []
        let play = try SimulatedPlay.run(
            performance, on: .fine(ppm: ppm.card).merging(["skew_ppm": .real(ppm.card)]) { $1 }, policy: .rewind,
            options: options
        ) { simulated, now in
            if take == nil {
                begin = Double(now) * 1e-9
                let times = zip(known.heard, late).map { $0.time + delay + $1 - begin }
                sound = Self.player(times, ppm: ppm.microphone, seconds: 40)
                let path = folder("player.f32")
                try sound.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
                let input = try simulated.microphone(
                    in: folder.path,
                    [
                        "rate": 24_000, "channels": 1, "skew_ppm": .real(ppm.microphone), "path_db": -120,
                        "plays": .text(path),
                    ])
                let new = Ear(rate: 24_000)
                ear = new
                take = Take(
                    try Microphone(input, rate: 24_000), ear: new, delay: .microseconds(Int(delay * 1e6))
                ) { _ in }
            }
            ear?.now = now
            let (clicks, before) = dues.taken()
            take?.expect(clicks, before: before)
            _ = take?.step(at: now)
            last = now
        }
        try take?.finish(at: last)
        let told = try #require(ear).told
        #expect(told.map(\.bar.boundary) == Array(0..<15))
        #expect(play.heard.count == 15)
        let own = Self.detector(sound, places: known.heard.map { ($0.time + delay - begin) * pace })
        for ((told, own), late) in zip(zip(told, own), late) {
            let heard = try #require(told.late, "bar \(told.bar.boundary)")
            #expect(abs(heard - (own ?? .infinity)) < 0.001, "bar \(told.bar.boundary): \(heard), \(own ?? .nan)")
            #expect(abs(heard - late) < 0.004, "bar \(told.bar.boundary): \(heard), \(late)")
        }
        // A player learns of it within two seconds.
        for (told, click) in zip(told, known.heard).dropLast(2) {
            #expect(Double(told.at) * 1e-9 - click.time < 2, "bar \(told.bar.boundary)")
        }
    }

    @Test(
        "a bar follows the one before unless the music has jumped or was paused, and how long that was held is told only then"
    )
    func follows() throws {
        let passage = RendererTests.score.performance().passage
        func bar(_ boundary: Int) -> DueBar {
            DueBar(boundary: boundary, bar: passage.bar(of: boundary), length: .seconds(2))
        }
        #expect(bar(1).follows(bar(0), after: 2))
        // The clock of a card that is learned moves a little, and a player may go faster.
        #expect(bar(1).follows(bar(0), after: 2.04) && bar(1).follows(bar(0), after: 1.5))
        #expect(!bar(1).follows(bar(0), after: 2.3))
        #expect(!bar(0).follows(bar(1), after: 2) && !bar(1).follows(bar(1), after: 2))
    }
}
