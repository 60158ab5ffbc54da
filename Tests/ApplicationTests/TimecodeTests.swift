import Application
import Playback
import Scores
import Shared
import Testing
import UserSettings

/// Timecode beside the sound of a file, and on a channel of a card.
@Suite struct TimecodeTests {
    private static func start() throws -> Timecode { try Timecode(scoreText: "10:00:00:00 @ 25") }

    /// Renders the score with timecode from ten hours on.
    private func render(
        in home: Home, _ settings: [String: String] = [:], ltc: String? = nil,
        _ change: (inout RenderRequest) throws -> Void = { _ in }
    ) async throws -> Int32 {
        try home.folder.write("small.yaml", SampleTexts.small)
        return try await home.render("small.yaml", to: "x.wav", settings) {
            ($0.ltc, $0.timecode.start) = (ltc.map { home.folder($0) }, try TimecodeTests.start())
            try change(&$0)
        }
    }

    @Test("timecode has a file of one channel that is as long as the sound, and its start stamp")
    func file() async throws {
        let home = Home()
        #expect(try await render(in: home, ltc: "ltc.flac") == 0)
        #expect(home.folder.bytes("ltc.flac").starts(with: Array("fLaC".utf8)))
        #expect(try await render(in: home, ltc: "ltc.wav") == 0)
        let (sound, timecode) = (try WaveFile(home.folder.bytes("x.wav")), try WaveFile(home.folder.bytes("ltc.wav")))
        #expect(sound.channels == 2 && timecode.channels == 1)
        #expect(sound.frames == timecode.frames)
        #expect(sound.chunks.contains("bext") && timecode.chunks.contains("bext"))
    }

    @Test("timecode on the third channel makes a file of three channels; the settings shape it, and add none to a file")
    func settings() async throws {
        let home = Home()
        #expect(try await render(in: home) { $0.timecode[Setting.ltcChannel] = 3 } == 0)
        #expect(try WaveFile(home.folder.bytes("x.wav")).channels == 3)
        #expect(
            try await render(in: home, ltc: "one.wav") { $0.timecode[Setting.ltcLevel] = try Level(scoreText: "-20dB") }
                == 0)
        let settings = ["BARLINE_LTC_LEVEL": "-20dB", "BARLINE_LTC_CHANNEL": "3"]
        #expect(try await render(in: home, settings, ltc: "two.wav") == 0)
        #expect(home.folder.bytes("one.wav") == home.folder.bytes("two.wav"))
        #expect(try await render(in: home, settings) { $0.timecode.start = nil } == 0)
        #expect(try WaveFile(home.folder.bytes("x.wav")).channels == 2)
    }

    @Test("timecode that nothing can be made of is an error, and nothing is written") func errors() async throws {
        let cases: [(channel: Int?, ltc: String?, change: (inout RenderRequest) -> Void, why: String)] = [
            (
                nil, "ltc.wav", { $0.timecode.start = nil },
                "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"
            ),
            (nil, nil, { _ in }, "the timecode goes nowhere: add --ltc-channel, --mtc or, to render a file, --ltc"),
            (3, nil, { $0.format.channels = 2 }, "--ltc-channel 3: use --channels for more channels"),
            (
                2, nil, { $0.format.clickChannels = ChannelSet([2]) },
                "--ltc-channel 2: this channel carries other sound"
            ),
            (1, nil, { $0.format.channels = 1 }, "--ltc-channel 1: this channel carries other sound"),
            (nil, "x.wav", { _ in }, "x.wav' is written or read already: give the timecode another name"),
            (nil, "ltc.wav", { $0.format.rate = 8000 }, "timecode needs a --rate of 16000 Hz or more"),
            (
                nil, "ltc.wav",
                {
                    $0.timecode[Setting.ltcSpeed] = .score
                    $0.performance.passage.speed = Speed(millionths: 10_000_000)
                },
                "the timecode would be too fast for any machine that reads it: use a higher --rate, or --ltc-speed clock"
            ),
        ]
        for (channel, ltc, change, why) in cases {
            let home = Home()
            let code = try await render(in: home, ltc: ltc) {
                $0.timecode[Setting.ltcChannel] = channel
                change(&$0)
            }
            #expect(home.errors.hasPrefix("barline: error: ") && home.errors.hasSuffix(why + "\n"), "\(home.errors)")
            #expect(code == (ltc == "x.wav" ? 73 : 64))
            #expect(home.folder.contents == ["small.yaml"])
        }
    }
}

extension LiveTests {
    /// Timecode on a channel of a card.
    @Suite struct TimecodeTests {
        @Test("the settings put timecode on a channel of scores that have it; others are played as without the setting")
        func settings() async throws {
            let home = Home()
            try home.folder.write("brief.yaml", "bars: [0.1]\n")
            let settings = ["BARLINE_LTC_CHANNEL": "3"]
            #expect(try await home.playSilently("brief.yaml", settings) { $0.device.format.channels = 2 } == 0)
            #expect(home.errors == "")
            let start = try Timecode(scoreText: "10:00:00:00 @ 25")
            let narrow = try await home.playSilently("brief.yaml", settings) {
                ($0.device.format.channels, $0.timecode.start) = (2, start)
            }
            #expect(narrow == 64 && home.errors.contains("--ltc-channel 3: use --channels for more channels"))
            #expect(
                try await home.playSilently("brief.yaml", settings) { $0.timecode.start = start } == 0, "\(home.errors)"
            )
            let fast = try await home.playSilently("brief.yaml", settings) {
                ($0.timecode.start, $0.timecode[Setting.ltcSpeed]) = (start, .score)
                $0.performance.passage.speed = Speed(millionths: 10_000_000)
            }
            #expect(
                fast == 0 && home.errors.hasPrefix("barline: note: the timecode is left out where it"), "\(home.errors)"
            )
        }
    }
}
