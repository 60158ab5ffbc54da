import Application
import Cables
import Foundation
import Scores
import Session
import Shared
import Testing
import Timing
import UserSettings

extension DatagramSocket {
    /// All messages of OSC that have arrived.
    fileprivate func messages() -> [OSCMessage] { datagrams().flatMap { OSCMessage.read($0) ?? [] } }
}

extension LiveTests {
    /// OSC to and from other machines.
    @Suite struct OSCTests {
        /// Plays four bars in half a second.
        private func play(
            in home: Home, _ settings: [String: String] = [:],
            _ change: @Sendable (inout PlayRequest) throws -> Void = { _ in }
        ) async throws -> Int32 {
            try home.folder.write("small.yaml", SampleTexts.small)
            return try await home.playSilently("small.yaml", settings) {
                ($0.performance.countIn, $0.performance.passage.speed) = (.off, try Speed(scoreText: "300%"))
                try change(&$0)
            }
        }

        @Test(
            "two receivers are told each bar with its line, label and cue, and the end, also where the music is heard late",
            arguments: [(ahead: nil, latency: nil), (.milliseconds(300), nil), (nil, 850)]
                as [(ahead: Duration?, latency: Double?)])
        func tells(ahead: Duration?, latency: Double?) async throws {
            let (home, one, two) = (Home(), try DatagramSocket(), try DatagramSocket())
            let code = try await play(in: home) {
                $0.cables[Setting.osc] = try [OSCAddress("127.0.0.1:\(one.port)"), OSCAddress("\(two.port)")]
                ($0.cables[Setting.oscAhead], $0.clock[Setting.latency]) = (ahead, latency.map(Optional.some))
            }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            let messages = one.messages()
            #expect(two.messages() == messages)
            func values(_ name: String) -> [[OSCMessage.Value]] {
                messages.filter { $0.address == "/barline/" + name }.map(\.values)
            }
            let bars: [[OSCMessage.Value]] = [
                [.int(1), .int(1), .int(1)], [.int(1), .int(2), .int(2)], [.int(2), .int(1), .int(3)],
                [.int(2), .int(2), .int(4)],
            ]
            #expect(values("bar").map { Array($0.prefix(3)) } == bars)
            #expect(values("line") == [[.int(1)], [.int(2)]])
            #expect(values("label") == [[.string("A")], [.string("say \"x\", y")], [.string("日本")]])
            #expect(values("cue") == [[.string("Go")]])
            #expect(values("state").last == [.string("ended")])
        }

        @Test("a receiver that is not there is told of once, and the music plays to its end")
        func nobody() async throws {
            let (home, port) = (Home(), try DatagramSocket().port)
            #expect(try await play(in: home) { $0.cables[Setting.osc] = [try OSCAddress("\(port)")] } == 0)
            let note = "note: OSC to 127.0.0.1:\(port) does not arrive (Connection refused); the music goes on"
            #expect(home.errors == "barline: \(note)\n" && home.text.hasSuffix("\nend\n"))
            // Beside another one, it is missed in the status.
            let (other, there) = (Home(), try DatagramSocket())
            async let code = play(in: other) {
                $0.performance.passage.speed = try Speed(scoreText: "30%")
                $0.cables[Setting.osc] = try [OSCAddress("\(port)"), OSCAddress("\(there.port)")]
            }
            try await other.wait(for: "the note") { other.errors.contains("does not arrive") }
            #expect(try await other.ask(.statusJSON).contains(#""direction": "out", "state": "alive", "gone": 1}"#))
            #expect(try await other.ask(.stop) == "stopped")
            #expect(try await code == 0)
        }

