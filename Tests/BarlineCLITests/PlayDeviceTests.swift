internal import SimulatedCardSupport
internal import Shared
internal import Testing

/// Sound devices that are missing or busy, or cannot do what is asked.
@Suite struct PlayDeviceTests {
    private static let brief = "bars: [0.1, 0.2]\n"
    private static let lines = """
        2 bars, 0:00.3, 100%, no drone
            1.1    0:00.000    0.100 s
            1.2    0:00.100    0.200 s
        end

        """

    @Test("without a sound card the piece is counted silently") func withoutASoundCardThePieceIsCountedSilently()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let outcome = try await Program.run(["play", "small.yaml"], in: scratch)
        #expect(
            outcome.errors
                == "barline: no sound card: counting silently (--require-audio makes this an error)\n")
        #expect(
            outcome.text == """
                Small · Nobody, 4 bars, 0:01.5, 100%, drone B4 493.88 Hz
                no sound: counting silently
                    1.1    0:00.000    0.500 s  A
                    1.2    0:00.500    0.300 s  say "x", y
                    2.1    0:00.800    0.400 s
                    2.2    0:01.200    0.300 s  日本  Go
                end

                """)
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("the null device counts as a sound device") func theNullDeviceCountsAsASoundDevice() async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", PlayDeviceTests.brief)
        let outcome = try await Program.run(["play", "brief.yaml", "--device", "null", "--require-audio"], in: scratch)
        #expect(outcome.text == PlayDeviceTests.lines)
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("play ends even if the device never drains") func playEndsEvenIfTheDeviceNeverDrains()
        async throws
    {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        try scratch.write("brief.yaml", PlayDeviceTests.brief)
        let card = try SimulatedCard(in: scratch.folder, ["drain": "never"])
        let outcome = try await Program.run(
            ["play", "brief.yaml", "--device", card.device], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload])
        #expect(outcome.text.hasSuffix("\nend\n") && outcome.errors == "")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("a busy device is reported, with exit code 69") func aBusyDeviceIsReportedWithExitCode69() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, ["busy_for": 60_000])
        let outcome = try await Program.run(["play", "metronome", "--device", card.device], in: scratch)
        #expect(
            outcome.errors
                == "barline: error: the sound device '\(card.device)' is busy: another program uses it\n")
        #expect(outcome.text == "")
        #expect(outcome.code == 69, "\(outcome.errors)")
    }

    @Test(
        "a missing device ends with exit code 69",
        arguments: [
            (["--device", "nosuch"], "there is no sound device 'nosuch'; `barline devices` lists the available ones"),
            (["--device", "absent"], "there is no sound device 'absent'; `barline devices` lists the available ones"),
            (["--device", ""], "there is no sound device ''; `barline devices` lists the available ones"),
            (["--require-audio"], "there is no sound card"),
        ])
    func aMissingDeviceEndsWithExitCode69(options: [String], why: String) async throws {
        let scratch = try Scratch(devices: "pcm.absent { type hw; card 7 }")
        let outcome = try await Program.run(["play", "metronome"] + options, in: scratch)
        #expect(outcome.errors == "barline: error: \(why)\n")
        #expect(outcome.text == "")
        #expect(outcome.code == 69, "\(outcome.errors)")
    }

    @Test(
        "a drone needs a device",
        arguments: [
            (["--device", "nosuch"], "there is no sound device 'nosuch'; `barline devices` lists the available ones"),
            ([], "there is no sound card"),
        ])
    func aDroneNeedsADevice(options: [String], why: String) async throws {
        let outcome = try await Program.run(["drone"] + options, in: try Scratch())
        #expect(outcome.errors == "barline: error: \(why)\n")
        #expect(outcome.text == "")
        #expect(outcome.code == 69, "\(outcome.errors)")
    }

    /// A default card that exists but cannot play the format is an error: falling back to silence would be wrong.
    @Test("a default device that cannot play the format ends with exit code 69")
    func aDefaultDeviceThatCannotPlayTheFormatEndsWithExitCode69()
        async throws
    {
        let scratch = try Scratch(
            devices: "pcm.default { type linear; slave { pcm { type null }; format S16_LE } }")
        try scratch.write("brief.yaml", PlayDeviceTests.brief)
        let outcome = try await Program.run(["play", "brief.yaml", "--bits", "32f"], in: scratch)
        #expect(
            outcome.errors
                == "barline: error: the sound device 'default' cannot play this rate, number of channels or format\n")
        #expect(outcome.text == "")
        #expect(outcome.code == 69, "\(outcome.errors)")
        let other = try await Program.run(["play", "brief.yaml"], in: scratch)
        #expect(other.text == PlayDeviceTests.lines)
        #expect(other.errors == "" && other.code == 0)
    }

    @Test("devices lists the devices that can be opened, and says if there is no sound card")
    func devicesListsTheDevicesThatCanBeOpenedAndSaysIfThereIsNoSoundCard()
        async throws
    {
        let bare = try await Program.run(["devices"], in: try Scratch())
        #expect(bare.text == "null  Silence\n")
        #expect(
            bare.errors
                == "barline: note: there is no sound card (no ALSA device 'default'): `barline play` counts silently\n")
        #expect(bare.code == 0, "\(bare.errors)")
        let scratch = try Scratch(
            devices: """
                pcm.default { type null; hint { show on; description "Speakers, \\"both\\"" } }
                pcm.absent { type hw; card 7; hint { show on; description "Gone" } }
                """)
        let full = try await Program.run(["devices"], in: scratch)
        #expect(full.text.split(separator: "\n").sorted() == ["default  Speakers, \"both\"", "null     Silence"])
        #expect(full.errors == "" && full.code == 0)
        let json = try await Program.run(["devices", "--json"], in: scratch)
        let rows = json.text.split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix(#"  {"name": "default", "description": "Speakers, \"both\""}"#) })
        #expect(rows.count == 4 && rows.first == "[" && rows.last == "]")
        #expect(json.errors == "" && json.code == 0)
    }
}
