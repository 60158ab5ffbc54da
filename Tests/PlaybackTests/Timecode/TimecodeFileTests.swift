import CLTC
import Listening
import Playback
import Scores
import Testing
import Timing

/// The frames of a film by counting them, one after the other: a model that shares nothing with the closed form.
private struct CountedFilm {
    var (hours, minutes, seconds, frames): (Int, Int, Int, Int)
    let rate: Timecode.Rate

    mutating func advance() {
        frames += 1
        guard frames == (rate == .fps25 ? 25 : rate == .fps24 || rate == .fps23_976 ? 24 : 30) else { return }
        frames = 0
        seconds += 1
        guard seconds == 60 else { return }
        seconds = 0
        minutes += 1
        // Two numbers are dropped at the beginning of each minute, but not of every tenth.
        if rate == .fps29_97DropFrame, minutes % 10 != 0 { frames = 2 }
        guard minutes == 60 else { return }
        (minutes, hours) = (0, (hours + 1) % 24)
    }
}

/// A reader of timecode, as others use it.
private final class Decoder {
    private let decoder: OpaquePointer?
    private var heard: Int64 = 0
    var words: [(begin: Int64, hours: Int, minutes: Int, seconds: Int, frames: Int)] = []

    init(framesOfWord: Double) { decoder = ltc_decoder_create(Int32(framesOfWord), 1024) }
    deinit { ltc_decoder_free(decoder) }

    func listen(to samples: UnsafeBufferPointer<Float>) {
        var copy = Array(samples)
        ltc_decoder_write_float(decoder, &copy, copy.count, heard)
        heard += Int64(copy.count)
        var frame = LTCFrameExt()
        while ltc_decoder_read(decoder, &frame) > 0 {
            var time = SMPTETimecode()
            ltc_frame_to_time(&time, &frame.ltc, 0)
            words.append((frame.off_start, Int(time.hours), Int(time.mins), Int(time.secs), Int(time.frame)))
        }
    }
}

@Suite("Linear timecode in a file")
struct TimecodeFileTests {
    private func listen(
        _ seconds: Int, from start: Timecode, rate: Int = 48_000, _ change: (inout Performance) -> Void = { _ in },
        _ take: (UnsafeBufferPointer<Float>) -> Void
    ) throws {
        // Bars that are no multiple of any frame.
        let bars = Array(repeating: 1700, count: seconds * 10 / 17) + [seconds * 1000 - seconds * 10 / 17 * 1700 + 1]
        let performance = Score.ofMilliseconds([bars]).performance {
            $0.linearTimecode = LinearTimecode(start: start)
            change(&$0)
        }
        var format = SoundFormat(rate: rate, channels: 2, samples: .float32)
        format.channels = 1
        format.timecodeChannels = ChannelSet([1])
        let renderer = Renderer(performance, format: format)
        try renderer.render { bytes, _ throws(RenderError) in take(bytes.assumingMemoryBound(to: Float.self)) }
    }

