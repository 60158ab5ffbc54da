import Application
import Glibc
import Scores
import Session
import Shared
import Testing
import UserSettings

extension LiveTests {
    /// The lines of a performance without a terminal, and how it ends when another terminal stops it.
    @Suite struct EndTests {
        @Test("the lines tell the time in the score, and how long a bar lasts at the speed")
        func lines() async throws {
            let home = Home()
            try home.folder.write("brief.yaml", "bars: [{duration: 0.1, cue: Go}, 0.2]\n")
            let code = try await home.playSilently("brief.yaml") {
                ($0.performance.passage.speed, $0.performance.passage.times) = (try Speed(scoreText: "50%"), 2)
            }
            #expect(
                home.text == """
                    4 bars, 0:01.2, 50%, no drone
                        1.1    0:00.000    0.200 s  Go
                        1.2    0:00.100    0.400 s
                        1.1    0:00.000    0.200 s  Go
                        1.2    0:00.100    0.400 s
                    end

                    """)
            #expect(home.errors == "" && code == 0)
        }

        /// Stops a score once its lines have this text; returns all lines.
        private func stop(
            _ score: String, after text: String, _ change: @Sendable (inout PlayRequest) throws -> Void = { _ in }
        ) async throws -> [Substring] {
            let home = Home()
            try home.folder.write("score.yaml", score)
            async let code = home.playSilently("score.yaml", [:], change)
            try await home.wait(for: text) { home.text.contains(text) }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0 && home.errors == "", "\(home.errors)")
            return home.text.split(separator: "\n")
        }

        @Test("a stop in the count-in and at a hold ends where the music stood")
        func standing() async throws {
            // It may come before the first beat.
            let counted = try await stop("title: Counted\nbars: [60]\n", after: "Counted") {
                $0.performance.countIn = .time(.seconds(60))
            }
            #expect(["stopped in the count-in", "stopped before the start"].contains(counted.last))
            #expect(!counted.contains { $0.contains("1.1 ") })
            let held = try await stop("bars: [0.2, {duration: 0.2, hold: until cue at 0.1}, 0.2]\n", after: "holding") {
                $0[Setting.wait] = true
            }
            #expect(held.last?.hasPrefix("stopped at line 1, bar 2, ") == true, "\(held)")
            #expect(held.count { $0 == "holding" } == 1 && !held.contains { $0.contains("1.3 ") }, "\(held)")
        }

        /// Bars of a millisecond, more than can be queued or printed in time.
        @Test("a score that is too dense for the queue still ends when it is stopped, with a line for each bar before")
        func dense() async throws {
            let lines = try await stop("lines: [{repeat: 1000000, bars: [0.001]}]\n", after: "\n  200.1 ")
            // Lines of dropouts may stand between them.
            let bars = lines.compactMap { try? #/ *(\d+)\.1 .*/#.wholeMatch(in: $0) }.compactMap { Int($0.1) }
            #expect(bars.count >= 200 && bars == Array(1...bars.count), "\(bars)")
            // The stop can take effect just before bars that have their lines already.
            let stop = try #require(lines.last?.firstMatch(of: #/^stopped at line (\d+), bar 1, /#))
            #expect((200...bars.count).contains(Int(stop.1) ?? 0), "\(lines.suffix(2))")
        }

        @Test(
            "holds do not wait where nobody is asked for a cue, and an interval waits for the lap button all the same")
        func holds() async throws {
            let home = Home()
            try home.folder.write("hold.yaml", "bars: [{duration: 0.1, hold: until cue}, 0.1]\n")
            #expect(try await home.playSilently("hold.yaml") == 0)
            #expect(home.text.hasSuffix("1.2    0:00.100    0.100 s\nend\n"), "\(home.text)")
            async let code = home.playSilently("run 0:00.2, rest until lap, run 0:00.2") {
                ($0.performance.countIn, $0.performance.cues.noCues) = (.off, true)
            }
            try await home.wait(for: "the lap button") { home.text.contains("until lap") }
            let status = try await home.ask(.status)
            #expect(
                status.hasPrefix("rest, +0:") && status.contains(" until lap, then run 0:00.2, 0:00 of 0:00 timed"),
                "\(status)")
            #expect(try await home.ask(.statusJSON).contains("\"holding\""))
            #expect(try await home.ask(.continue) == "continued")
            #expect(try await code == 0)
            #expect(
                home.text == """
                    3 intervals, at least 0:00
                         0:00  run 1 of 2, 0:00.2
                       0:00.2  rest, until lap (`barline continue` goes on)
                       0:00.2  run 2 of 2, 0:00.2
                    end

                    """)
        }

        @Test("another terminal ends a hold and a pause; what goes on already says so, and a second play is refused")
        func fromElsewhere() async throws {
            let home = Home()
            try home.folder.write("hold.yaml", "bars: [{duration: 600, hold: until cue at 0.2}, 3000]\n")
            async let code = home.playSilently("hold.yaml") { $0[Setting.wait] = true }
            try await home.wait(for: "the hold") { home.text.contains("holding") }
            #expect(try await home.ask(.status).contains(", holding (`barline continue` to go on)"))
            for (request, answer) in [
                (.continue, "continued"), (.continue, "already playing"), (.pause, "paused"), (.pause, "resumed"),
                (.pause, "paused"), (.continue, "continued"),
            ] as [(SessionRequest, String)] {
                #expect(try await home.ask(request) == answer)
            }
            let second = Home(of: home)
            #expect(try await second.playSilently("metronome") == 75)
            #expect(second.text == "" && second.errors.hasPrefix("barline: error: already playing: "))
            #expect(second.errors.hasSuffix("; `barline stop` ends it, `barline pause` pauses it\n"))
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0 && home.text.contains("\nstopped "), "\(home.text)")
            await #expect(throws: SessionError.none) { try await home.ask(.status) }
        }

        @Test("a timing log that nobody reads does not stop the music") func unreadLog() async throws {
            let home = Home()
            try home.folder.write("bars.yaml", "lines: [{repeat: 300, bars: [0.003]}]\n")
            let path = home.folder("log")
            try #require(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(reader) }
            // F_SETPIPE_SZ of Linux, a macro that Swift does not see: a page is full after a fraction of a second.
            try #require(reader >= 0 && fcntl(reader, 1031, 4096) == 4096)
            #expect(try await home.playSilently("bars.yaml") { $0.clock.timingLog = path } == 73)
            #expect(home.text.hasSuffix("\nend\n"))
            #expect(
                home.errors == "barline: error: '\(path)' cannot be written: Resource temporarily unavailable\n")
        }

        @Test("a conflict of keys in the settings file is an error with its place, before anything plays")
        func conflict() async throws {
            let home = Home()
            try home.folder.write("home/.config/barline/config.yaml", "a4: 442\nkeys: pause b\n")
            #expect(try await home.playSilently("metronome") == 65)
            let place = home.folder("home/.config/barline/config.yaml") + ":2:7"
            #expect(
                home.errors.hasPrefix("\(place): error: the key 'b' of pause has the action a4-up already"),
                "\(home.errors)")
            #expect(home.text == "")
        }
    }
}
