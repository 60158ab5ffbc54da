import Formats
import Listening
import Playback
import Scores
import Testing
import Timing

@Suite("Voices")
struct VoicesTests {
    /// A canon of three tempi: the same 30 quarters at 60, 75 and 92 per minute, in this order on the channels 1 to 3.
    private static let canon = """
        fragments:
          theme:
            - 4/4 x 6
            - 3/4 x 2
        beats: on
        voices:
          slow: {channel: 1, tempo: 60, lines: [{use: theme}]}
          middle: {channel: 2, tempo: 75, lines: [{use: theme}]}
          fast: {channel: 3, tempo: 92, lines: [{use: theme}]}
        """

    private static func score() throws -> Score {
        try #require(Score.read(Array(canon.utf8), file: "canon.yaml").score)
    }

    @Test(
        "a canon of three tempi goes to three channels, and each channel has its beats within a thousandth of a frame")
    func canon() throws {
        let performance = Performance(of: try Self.score(), passage: Passage(Timeline(try Self.score())))
        let renderer = Renderer(performance, format: SoundFormat(rate: 44_100, channels: 1, samples: .float32))
        #expect(renderer.format.channels == 3)
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        // Four quiet frames first: the finder needs some before a click.
        var finder = try OnsetFinder(
            rate: 44_100, amplitude: performance.clickLevel.amplitude, sounds: [.line, .bar, .beat, .accent])
        for (channel, perMinute) in [60.0, 75, 92].enumerated() {
            let own =
                [Float](repeating: 0, count: 100) + stride(from: channel, to: samples.count, by: 3).map { samples[$0] }
            let onsets = try finder.onsets(in: own).map { $0.frame - 100 }
            #expect(onsets.count == 30)
            for (beat, onset) in onsets.enumerated() {
                #expect(abs(onset - Double(beat) * 60 / perMinute * 44_100) < 1e-3, "channel \(channel), beat \(beat)")
            }
        }
    }

    @Test("a voice alone is heard on all channels")
    func alone() throws {
        let score = try #require(try Self.score().with(voices: ["fast"]))
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let renderer = Renderer(performance, format: SoundFormat(channels: 2, samples: .float32))
        #expect(renderer.format.channels == 2)
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let lefts = stride(from: 0, to: samples.count, by: 2)
        #expect(lefts.allSatisfy { (left: Int) -> Bool in samples[left] == samples[left + 1] })
        #expect(samples.contains { abs($0) > 0.1 })
    }

    @Test("the only voice of a score is heard on its channel")
    func only() throws {
        let text = "count-in: 1\nvoices: {flute: {channel: 3, bars: [0.5, 0.5]}}"
        let score = try #require(Score.read(Array(text.utf8), file: "flute.yaml").score)
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let renderer = Renderer(performance, format: SoundFormat(rate: 8000, channels: 2, samples: .float32))
        #expect(renderer.format.channels == 3)
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        // The count-in, 8000 frames, is for all.
        let heard = (0..<3).map { channel in
            stride(from: 8000 * 3 + channel, to: samples.count, by: 3).contains { abs(samples[$0]) > 0.1 }
        }
        #expect(heard == [false, false, true])
        #expect((0..<3).allSatisfy { channel in (0..<8000).contains { abs(samples[$0 * 3 + channel]) > 0.1 } })
    }

    @Test("on a device with too few channels, voices that lack theirs are heard on those of all clicks")
    func fewerChannels() throws {
        let format = SoundFormat(samples: .float32).carrying(Timeline(try Self.score()))
        #expect(format.channels == 3)
        #expect(format.voiceChannels == [ChannelSet([1]), ChannelSet([2]), ChannelSet([3])])
        #expect(format.limited(toChannels: 2).voiceChannels == [ChannelSet([1]), ChannelSet([2]), []])
    }

    @Test("markers name the voice of their bar")
    func markers() throws {
        let score = try Self.score()
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let markers = try #require(Marker.all(of: performance, rate: 8000, .bars, limit: 1000))
        #expect(
            markers.prefix(6).map(\.name) == [
                "slow 1.1", "middle 1.1", "fast 1.1", "fast 1.2", "middle 1.2", "slow 1.2",
            ])
        #expect(markers.prefix(6).map(\.frame) == [0, 0, 0, 20870, 25600, 32000])
        #expect(markers.count == 24)
        #expect(Marker.all(of: performance, rate: 8000, .bars, limit: 23) == nil)
    }
}
