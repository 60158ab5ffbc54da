import Files
import Foundation
import Playback
import Scores
import Synchronization
import Shared
import Testing
import Timing

@Suite("Speech")
struct SpeechTests {
    /// A stand-in for espeak-ng, which is called with -v VOICE -w FILE -- TEXT.
    private static func program(_ folder: TemporaryFolder, _ script: String) throws -> String {
        let path = folder("espeak-ng")
        try folder.write("script", "#!/bin/sh\n\(script)\n")
        // `install` writes the file, not this process: otherwise a program that another test starts at that moment
        // would inherit the open descriptor, and the system refuses to run a file that is open for writing.
        try #require(try Child(["/usr/bin/install", "-m", "755", folder("script"), path]).wait() == 0)
        return path
    }

    /// Half a second of a tone between silences, as a WAV file.
    private static func write(_ path: String) throws {
        var score = Score.ofMilliseconds([[500]], drone: Score.Drone(level: .init(decibels: -12)))
        score.countIn = .off
        let format = SoundFormat(rate: 22_050, channels: 1, samples: .bits16)
        try Renderer(score.performance { $0.clickLevel = .off }, format: format).write(to: path)
    }

    private static func failures() -> (report: @Sendable (SpeechFailure) -> Void, all: () -> [SpeechFailure]) {
        let box = Box()
        return ({ failure in box.failures.withLock { $0.append(failure) } }, { box.failures.withLock { $0 } })
    }

    private final class Box: Sendable {
        let failures = Mutex<[SpeechFailure]>([])
    }

