import CSndFile
import Foundation
import Playback
import Scores
import Testing
import Timing

/// Renderings over music.
@Suite("Music under a rendering")
struct BackingTests {
    private static let rate = 8000

    /// Writes a sound file of floating-point samples.
    private func write(
        _ path: String, _ samples: [Float], rate: Int = rate, channels: Int = 1, type: FileType = .wav
    ) throws {
        let format = SoundFormat(rate: rate, channels: channels, samples: .float32)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: samples.count * 4, alignment: 4)
        defer { bytes.deallocate() }
        samples.withUnsafeBytes { bytes.copyMemory(from: $0) }
        let file = try soundFile(path, type, format, frames: samples.count / channels)
        try file.write(UnsafeRawBufferPointer(bytes))
        try file.finish()
    }

    /// A chord that swells, whose samples are all different.
    private func music(seconds: Double, rate: Int = rate, peak: Double, hertz: Double = 330) -> [Float] {
        (0..<Int(seconds * Double(rate))).map { n in
            let t = Double(n) / Double(rate)
            let swell = 0.6 + 0.4 * sin(2 * .pi * 0.5 * t)
            return Float(peak * swell * (sin(2 * .pi * hertz * t) + 0.5 * sin(2 * .pi * hertz * 1.26 * t)) / 1.5)
        }
    }

    /// Bars of 10 s, with a click at each.
    private func renderer(bars: Int = 2, channels: Int = 1, rate: Int = rate) -> Renderer {
        let score = Score.ofMilliseconds([Array(repeating: 10_000, count: bars)])
        return Renderer(score.performance(), format: SoundFormat(rate: rate, channels: channels, samples: .float32))
    }

    private func floats(_ renderer: Renderer) throws -> [Float] {
        try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func loudness(_ samples: [Float], channels: Int, rate: Int = rate) throws -> Double {
        var meter = try #require(LoudnessMeter(rate: rate, channels: channels))
        samples.withUnsafeBufferPointer { meter.add($0) }
        return try #require(meter.integrated)
    }

    @Test("far from cues, the output is the music times one constant, and the cues are where they are without music")
    func untouched() throws {
        let folder = TemporaryFolder()
        let source = music(seconds: 30, peak: 0.2)
        try write(folder("a.wav"), source)
        var renderer = renderer()
        let program = try BackingProgram([folder("a.wav")], seconds: 20, channels: 1)
        let piece = try #require(program.pieces.first)
        renderer.mastering = Mastering(clickGain: 0.5, music: program)
        let mixed = try floats(renderer)
        renderer.mastering = Mastering(clickGain: 0.5)
        let cues = try floats(renderer)
        #expect(mixed.count == 160_000 && cues.count == mixed.count)
        let gain = Float(piece.gain)
        for n in 16_000..<70_000 { #expect(abs(mixed[n] - source[n] * gain) < 1e-6) }
        // Under the click of the second bar, 12 dB below.
        for n in 80_000..<80_400 { #expect(abs(mixed[n] - cues[n] - source[n] * gain * Ducking.lowest) < 1e-5) }
        #expect(cues[80_000..<80_400].contains { abs($0) > 0.1 })
        // It fades out with the rendering.
        #expect(abs(mixed[159_999]) < 1e-4)
    }

    @Test("pieces follow each other at the same loudness, and begin again when all have ended") func pieces() throws {
        let folder = TemporaryFolder()
        let (loud, soft) = (music(seconds: 4, peak: 0.9), music(seconds: 3, peak: 0.05, hertz: 200))
        try write(folder("1.wav"), loud)
        try write(folder("2.wav"), soft)
        let files = [folder("1.wav"), folder("2.wav")]
        var renderer = renderer()
        renderer.parts = .music
        renderer.performance.clickLevel = .off
        renderer.mastering = Mastering(music: try BackingProgram(files, seconds: 20, channels: 1))
        let heard = try floats(renderer)
        for (begin, source) in [(0, loud), (32_000, soft), (56_000, loud), (88_000, soft)] {
            let part = Array(heard[begin..<(begin + source.count)])
            #expect(abs(try loudness(part, channels: 1) + 14) < 0.1)
            let factor = part[1000] / source[1000]
            for n in source.indices { #expect(abs(part[n] - source[n] * factor) < 1e-5) }
        }
        // No more files than are needed are measured.
        #expect(try BackingProgram(files, seconds: 3, channels: 1).pieces.count == 1)
    }

    @Test("music whose peaks are high stays softer, so that nothing is limited") func peaks() throws {
        let folder = TemporaryFolder()
        var source = music(seconds: 5, peak: 0.05)
        source[20_000] = 0.9
        try write(folder("a.wav"), source)
        let program = try BackingProgram([folder("a.wav")], seconds: 5, channels: 1)
        #expect(abs(program.pieces[0].gain * 0.9 - 0.891) < 0.001)
    }

    @Test("two channels stay two, one is heard on both, and in a mono file two become their mean")
    func channels() throws {
        let folder = TemporaryFolder()
        let left = music(seconds: 21, peak: 0.2)
        let right = music(seconds: 21, peak: 0.2, hertz: 500)
        try write(folder("stereo.wav"), zip(left, right).flatMap { [$0, $1] }, channels: 2)
        try write(folder("mono.wav"), left)
        func heard(_ name: String, _ channels: Int) throws -> (samples: [Float], gain: Float) {
            var renderer = renderer(channels: channels)
            let program = try BackingProgram([folder(name)], seconds: 20, channels: channels)
            renderer.mastering = Mastering(clickGain: 0.5, music: program)
            return (try floats(renderer), Float(program.pieces[0].gain))
        }
        let (stereo, a) = try heard("stereo.wav", 2)
        let (mono, b) = try heard("mono.wav", 2)
        let (folded, c) = try heard("stereo.wav", 1)
        for n in 30_000..<60_000 {
            #expect(abs(stereo[2 * n] - a * left[n]) < 1e-6 && abs(stereo[2 * n + 1] - a * right[n]) < 1e-6)
            #expect(abs(mono[2 * n] - b * left[n]) < 1e-6 && mono[2 * n] == mono[2 * n + 1])
            #expect(abs(folded[n] - c * (left[n] + right[n]) / 2) < 1e-6)
        }
    }

    @Test("music at another rate keeps its tempo and pitch") func rates() throws {
        let folder = TemporaryFolder()
        // The same music, sampled at two rates.
        try write(folder("a.wav"), music(seconds: 21, rate: 44_100, peak: 0.2), rate: 44_100)
        let wanted = music(seconds: 21, rate: 48_000, peak: 0.2)
        var renderer = renderer(rate: 48_000)
        let program = try BackingProgram([folder("a.wav")], seconds: 20, channels: 1)
        renderer.mastering = Mastering(clickGain: 0.5, music: program)
        let heard = try floats(renderer)
        let gain = Float(program.pieces[0].gain)
        // Nine seconds, to a fraction of a frame: a shift by a frame would be off by 0.03.
        for n in 96_000..<420_000 { #expect(abs(heard[n] - gain * wanted[n]) < 0.002) }
    }

    @Test("the cues of a rendering are at -14 LUFS, and a level that the user chooses is heard as chosen") func cues()
        throws
    {
        let score = Score.ofMilliseconds([[3000, 3000, 3000, 3000]])
        var performance = score.performance { $0.barSounds.areAlike = true }
        performance.cues.end = true
        let format = SoundFormat(rate: 48_000, channels: 2, samples: .float32)
        var renderer = Renderer(performance, format: format)
        for sound in ClickSound.allCases { renderer.clicks[sound] = ClickShape() }
        renderer.clicks[.bar]?.own = OwnSound(points: music(seconds: 1, rate: 48_000, peak: 1), phases: 1)
        let mastering = try renderer.measuredCues()
        renderer.mastering = mastering
        #expect(abs(try loudness(floats(renderer), channels: 2, rate: 48_000) + 14) < 0.5)
        func softer(_ level: Double) throws -> Double {
            renderer.performance.clickLevel = Level(decibels: level)
            renderer.mastering = nil
            renderer.mastering = try renderer.measuredCues()
            return try loudness(floats(renderer), channels: 2, rate: 48_000)
        }
        for level in [-16.0, -40] { #expect(abs(try softer(level) + 8 - level) < 0.2) }
        // The limiter makes such ticks softer at the usual level, and leaves them alone at this one.
        let ticks = (0..<48_000).map { Float(sin(Double($0) / 8)) * ($0 % 4800 < 40 ? 1 : 0.2) }
        renderer.clicks[.bar]?.own = OwnSound(points: ticks, phases: 1)
        #expect(abs(try softer(-9) + 17) < 0.2)
    }

    @Test("a file with one channel for two that are alike has the samples of either") func narrowed() throws {
        let score = Score.ofMilliseconds([[1000, 1000]], drone: Score.Drone(level: Level(decibels: -20)))
        let performance = score.performance { $0.barSounds.areAlike = true }
        let format = SoundFormat(rate: 48_000, channels: 2, samples: .float32)
        #expect(format.narrowed(for: performance, .wav) == format)
        let renderers = try [format, format.narrowed(for: performance, .mp3)].map { format in
            var renderer = Renderer(performance, format: format)
            renderer.mastering = try renderer.measuredCues()
            return renderer
        }
        #expect(renderers.map(\.format.channels) == [2, 1])
        let (both, one) = (try floats(renderers[0]), try floats(renderers[1]))
        #expect(one == both.indices.filter { $0 % 2 == 0 }.map { both[$0] })
        #expect(one == both.indices.filter { $0 % 2 == 1 }.map { both[$0] })
    }

    @Test("no sample is above -1 dBFS, however loud cues and music are", arguments: SampleFormat.allCases)
    func ceiling(samples: SampleFormat) throws {
        let folder = TemporaryFolder()
        try write(folder("a.wav"), music(seconds: 21, peak: 1))
        var renderer = renderer()
        renderer.format.samples = samples
        renderer.mastering = Mastering(clickGain: 8, music: BackingProgram.alreadyMeasured(folder("a.wav"), gain: 3))
        try renderer.write(to: folder("mix.wav"))
        let written = try SoundReading(folder("mix.wav"), limit: 30)
        let peak = written.samples.map(abs).max() ?? 0
        #expect(peak <= 0.89126 && peak > 0.88)
    }

    @Test("a mastered rendering does not depend on the size of the blocks") func blocks() throws {
        let folder = TemporaryFolder()
        try write(folder("a.wav"), music(seconds: 3, rate: 11_025, peak: 0.5), rate: 11_025)
        var renderer = renderer()
        renderer.mastering = Mastering(
            clickGain: 4, music: try BackingProgram([folder("a.wav")], seconds: 20, channels: 1))
        let reference = try renderer.samples()
        for size in [100, 4096] { #expect(try renderer.samples(blockFrames: size) == reference) }
    }

    @Test("a sound file that is missing, invalid or incomplete is an error, and nothing is written")
    func errors() throws {
        let folder = TemporaryFolder()
        func problem(_ name: String) -> RenderError? {
            do throws(RenderError) {
                _ = try BackingProgram([folder(name)], seconds: 1e6, channels: 2)
                return nil
            } catch { return error }
        }
        #expect(problem("none.mp3") == .noMusic("'\(folder("none.mp3"))' cannot be read: No such file or directory"))
        try folder.write("text.mp3", "hello")
        guard case .badMusic(let reason) = problem("text.mp3") else {
            Issue.record("a text is no sound file")
            return
        }
        #expect(reason.hasPrefix("'\(folder("text.mp3"))' is no sound file: "))
        let source = music(seconds: 20, peak: 0.5)
        for type in [FileType.wav, .rf64, .aiff, .flac, .mp3] {
            let name = "a.\(type.rawValue)"
            if type == .flac {
                var quiet = renderer()
                quiet.format.samples = .bits16
                try quiet.write(to: folder(name))
            } else {
                try write(folder(name), source, type: type)
            }
            #expect(problem(name) == nil, "\(type)")
            let bytes = folder.bytes(name)
            try folder.write("cut-\(name)", bytes: Array(bytes.prefix(bytes.count / 2)))
            guard case .badMusic = problem("cut-\(name)") else {
                Issue.record("a \(type) file that ends in the middle is played")
                continue
            }
        }
        // A file that is cut after it was measured.
        var renderer = renderer()
        renderer.mastering = Mastering(music: try BackingProgram([folder("a.wav")], seconds: 20, channels: 1))
        try folder.write("a.wav", bytes: Array(folder.bytes("a.wav").prefix(200_000)))
        #expect(throws: RenderError.self) { try renderer.write(to: folder("mix.wav")) }
        #expect(!folder.contents.contains("mix.wav"))
        #expect(!folder.contents.contains { $0.contains(".part-") })
    }
}

extension BackingProgram {
    fileprivate static func alreadyMeasured(_ path: String, gain: Double) -> BackingProgram {
        BackingProgram(pieces: [Piece(path: path, gain: gain, seconds: 21)])
    }
}

/// A sound file that is written by the code of renderings.
private func soundFile(
    _ path: String, _ type: FileType, _ format: SoundFormat, frames: Int
) throws -> SoundFile {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o644)
    defer { close(descriptor) }
    return try SoundFile(descriptor: descriptor, type: type, format: format, frames: Int64(frames))
}