        @Test(
            "commands that arrive do what keys do, hostile datagrams change nothing, and scores of the list are opened, but no files"
        )
        func obeys() async throws {
            let (home, sender, port) = (Home(), try DatagramSocket(), try DatagramSocket().port)
            try home.folder.write("long.yaml", "title: Long\nlines: [[3000, 600], [900]]\n")
            // A file of this folder has the name of a score of the list.
            let own = "own-\(port)"
            try home.folder.write("data/barline/scores/\(own).yaml", "title: Of the list\nbars: [3000]\n")
            try Data("title: Of the folder\nbars: [3000]\n".utf8).write(to: URL(fileURLWithPath: own))
            defer { try? FileManager.default.removeItem(atPath: own) }
            @Sendable func send(_ name: String, _ value: OSCMessage.Value? = nil) {
                sender.send(OSCMessage("/barline/" + name, value.map { [$0] } ?? []).bytes, to: port)
            }
            async let code = home.playSilently("long.yaml") {
                $0.cables[Setting.oscIn] = try OSCAddress("\(port)")
            }
            try await home.wait(for: "a bar") { !home.bars.isEmpty }
            /// Sends a message again until the status has these words: the system drops datagrams of a flood.
            @Sendable func expect(_ words: String, after send: @Sendable () -> Void = {}) async throws {
                try await wait(for: "\(words) in the status") {
                    send()
                    return try await home.ask(.statusJSON).contains(words)
                } orTell: {
                    try await home.ask(.statusJSON) + home.errors
                }
            }
            /// The status of the music, without the delay of commands and the signs of life of the cables, which follow what
            /// the machine does.
            func music() async throws -> [Substring] {
                try await home.ask(.statusJSON).split(separator: ", ").filter { !$0.contains("_delay_s") }
                    .prefix { !$0.hasPrefix("\"cables\"") }
            }
            send("pause")
            try await expect("\"paused\"")
            send("next-line", .float(1))
            try await expect("\"line\": 2")
            let before = try await music()
            var random = Seeded(state: 7)
            let good = OSCMessage("/barline/previous-line", [.int(1)]).bytes
            for round in 0..<10_000 {
                let noise = (0..<random.int(0...64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                sender.send(round % 2 == 0 ? Array(good.dropLast(random.int(1...4))) : noise, to: port)
            }
            for name in ["../long.yaml", "long.yaml", "/etc/passwd", "", String(repeating: "x", count: 101)] {
                send("open", .string(name))
            }
            send("open", .int(1))
            #expect(try await music() == before)
            try await expect("\"line\": 1, \"bar\": 2,") { send("go-to", .string("1.2")) }
            try await home.wait(for: "what cannot be opened") {
                send("open", .string("../long.yaml"))
                return home.errors.contains("barline: note: OSC: there is no score ")
            }
            // The last name counts, also if it comes while another one is looked for.
            for name in ["none", "nothing", "sequenza-vii"] { send("open", .string(name)) }
            try await expect("Sequenza")
            try await expect("Of the ") { send("open", .string(own)) }
            try await expect("Of the list")
            // A command that comes between two pieces has nobody to carry it out.
            try await wait(for: "the end") {
                send("quit")
                do { _ = try await home.ask(.status) } catch SessionError.none { return true }
                return false
            }
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.text.contains("\nstopped at line "), "\(home.text)")
        }

        @Test(
            "a score that cannot be played with the options leaves the music alone, and none begins while the music ends",
            arguments: [
                (false, "/one-bar.yaml cannot be played with the options of the program; "),
                (true, "the music is being ended: nothing else begins"),
            ])
        func refuses(isEnding: Bool, why: String) async throws {
            let (home, sender, port) = (Home(), try DatagramSocket(), try DatagramSocket().port)
            try home.folder.write("first.yaml", "title: First\ndrone: {pitch: A4, fade: 2}\nbars: [1, 3000]\n")
            try home.folder.write("data/barline/scores/one-bar.yaml", "bars: [1]\n")
            @Sendable func send(_ name: String, _ values: OSCMessage.Value...) {
                sender.send(OSCMessage("/barline/" + name, values).bytes, to: port)
            }
            async let code = home.playSilently("first.yaml") {
                $0.cables[Setting.oscIn] = try OSCAddress("\(port)")
                $0.practice.program = try PracticeProgram(scoreText: "column 2")
            }
            try await home.wait(for: "a bar") { !home.bars.isEmpty }
            // The end fades for two seconds.
            if isEnding { send("quit") }
            try await home.wait(for: "the refusal") {
                send("open", .string(isEnding ? "metronome" : "one-bar"))
                return home.errors.contains("barline: note: OSC: ") && home.errors.contains(why)
            }
            if !isEnding {
                #expect(try await home.ask(.status).hasPrefix("First, "))
                #expect(try await home.ask(.stop) == "stopped")
            }
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.text.contains("\nstopped at line 1, bar 2"), "\(home.text)")
        }

        @Test("settings open OSC for every performance, and what they name may be missing")
        func settings() async throws {
            let (home, one, two) = (Home(), try DatagramSocket(), try DatagramSocket())
            let settings = [
                "BARLINE_OSC": "127.0.0.1:\(one.port) \(two.port)", "BARLINE_OSC_IN": "\(one.port)",
            ]
            #expect(try await play(in: home, settings) == 0)
            let taken = "--osc-in: nothing can be received at '127.0.0.1:\(one.port)'"
            #expect(home.errors == "barline: note: \(taken); the music goes on\n")
            let (first, second) = (one.messages(), two.messages())
            #expect(first == second && first.count { $0.address == "/barline/bar" } == 4)
            let asked = try await play(in: home, settings) {
                $0.cables[Setting.oscIn] = try OSCAddress("\(one.port)")
            }
            #expect(asked == 64 && home.errors == "barline: error: \(taken)\n")
            let off = try await play(in: home, settings) {
                ($0.cables[Setting.osc], $0.cables[Setting.oscIn]) = ([], .some(nil))
            }
            #expect(off == 0 && home.errors.isEmpty && one.messages().isEmpty)
        }

        @Test("messages of a score that go nowhere are named, and those of another voice, too")
        func nowhere() async throws {
            let (home, receiver) = (Home(), try DatagramSocket())
            try home.folder.write(
                "duo.yaml",
                """
                voices:
                  flute: {lines: [{bars: [0.1, {duration: 0.1, send: /go}]}]}
                  oboe: {lines: [{bars: [{duration: 0.2, send: midi program 5}]}]}

                """)
            let (osc, midi) = (
                "barline: note: the score sends OSC, and no --osc HOST:PORT says where to: nothing is sent\n",
                "barline: note: the score sends MIDI, and no --midi PORT says where to: nothing is sent\n"
            )
            #expect(try await home.playSilently("duo.yaml") == 0)
            #expect(home.errors == osc + midi)
            #expect(
                try await home.playSilently("duo.yaml") {
                    $0.cables[Setting.osc] = [try OSCAddress("\(receiver.port)")]
                } == 0)
            #expect(home.errors == midi && receiver.messages().contains { $0.address == "/go" })
        }
    }
}
