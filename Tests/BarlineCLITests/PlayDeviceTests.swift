internal import Testing

/// Sound devices of the user's own ALSA configuration.
@Suite struct PlayDeviceTests {
    /// A default card that exists but cannot play the format is an error: falling back to silence would be wrong.
    @Test("a default device that cannot play the format is an error, and so is one without its card; others play")
    func aDefaultDeviceThatCannotPlayTheFormatEndsWithExitCode69() async throws {
        let scratch = try Scratch(
            devices: """
                pcm.default { type linear; slave { pcm { type null }; format S16_LE } }
                pcm.absent { type hw; card 7 }
                """)
        try scratch.write("brief.yaml", "bars: [0.1, 0.2]\n")
        for (options, why) in [
            (["--bits", "32f"], "the sound device 'default' cannot play this rate, number of channels or format"),
            (["--device", "absent"], "there is no sound device 'absent'; `barline devices` lists the available ones"),
        ] {
            let refused = try await Program.run(["play", "brief.yaml"] + options, in: scratch)
            #expect(refused.errors == "barline: error: \(why)\n" && refused.text == "" && refused.code == 69)
        }
        let other = try await Program.run(["play", "brief.yaml", "--require-audio"], in: scratch)
        #expect(other.errors == "" && other.code == 0)
        #expect(
            other.text == """
                2 bars, 0:00.3, 100%, no drone
                    1.1    0:00.000    0.100 s
                    1.2    0:00.100    0.200 s
                end

                """)
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
