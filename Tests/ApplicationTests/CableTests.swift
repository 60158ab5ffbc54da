import Application
import Foundation
import Scores
import Shared
import Testing
import UserSettings

extension LiveTests {
    /// MIDI and JACK's transport on a machine that has neither. What goes out by MIDI is tested in simulated time, and with
    /// Linux's own sequencer in an emulator; `make sound-servers` follows a JACK server.
    @Suite struct CableTests {
        private static let hasSequencer = FileManager.default.fileExists(atPath: "/dev/snd/seq")
        private static let noSequencer =
            "ALSA's sequencer for MIDI cannot be opened (No such file or directory); `sudo modprobe snd-seq` loads it"
        private static let brief = "bars: [0.1, {duration: 0.1, send: midi note 3 on}]\n"

        /// Plays a score on a machine whose JACK server, if there is one, is not looked for; returns the exit code and what was
        /// said.
        private func play(
            _ score: String = CableTests.brief, _ settings: [String: String] = [:],
            _ change: @Sendable (inout PlayRequest) throws -> Void = { _ in }
        ) async throws -> (code: Int32, errors: String) {
            let home = Home()
            try home.folder.write("score.yaml", score)
            let code = try await home.playSilently("score.yaml", settings, change)
            #expect(home.text.hasSuffix("\nend\n") == (code == 0))
            return (code, home.errors)
        }

        private func note(_ text: String) -> String { "barline: note: \(text); the music goes on\n" }

        @Test("without a sequencer, a note says so once and the music plays to its end", .enabled(if: !hasSequencer))
        func noSequencerForMIDI() async throws {
            let asked = try await play { ($0.cables[Setting.midi], $0.cables[Setting.midiClock]) = (["24:0"], true) }
            #expect(asked == (0, note(Self.noSequencer)))
            let settings = ["BARLINE_MIDI": "UM-ONE, 24:0", "BARLINE_MIDI_CLOCK": "on"]
            #expect(try await play(Self.brief, settings) == (0, note(Self.noSequencer)))
            let off = try await play(Self.brief, settings) {
                ($0.cables[Setting.midi], $0.cables[Setting.midiClock]) = ([], false)
            }
            #expect(off.code == 0 && off.errors.contains("the score sends MIDI"), "\(off.errors)")
        }

        @Test(
            "without a sequencer, buttons that are asked for are an error, and those of the settings a note",
            .enabled(if: !hasSequencer))
        func noSequencerForButtons() async throws {
            let asked = try await play { $0.cables[Setting.midiIn] = "all" }
            #expect(asked == (69, "barline: error: \(Self.noSequencer)\n"))
            let settings = ["BARLINE_MIDI_IN": "nanoKONTROL"]
            #expect(try await play("bars: [0.1]\n", settings) == (0, note(Self.noSequencer)))
            #expect(try await play("bars: [0.1]\n", settings) { $0.cables[Setting.midiIn] = .some(nil) } == (0, ""))
        }

        @Test(
            "MIDI timecode by the settings means scores that have a timecode, of a rate that MIDI has; others are played as without it"
        )
        func timecodeOfSettings() async throws {
            let plain = try await play("bars: [0.1]\n", ["BARLINE_MTC": "on"])
            #expect(plain.code == 0 && !plain.errors.contains("timecode"), "\(plain.errors)")
            let slow = try await play("timecode: 01:00:00:00 @ 23.976\nbars: [0.1]\n", ["BARLINE_MTC": "on"])
            let why = "MIDI timecode has no rate of 23.976: use --ltc-start with @ 24"
            #expect(slow.code == 0 && slow.errors.contains(note(why)), "\(slow.errors)")
        }

        @Test(
            "timecode that MIDI cannot carry is refused with the name of its score and what would do",
            arguments: [
                (nil, "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"),
                ("01:00:00:00 @ 23.976", "MIDI timecode has no rate of 23.976: use --ltc-start with @ 24"),
                ("01:00:00:00 @ 29.97 ndf", "MIDI timecode has no rate of 29.97 ndf: use --ltc-start with @ 29.97"),
            ] as [(String?, String)])
        func rates(start: String?, why: String) async throws {
            let refused = try await play {
                $0.cables[Setting.mtc] = true
                $0.timecode.start = try start.map { try Timecode(scoreText: $0) }
            }
            #expect(refused.code == 64 && refused.errors.contains("score.yaml: \(why)"), "\(refused.errors)")
        }

        @Test("without a JACK server, its transport is an error if it is asked for, and a note if a setting names it")
        func noJack() async throws {
            setenv("JACK_DEFAULT_SERVER", "nobody", 1)
            let reason = "--jack-transport: no JACK server runs, or the library libjack.so.0 is missing"
            let second = Duration.seconds(2)
            #expect(
                try await play("bars: [0.1]\n") { $0.cables[Setting.jackTransport] = second }
                    == (69, "barline: error: \(reason)\n"))
            let settings = ["BARLINE_JACK_TRANSPORT": "2s"]
            #expect(try await play("bars: [0.1]\n", settings) == (0, note(reason)))
            #expect(
                try await play("bars: [0.1]\n", settings) { $0.cables[Setting.jackTransport] = .some(nil) } == (0, ""))
        }

        @Test("a set list does not follow JACK's transport: an error if that is asked for, and a note by a setting")
        func setList() async throws {
            let reason = "--jack-transport is for one score, and not with --serve or --then"
            let asked = try await play("bars: [0.1]\n") {
                ($0.cables[Setting.jackTransport], $0.next) = (.seconds(2), ["metronome"])
            }
            #expect(asked == (64, "barline: error: \(reason)\n"))
            let home = Home()
            try home.folder.write("score.yaml", "bars: [0.1]\n")
            let code = try await home.playSilently("score.yaml", ["BARLINE_JACK_TRANSPORT": "2s"]) {
                $0.next = [home.folder("score.yaml")]
            }
            #expect(code == 0 && home.errors == note(reason), "\(home.errors)")
        }
    }
}