    @Test("a word is synthesized once, at the requested rate, without silence around it")
    func word() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let program = try Self.program(folder, "echo x >> \(folder("calls")); cp \(folder("voice.wav")) \"$4\"")
        let (report, failures) = Self.failures()
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: report)
        let word = try #require(speaker.word("Run"))
        #expect(speaker.word("Run") == word)
        #expect(folder.bytes("calls").count == 2)
        #expect(word.rate == 48_000)
        #expect(abs(word.samples.count - 24_000) < 600)
        #expect(word.samples.allSatisfy { abs($0) <= 1 } && word.samples.map(abs).max() == 1)
        #expect(failures() == [])
    }

    @Test("a rendering waits for a word that a busy machine takes seconds to make")
    func slow() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let program = try Self.program(folder, "sleep 3; cp \(folder("voice.wav")) \"$4\"")
        let (report, failures) = Self.failures()
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: report)
        #expect(speaker.word("Run") != nil)
        #expect(failures() == [])
    }

    @Test("all words that are planned ahead are kept until they are spoken")
    func kept() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let program = try Self.program(folder, "echo x >> \(folder("calls")); cp \(folder("voice.wav")) \"$4\"")
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: { _ in })
        // Words for 89.5 seconds: more than the 12 for which cues are planned, so that a rendering, which measures its
        // words before it says them, makes those of most plans once.
        for _ in 0..<2 {
            for n in 0..<179 { #expect(speaker.word("\(n)") != nil) }
        }
        #expect(folder.text("calls") == String(repeating: "x\n", count: 179))
    }

    @Test(
        "a voice that is missing, fails, or gives nothing or garbage is reported, and the clicks stay the same",
        arguments: [
            (nil, "it is not installed"), ("exit 1", "it failed"), ("kill -9 $$", "it failed"),
            ("head -c 50000 /dev/urandom > \"$4\"", "it is not a known type of sound file"),
            ("head -c 50000 /dev/urandom", "it is not a known type of sound file"), (": > \"$4\"", nil),
            ("sleep 10", "it does not respond"),
        ] as [(String?, String?)])
    func faults(script: String?, why: String?) throws {
        let folder = TemporaryFolder()
        let program = try script.map { try Self.program(folder, $0) } ?? folder("none")
        let (report, failures) = Self.failures()
        let speaker = Espeak(
            program: program, language: .en, rate: 48_000, waits: true, timeout: .milliseconds(200), failed: report)
        let score = Score.ofMilliseconds([[400, 300], [300, 200]])
        let silent = try Renderer(score.performance(), format: SoundFormat()).samples()
        let spoken = try Renderer(
            score.performance {
                $0.cues.speech = SpeechSettings()
                $0.cues.speech?.bars = 1
                $0.speaker = speaker
            }, format: SoundFormat()
        ).samples()
        let isSame = spoken == silent
        #expect(isSame)
        // The first text may be the only one that fails.
        let count = script == nil ? 1 : 2
        #expect(failures().count == count)
        if let why { #expect(failures().last == .all(reason: why)) }
    }

    @Test("a text that fails is not spoken, however often it is asked for; a failure of one moment is repaired")
    func failing() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let program = try Self.program(
            folder,
            """
            echo "$6" >> \(folder("calls"))
            case "$6" in
                bad*) exit 1;;
                once) [ -e \(folder("once")) ] || { : > \(folder("once")); exit 1; };;
            esac
            cp \(folder("voice.wav")) "$4"
            """)
        let (report, failures) = Self.failures()
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: report)
        for _ in 0..<3 {
            #expect(speaker.word("bad") == nil)
            #expect(speaker.word("once") != nil && speaker.word("one") != nil)
        }
        #expect(folder.text("calls") == "bad\nbad\nonce\nonce\none\n")
        #expect(failures() == [.text("bad", reason: "it failed")])
        // Two in a row: the program is broken.
        for text in ["bad 2", "bad 3", "two"] { #expect(speaker.word(text) == nil) }
        #expect(speaker.word("one") != nil)
        #expect(failures().dropFirst() == [.text("bad 2", reason: "it failed"), .rest(reason: "it failed")])
    }

    @Test(
        "a text without sound stays silent and is synthesized once, and later words are still spoken",
        arguments: [true, false])
    func silent(isEmpty: Bool) throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        // For a dash, espeak-ng writes a file with silence or without samples.
        let silence = WaveText(frames: isEmpty ? 0 : 4800).bytes
        try folder.write("silence.wav", bytes: silence)
        let program = try Self.program(
            folder,
            """
            echo "$6" >> \(folder("calls"))
            case "$6" in one|two) cp \(folder("voice.wav")) "$4";; *) cp \(folder("silence.wav")) "$4";; esac
            """)
        let (report, failures) = Self.failures()
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: report)
        for _ in 0..<2 {
            for text in ["…", "—", "?", "♩"] { #expect(speaker.word(text) == nil) }
            #expect(speaker.word("one") != nil)
        }
        #expect(speaker.word("two") != nil)
        #expect(folder.text("calls") == "…\n—\n?\n♩\none\ntwo\n")
        #expect(failures() == [])
    }

    @Test("after texts of dots and dashes, the real espeak-ng still speaks a word")
    func real() throws {
        let (report, failures) = Self.failures()
        let speaker = Espeak(
            language: .en, rate: 48_000, waits: true, timeout: .seconds(60), failed: report)
        for text in ["…", "—", "?", "."] { _ = speaker.word(text) }
        #expect(speaker.word("one") != nil)
        #expect(failures() == [])
    }

    @Test("a request does not wait for a word that is still being synthesized")
    func unready() throws {
        let folder = TemporaryFolder()
        let program = try Self.program(folder, "sleep 10")
        let (report, _) = Self.failures()
        let speaker = Espeak(
            program: program, language: .en, rate: 48_000, waits: false, timeout: .milliseconds(100), failed: report)
        // A hundred requests, none of which may wait for its word.
        for n in 0..<100 { #expect(speaker.word("\(n)") == nil) }
    }

    @Test("a spoken word ends in the file on the frame where its bar begins")
    func planned() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let program = try Self.program(folder, "cp \(folder("voice.wav")) \"$4\"")
        let (report, _) = Self.failures()
        let speaker = Espeak(program: program, language: .en, rate: 48_000, waits: true, failed: report)
        let score = Score.ofMilliseconds([[1000], [1000]])
        let renderer = Renderer(
            score.performance {
                $0.clickLevel = .off
                $0.cues.speech = SpeechSettings()
                $0.cues.speech?.lines = 1
                $0.speaker = speaker
            }, format: SoundFormat(rate: 48_000, channels: 1, samples: .float32))
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let word = try #require(speaker.word("line 2"))
        let wanted = word.samples.map { $0 * Float(Level(decibels: -6).amplitude) }
        let first = try #require(samples.firstIndex { $0 != 0 })
        // The first sample is zero because of the ramp.
        let start = 48_000 - word.samples.count
        #expect((start...(start + 2)).contains(first))
        for n in 10..<(wanted.count - 10) { #expect(abs(samples[start + n] - wanted[n]) < 1e-5) }
    }

    @Test("a user's click sound is in its place, converted to the rate of the rendering")
    func ownClick() throws {
        let folder = TemporaryFolder()
        try Self.write(folder("voice.wav"))
        let own = try OwnSound(folder("voice.wav"), rate: 48_000)
        #expect(own.phases == 4 && own.points.count % 4 == 0)
        var renderer = Renderer(
            Score.ofMilliseconds([[1000]]).performance(), format: SoundFormat(channels: 1, samples: .float32))
        renderer.clicks[.line] = {
            var shape = ClickShape(); shape.own = own; return shape
        }()
        let samples = try renderer.samples().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let half = Float(Level(decibels: -6).amplitude)
        for n in stride(from: 100, to: 20_000, by: 7) { #expect(abs(samples[n] - own.points[4 * n] * half) < 1e-4) }
        #expect(throws: SoundReadingError.self) { try OwnSound(folder("none.wav"), rate: 48_000) }
        #expect(throws: SoundReadingError.self) { try OwnSound(folder.path, rate: 48_000) }
        try folder.write("cut.wav", bytes: Array(folder.bytes("voice.wav").prefix(5000)))
        let error = #expect(throws: SoundReadingError.self) { try OwnSound(folder("cut.wav"), rate: 48_000) }
        #expect(error?.reason == "it ends in the middle")
    }
}

/// A WAV file of silence: 16 bits, one channel, 22 050 Hz.
private struct WaveText {
    let bytes: [UInt8]

    init(frames: Int) {
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let format = word(16) + [1, 0, 1, 0] + word(22_050) + word(44_100) + [2, 0, 16, 0]
        bytes =
            Array("RIFF".utf8) + word(36 + 2 * frames) + Array("WAVEfmt ".utf8) + format + Array("data".utf8)
            + word(2 * frames) + [UInt8](repeating: 0, count: 2 * frames)
    }
}