    @Test(
        "both readers find every frame within a sample of its place, with its number, at every tenth minute, too",
        arguments: Timecode.Rate.allCases)
    func everyFrame(rate: Timecode.Rate) throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: rate)
        let length = 48_000 * Double(rate.perSecond.denominator) / Double(rate.perSecond.numerator)
        var listener = TimecodeListener(framesOfWord: length)
        let decoder = Decoder(framesOfWord: length)
        // Numbers are left out in every minute but each tenth one.
        let seconds = rate == .fps29_97DropFrame ? 660 : 130
        try listen(seconds, from: start) {
            listener.listen(to: $0)
            decoder.listen(to: $0)
        }
        let count = Int(Double(seconds) * 48_000 / length)
        #expect(listener.words.count >= count - 2)
        #expect(decoder.words.count >= count - 4)
        var film = CountedFilm(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: rate)
        var (own, other) = (listener.words[...], decoder.words[...])
        var (worstOwn, wrong) = (0.0, 0)
        var others: [Double] = []
        for n in 0..<count {
            let place = Double(n) * length
            if let word = own.first, abs(word.begin - place) < length / 2 {
                own.removeFirst()
                worstOwn = max(worstOwn, abs(word.begin - place))
                let isRight =
                    (word.hours, word.minutes, word.seconds, word.frames)
                    == (film.hours, film.minutes, film.seconds, film.frames)
                if !isRight || !word.isEven || word.drops != (rate == .fps29_97DropFrame) { wrong += 1 }
            }
            if let word = other.first, abs(Double(word.begin) - place) < length / 2 {
                other.removeFirst()
                others.append(Double(word.begin) - place)
                let isRight =
                    (word.hours, word.minutes, word.seconds, word.frames)
                    == (film.hours, film.minutes, film.seconds, film.frames)
                if !isRight { wrong += 1 }
            }
            film.advance()
        }
        // All words had their places.
        #expect(own.count <= 1 && other.count <= 1)
        #expect(wrong == 0)
        #expect(worstOwn < 0.02)
        // The library calls its places approximate: they are whole frames, and up to two frames late.
        #expect(others.allSatisfy { (-1...2).contains($0) })
    }

    @Test("drop-frame timecode leaves out the right numbers over an hour, and goes on at midnight")
    func dropFrame() throws {
        let start = try Timecode(hours: 23, minutes: 5, seconds: 30, frames: 0, rate: .fps29_97DropFrame)
        var listener = TimecodeListener(framesOfWord: 1601.6)
        try listen(3700, from: start) { listener.listen(to: $0) }
        var film = CountedFilm(hours: 23, minutes: 5, seconds: 30, frames: 0, rate: .fps29_97DropFrame)
        var right = 0
        for word in listener.words {
            if (word.hours, word.minutes, word.seconds, word.frames)
                == (film.hours, film.minutes, film.seconds, film.frames)
            {
                right += 1
            }
            film.advance()
        }
        #expect(right == listener.words.count && right > 110_000)
        #expect(listener.words.last?.hours == 0)
    }

    @Test(
        "an edge rises from 10 to 90 % in 40 µs, and its level is as asked for", arguments: [48_000, 96_000, 192_000])
    func riseTime(rate: Int) throws {
        let start = try Timecode(hours: 0, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        var samples: [Float] = []
        try listen(1, from: start, rate: rate, { $0.linearTimecode?.level = Level(decibels: -12) }) { samples += $0 }
        let top = samples.max() ?? 0
        #expect(abs(top - 0.2512) < 0.0001)
        #expect(abs((samples.min() ?? 0) + top) < 0.0001)
        /// Where the first edge after the first word crosses a level, in seconds.
        func crossing(_ level: Float) -> Double {
            let crosses: (Int) -> Bool = { samples[$0] < level && samples[$0 + 1] >= level }
            let at = (rate / 10..<samples.count).first(where: crosses) ?? 0
            return (Double(at) + Double((level - samples[at]) / (samples[at + 1] - samples[at]))) / Double(rate)
        }
        let rise = crossing(0.8 * top) - crossing(-0.8 * top)
        #expect((30e-6...50e-6).contains(rise))
    }

    @Test("timecode on a channel of its own changes no sample of the others, and carries nothing else")
    func ownChannel() throws {
        let score = Score.ofMilliseconds([[700, 400, 900]], drone: Score.Drone(), countIn: .milliseconds(500))
        let start = try Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0, rate: .fps30)
        func samples(_ timecode: LinearTimecode?, _ channels: Int, _ parts: SoundParts) throws -> [Float] {
            var format = SoundFormat(channels: channels, samples: .float32)
            if channels != 2 { format.timecodeChannels = ChannelSet([channels]) }
            var renderer = Renderer(score.performance { $0.linearTimecode = timecode }, format: format)
            renderer.parts = parts
            return try renderer.samples().withUnsafeBytes { Array($0.assumingMemoryBound(to: Float.self)) }
        }
        let plain = try samples(nil, 2, .all)
        let three = try samples(LinearTimecode(start: start), 3, .all)
        let alone = try samples(LinearTimecode(start: start), 1, .timecode)
        let frames = alone.count
        #expect(plain.count == 2 * frames)
        #expect(three.count == 3 * frames)
        func channel(_ number: Int, _ all: [Float], of count: Int) -> [Float] {
            stride(from: number, to: all.count, by: count).map { all[$0] }
        }
        #expect(channel(0, plain, of: 2) == channel(0, three, of: 3))
        #expect(channel(1, plain, of: 2) == channel(1, three, of: 3))
        #expect(channel(2, three, of: 3) == alone)
        // Nothing before the music begins.
        let (before, after) = (alone.prefix(23_000), alone.dropFirst(24_100))
        #expect(before.allSatisfy { $0 == 0 })
        #expect(after.contains { abs($0) > 0.4 })
    }

    @Test("the samples of timecode do not depend on the size of the blocks")
    func blocks() throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps29_97NonDrop)
        let performance = Score.ofMilliseconds([[1300, 700, 5100], [431]]).performance {
            $0.linearTimecode = LinearTimecode(start: start)
            $0.linearTimecode?.isScaled = true
            $0.speed = Speed(millionths: 870_000) ?? .asWritten
        }
        var format = SoundFormat(channels: 1, samples: .bits24)
        format.timecodeChannels = ChannelSet([1])
        let renderer = Renderer(performance, format: format)
        #expect(try renderer.samples(blockFrames: 100_000) == renderer.samples(blockFrames: 333))
    }

    @Test(
        "at half speed, timecode counts real time by the clock, and by the score half of it", arguments: [false, true])
    func speed(isScaled: Bool) throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        var listener = TimecodeListener(framesOfWord: isScaled ? 3840 : 1920)
        try listen(20, from: start) {
            $0.speed = Speed(millionths: 500_000) ?? .asWritten
            $0.linearTimecode?.isScaled = isScaled
        } _: {
            listener.listen(to: $0)
        }
        #expect(listener.words.count > (isScaled ? 490 : 990))
        for word in listener.words {
            let film = try #require(word.time(.fps25)).seconds - 3600
            #expect(abs(film * (isScaled ? 2 : 1) - word.begin / 48_000) < 1e-6)
        }
    }

    @Test("timecode runs up before the first bar, which waits for it")
    func preroll() throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps24)
        var listener = TimecodeListener(framesOfWord: 2000)
        try listen(5, from: start, { $0.linearTimecode?.preroll = .seconds(2) }) { listener.listen(to: $0) }
        // The first word has no edge before it in this file.
        #expect(listener.words.first.map { [$0.hours, $0.minutes, $0.seconds, $0.frames] } == [0, 59, 58, 1])
        for word in listener.words {
            #expect(abs(try #require(word.time(.fps24)).seconds - 3600 - (word.begin / 48_000 - 2)) < 1e-6)
        }
        #expect(listener.words.count > 24 * 6)
    }
}
