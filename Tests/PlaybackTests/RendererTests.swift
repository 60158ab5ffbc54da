import Files
import Playback
import Scores
import Testing
import Timing

@Suite("Renderer")
struct RendererTests {
    static let score = Score.ofMilliseconds(
        [[300, 270, 200, 130], [211, 7, 11, 13]], drone: Score.Drone(level: Level(decibels: -20), waveform: .triangle),
        countIn: .milliseconds(1500))

    @Test(
        "blocks of 1, 64, 1024 and 48000 frames give identical samples",
        arguments: [SampleFormat.bits16, .bits24, .float32])
    func blocks(samples: SampleFormat) throws {
        let performance = Self.score.performance { $0.speed = Speed(millionths: 730_000)! }
        let renderer = Renderer(performance, format: SoundFormat(samples: samples))
        let reference = try renderer.samples()
        #expect(reference.contains { $0 != 0 })
        for size in [1, 64, 1024, 48000] { #expect(try renderer.samples(blockFrames: size) == reference) }
    }

    @Test("the start stamp of a file says how many bits its samples have", arguments: SampleFormat.allCases)
    func startStamp(samples: SampleFormat) throws {
        let folder = TemporaryFolder()
        var score = Self.score
        score.timecode = Timecode(hundredths: 0, rate: Timecode.Rate.allCases[0])
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        try Renderer(performance, format: SoundFormat(samples: samples)).write(to: folder("a.wav"))
        let text = String(
            decoding: folder.bytes("a.wav").prefix(4096).filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        let bits = [SampleFormat.bits16: 16, .bits24: 24, .float32: 32][samples] ?? 0
        #expect(text.contains(",W=\(bits),"))
    }

    @Test("a file lets its last clicks ring out, and is as long as the music if they have")
    func ringsOut() throws {
        let format = SoundFormat(channels: 1, samples: .float32)
        func rendered(_ bars: [Int], speed: Int64 = 1_000_000) throws -> (frames: Int64, samples: [Float]) {
            let performance = Score.ofMilliseconds([bars]).performance { $0.speed = Speed(millionths: speed)! }
            let renderer = Renderer(performance, format: format)
            let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            return (renderer.frames ?? 0, samples)
        }
        let (cut, whole) = (try rendered([1000, 8]), try rendered([1000, 1000]))
        #expect(cut.frames == 50_880 && whole.frames == 96_000, "\(cut.frames)")
        #expect(Int64(cut.samples.count) == cut.frames)
        #expect(cut.samples == Array(whole.samples[..<cut.samples.count]))
        #expect(whole.samples[cut.samples.count...].allSatisfy { $0 == 0 } && cut.samples.suffix(2) != [0, 0])
        let fast = try rendered([1000, 16], speed: 2_000_000)
        #expect(fast.frames == 24_000 + cut.frames - 48_000)
    }

    @Test("rendering twice gives identical files", arguments: SampleFormat.allCases)
    func twice(samples: SampleFormat) throws {
        let folder = TemporaryFolder()
        let renderer = Renderer(Self.score.performance(), format: SoundFormat(samples: samples))
        try renderer.write(to: folder("a.wav"))
        try renderer.write(to: folder("b.wav"))
        #expect(folder.bytes("a.wav") == folder.bytes("b.wav"))
        #expect(folder.contents == ["a.wav", "b.wav"])
    }

    @Test(
        "a file without clicks has the count-in and ceil(length × rate) frames, and its drone is silent in the last one",
        arguments: [44_100, 48_000, 96_000], [Int64(1_000_000), 730_000, 1_234_567])
    func length(rate: Int, speed: Int64) throws {
        // 1142 ms of bars in frames, rounded up, by integer arithmetic.
        let denominator = 1000 * Int(speed)
        let bars = (1142 * rate * 1_000_000 + denominator - 1) / denominator
        let quiet = Renderer(
            Self.score.performance {
                $0.speed = Speed(millionths: speed)!
                $0.clickLevel = .off
            }, format: SoundFormat(rate: rate, channels: 1, samples: .float32))
        let drone = try quiet.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(drone.count == (1500 * rate + 999) / 1000 + bars)
        #expect(abs(drone[drone.count - 1]) < 1e-6)
        #expect(drone[(drone.count - 2 * rate / 10)...].contains { abs($0) > 0.05 })
    }

    @Test("settings of a drone outside their ranges are clamped", arguments: [3, -3, .infinity, .nan])
    func outOfRange(value: Double) throws {
        var score = Self.score
        score.drone?.brightness = value
        score.drone?.beating = value
        score.drone?.variation = value
        let format = SoundFormat(samples: .float32)
        let samples = try Renderer(score.performance(), format: format).samples().withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
        #expect(samples.allSatisfy { abs($0) <= 1 })
        #expect(samples.contains { abs($0) > 0.05 })
    }

    @Test("both channels of a stereo file are the same as the mono file")
    func channels() throws {
        let performance = Self.score.performance()
        let mono = try Renderer(performance, format: SoundFormat(channels: 1, samples: .float32)).samples()
        let stereo = try Renderer(performance, format: SoundFormat(channels: 2, samples: .float32)).samples()
        #expect(stereo.count == 2 * mono.count)
        for frame in stride(from: 0, to: mono.count / 4, by: 97) {
            let sample = mono[frame * 4..<frame * 4 + 4]
            #expect(stereo[frame * 8..<frame * 8 + 4] == sample)
            #expect(stereo[frame * 8 + 4..<frame * 8 + 8] == sample)
        }
    }

    @Test("an excerpt has the same samples as that part of the whole piece")
    func excerpt() throws {
        let score = Score.ofMilliseconds([[300, 270, 200, 130], [250, 150, 200, 100]])
        let timeline = Timeline(score)
        let whole = Performance(of: score, passage: Passage(timeline))
        let part = Performance(of: score, passage: Passage(timeline, bars: 4..<8))
        let format = SoundFormat(rate: 48_000, channels: 1, samples: .float32)
        let (all, some) = (try Renderer(whole, format: format).samples(), try Renderer(part, format: format).samples())
        // 900 ms are 43200 frames; the click of the bar before has ended by then.
        #expect(Array(all[(43_200 * 4)...]) == some)
    }

    @Test("bars of a millisecond at ten times the speed are all rendered; denser ones are refused")
    func dense() throws {
        let score = Score(lines: [Score.Line(passes: 100, bars: [Score.Bar(.milliseconds(12))])])
        let performance = score.performance {
            $0.speed = Speed(millionths: 10_000_000)!
            $0.clickLevel = Level(decibels: -60)
        }
        let format = SoundFormat(channels: 1)
        // The last click begins at 5702.4 frames, and lasts 4800.
        #expect(try Renderer(performance, format: format).samples(blockFrames: 48_000).count == 10_503 * 2)
        let tooDense = Score(lines: [Score.Line(passes: 5000, bars: [Score.Bar(.microseconds(5))])]).performance {
            $0.speed = Speed(millionths: 10_000_000)!
        }
        #expect(throws: RenderError.tooDense) { try Renderer(tooDense, format: format).samples() }
    }

    @Test("an endless performance is refused as a file")
    func endless() {
        let score = Self.score
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        #expect(throws: RenderError.endless) {
            try Renderer(performance, format: SoundFormat()).write(to: "/dev/null")
        }
    }

    @Test("a canceled rendering leaves no file, and keeps an older one")
    func cancelled() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("kept.wav"), Array("older".utf8))
        for name in ["new.wav", "kept.wav"] {
            #expect(throws: RenderError.cancelled) {
                try Renderer(Self.score.performance(), format: SoundFormat())
                    .write(to: folder(name)) { share throws(RenderError) in if share > 0.5 { throw .cancelled } }
            }
        }
        #expect(folder.contents == ["kept.wav"])
        #expect(folder.bytes("kept.wav") == Array("older".utf8))
    }
}
