import Application
import Foundation
import Playback
import Scores
import Shared
import SimulatedCardSupport
import Testing
import Timing
import UserSettings

extension LiveTests {
    /// Sound devices that are missing or busy, that go away, or cannot do what is asked; and what they get.
    @Suite struct DeviceTests {
        private static let brief = "bars: [0.1, 0.2]\n"

        private func play(
            _ score: String = DeviceTests.brief, in home: Home,
            _ change: @Sendable (inout PlayRequest) throws -> Void = { _ in }
        ) async throws -> Int32 {
            try home.folder.write("score.yaml", score)
            return try await home.playSilently("score.yaml", [:], change)
        }

        @Test("without a sound card the piece is counted silently, unless that is to be an error")
        func noCard() async throws {
            let home = Home()
            #expect(try await play(SampleTexts.small, in: home) { $0.device[Setting.device] = nil } == 0)
            #expect(
                home.errors == "barline: no sound card: counting silently (--require-audio makes this an error)\n")
            #expect(
                home.text == """
                    Small · Nobody, 4 bars, 0:01.5, 100%, drone B4 493.88 Hz
                    no sound: counting silently
                        1.1    0:00.000    0.500 s  A
                        1.2    0:00.500    0.300 s  say "x", y
                        2.1    0:00.800    0.400 s
                        2.2    0:01.200    0.300 s  日本  Go
                    end

                    """)
            #expect(
                try await play(in: home) { ($0.device[Setting.device], $0.device.requireAudio) = (nil, true) } == 69)
            #expect(home.text == "" && home.errors == "barline: error: there is no sound card\n")
        }

        @Test(
            "the null device counts as a sound device, and plays with either policy",
            arguments: [.rewind, .small] as [Card.Policy])
        func nullDevice(policy: Card.Policy) async throws {
            let home = Home()
            let code = try await play(in: home) { ($0.device.requireAudio, $0.device.policy) = (true, policy) }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            #expect(home.text.hasSuffix("    1.1    0:00.000    0.100 s\n    1.2    0:00.100    0.200 s\nend\n"))
        }

        @Test("music ends even if the device never drains") func neverDrains() async throws {
            let home = Home()
            let card = try SimulatedCard(in: home.folder.path, ["drain": "never"])
            let code = try await play(in: home) { $0.device[Setting.device] = card.device }
            #expect(code == 0 && home.text.hasSuffix("\nend\n") && home.errors == "", "\(home.errors)")
        }

        @Test("a device that is busy or missing is named, and nothing plays") func unusable() async throws {
            let home = Home()
            let busy = try SimulatedCard(in: home.folder.path, ["busy_for": 60_000]).device
            for (device, why) in [
                (busy, "the sound device '\(busy)' is busy: another program uses it"),
                ("nosuch", "there is no sound device 'nosuch'; `barline devices` lists the available ones"),
                ("sim:{", "the sound device 'sim:{' cannot be opened: Invalid argument"),
                ("null:x", "the sound device 'null:x' cannot be opened: Invalid argument"),
                ("", "there is no sound device ''; `barline devices` lists the available ones"),
            ] {
                #expect(try await play(in: home) { $0.device[Setting.device] = device } == 69)
                #expect(home.text == "" && home.errors == "barline: error: \(why)\n")
            }
        }

        @Test("a drone needs a device") func drone() async throws {
            let home = Home()
            for (device, why) in [
                ("nosuch", "there is no sound device 'nosuch'; `barline devices` lists the available ones"),
                (nil, "there is no sound card"),
            ] {
                var request = DroneRequest()
                request[Setting.device] = device
                let wanted = request
                #expect(try await home.run { try await wanted.play() } == 69)
                #expect(home.text == "" && home.errors == "barline: error: \(why)\n")
            }
        }

        @Test("the lines say that a card has gone away, and the music goes on over it until it is back and after that")
        func unplugged() async throws {
            let home = Home()
            let card = try SimulatedCard(in: home.folder.path, ["disconnect_at": 300.01, "return_after": 600])
            try home.folder.write("score.yaml", "lines: [{repeat: 6000, bars: [0.1]}]\n")
            async let code = home.playSilently("score.yaml") { $0.device[Setting.device] = card.device }
            try await home.wait(for: "the loss") { home.text.contains("\nsound device '\(card.device)' lost: ") }
            try await home.wait(for: "the card") { card.happenings().count { $0.name == "open" } > 1 }
            let heard = home.bars.count
            try await home.wait(for: "more bars") { home.bars.count > heard + 5 }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0 && home.errors == "", "\(home.errors)")
        }

        /// How a score sounds and in which format, the same for a card and for a file.
        struct Wish: Sendable {
            var format: SampleFormat = .bits16
            var channels = 2
            var rate = 48_000
            var performance: @Sendable (inout PerformanceRequest) throws -> Void = { _ in }

            func apply(_ wanted: inout PerformanceRequest, _ sound: inout FormatRequest) throws {
                (sound.samples, sound.channels, sound.rate) = (format, channels, rate)
                try performance(&wanted)
            }
        }

        /// A device that writes what it gets into a file, whenever that comes: a busy machine loses nothing of it.
        private static func recorder(_ file: String) throws -> String {
            SimulatedCard.configureThisProcess()
            let own = String(cString: try #require(getenv("ALSA_CONFIG_PATH")))
            if !own.hasSuffix(".files") {
                let device = """
                    pcm.file {
                        @args [ FILE ] @args.FILE { type string }
                        type file slave.pcm { type null } file $FILE format raw
                    }

                    """
                try (SimulatedCard.configuration + device).write(
                    toFile: own + ".files", atomically: true, encoding: .utf8)
                setenv("ALSA_CONFIG_PATH", own + ".files", 1)
            }
            return "file:'\(file)'"
        }

        private static let wishes = [
            Wish(), Wish(format: .bits24, channels: 1, rate: 44_100), Wish(format: .float32, rate: 44_100),
            Wish {
                ($0.passage.speed, $0.passage.from, $0.passage.to) = (try Speed(scoreText: "130%"), "1.2", "2.1")
                ($0.passage.times, $0.drone, $0.countIn) = (2, .off, .off)
            },
            Wish {
                ($0.clicks[Setting.clickLevel], $0.tuning.a4) = (.off, 415)
                $0.droneSound.add { $0.timbre.waveform = .triangle }
            },
            Wish {
                $0.drone = try DroneChoice(text: "F#5")
                let level = try Level(scoreText: "3%")
                $0.droneSound.add { $0.level = level }
            },
        ]

        @Test(
            "a device gets the samples that a file has, in every format and however the score is to sound",
            arguments: 0..<6)
        func samples(number: Int) async throws {
            let (home, wish) = (Home(), DeviceTests.wishes[number])
            let device = try DeviceTests.recorder(home.folder("device.raw"))
            try home.folder.write(
                "score.yaml",
                "drone: {pitch: B4, level: -20 dB}\ncount-in: 0.1\nlines: [[0.2, 0.15], [0.3, 0.123]]\n")
            let played = try await home.playSilently("score.yaml") {
                ($0.device[Setting.device], $0.clock.followsClock) = (device, false)
                try wish.apply(&$0.performance, &$0.device.format)
            }
            #expect(played == 0 && home.errors == "", "\(home.errors)")
            let rendered = try await home.render("score.yaml") { try wish.apply(&$0.performance, &$0.format) }
            #expect(rendered == 0, "\(home.errors)")
            let wave = try WaveFile(home.folder.bytes("x.wav"))
            func sounding(_ bytes: [UInt8]) -> [UInt8] {
                let begun = bytes.droppingSilence(frame: wave.blockAlign)
                return Array(begun[...(begun.lastIndex { $0 != 0 } ?? begun.startIndex)])
            }
            let (heard, wanted) = (sounding(home.folder.bytes("device.raw")), sounding(wave.data))
            #expect(wanted.count > 1000 && firstDifference(heard, wanted) == nil, "\(heard.count) of \(wanted.count)")
        }
    }
}
