import Listening
import Playback
import Scores
import Testing
import Timing

@Suite("Hit points in sound")
struct HitSoundTests {
    /// A film cue of 40 bars with 8 hits: bar and beat from 1, time in ms; every third is met by a ramp.
    private static let hits: [(bar: Int, beat: Fraction, milliseconds: Int64, ramp: Ramp.Curve?)] = [
        (3, Fraction(1), 5120, nil), (7, Fraction(3), 16_480, nil), (12, Fraction(2), 28_360, .beats),
        (16, Fraction(7, 2), 40_000, nil), (20, Fraction(1), 48_240, nil), (27, Fraction(4), 66_920, .time),
        (33, Fraction(2), 81_080, nil), (40, Fraction(1), 97_560, .exponential),
    ]

    static var cue: Score {
        var bars = Array(repeating: Score.Bar(Meter(4, over: 4)), count: 40)
        for (number, hit) in hits.enumerated() {
            bars[hit.bar - 1].details.hits = [
                Hit(
                    .position(.milliseconds(hit.milliseconds)), beat: hit.beat, ramp: hit.ramp,
                    label: "hit \(number + 1)")
            ]
        }
        // A click half a beat after a beat, so that a hit there is heard.
        bars[15].details.beats = Array(repeating: Beat(.beat, Fraction(1, 8)), count: 8)
        bars[15].details.hits[0].beat = Fraction(6)
        var score = Score(countIn: .seconds(2), lines: [Score.Line(bars: bars)])
        score.tempo = Tempo(Fraction(1, 4), Fraction(96))
        score.beats = true
        score.timecode = Timecode(hundredths: 90_250_00, rate: .fps25)
        return score
    }

    @Test("in a rendered film cue of 40 bars with 8 hits, each is heard within a sample", arguments: [44_100, 48_000])
    func rendered(rate: Int) throws {
        let performance = Self.cue.performance()
        #expect(Layout(Self.cue).problems.isEmpty)
        let renderer = Renderer(performance, format: SoundFormat(rate: rate, channels: 1, samples: .float32))
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        var finder = try OnsetFinder(
            rate: rate, amplitude: performance.clickLevel.amplitude, sounds: [.bar, .line, .accent, .beat, .countIn])
        let onsets = try finder.onsets(in: samples)
        #expect(onsets.count > 160)
        for hit in Self.hits {
            // By whole numbers: the count-in of 2 s, and the time of the hit.
            let frame = Double((2000 + hit.milliseconds) * Int64(rate)) / 1000
            let nearest = try #require(onsets.min { abs($0.frame - frame) < abs($1.frame - frame) })
            #expect(abs(nearest.frame - frame) < 0.05, "\(hit)")
        }
        let markers = try #require(Marker.all(of: performance, rate: rate, .lines, limit: 100))
        let hits = markers.filter { $0.name.contains("hit") }
        #expect(hits.map(\.frame) == Self.hits.map { ((2000 + $0.milliseconds) * Int64(rate) + 500) / 1000 })
        #expect(hits.map(\.name).prefix(3) == ["1.3 hit 1", "1.7 hit 2", "1.12 hit 3"])
        #expect(markers.count == 9)
    }

    @Test("a start stamp counts the samples from midnight to the first of the file")
    func stamps() throws {
        var score = Self.cue
        #expect(StartStamp(score.performance(), rate: 48_000)?.frames == (3610 - 2) * 48_000)
        // From bar 3, which is a hit, at half the speed.
        let from = Performance(of: score, passage: Passage(Timeline(score), bars: 2..<5))
        #expect(StartStamp(from, rate: 48_000)?.frames == 361_312 * 480)
        var slow = from
        slow.speed = try #require(Speed(millionths: 500_000))
        #expect(StartStamp(slow, rate: 48_000)?.frames == 361_824 * 480)
        // As the timecode that goes out: that of the score stays with the bars, and a slow stretch is as slow as the player.
        slow.linearTimecode = LinearTimecode(start: try #require(score.timecode))
        slow.linearTimecode?.isScaled = true
        #expect(StartStamp(slow, rate: 48_000)?.frames == 361_312 * 480)
        let stretch = Passage.Stretch(2..<5, speed: slow.speed)
        let practiced = Performance(of: score, passage: Passage(Timeline(score), [stretch]))
        #expect(StartStamp(practiced, rate: 48_000)?.frames == 361_824 * 480)
        score.timecode = try Timecode(scoreText: "00:00:00:00 @ 24")
        #expect(StartStamp(score.performance(), rate: 48_000)?.frames == (86_400 - 2) * 48_000)
        score.timecode = try Timecode(scoreText: "01:00:00:00 @ 29.97 ndf")
        #expect(StartStamp(score.performance { $0.countIn = .off }, rate: 48_000)?.frames == 172_972_800)
        score.timecode = try Timecode(scoreText: "23:59:59:00 @ 25")
        // Bar 3 is after midnight.
        let late = Performance(of: score, passage: Passage(Timeline(score), bars: 2..<5))
        #expect(StartStamp(late, rate: 48_000)?.frames == 212 * 480)
        score.timecode = try Timecode(scoreText: "00:00:00:00 @ 29.97 ndf")
        #expect(StartStamp(score.performance(), rate: 48_000)?.frames == 864_844 * 4800)
        score.timecode = nil
        #expect(StartStamp(score.performance(), rate: 48_000) == nil)
    }
}
