import Application
import Cables
import Scores
import Shared
import Testing
import Timing
import UserSettings

extension LiveTests {
    /// Practice, checked with the timing log.
    @Suite struct PracticeTests {
        private static let piece = "title: Piece\nlines: [[0.1, 0.2], [0.1, 0.1], [0.1, 0.3]]\n"

        private func rows(
            _ score: String = PracticeTests.piece, _ change: (inout PlayRequest) throws -> Void
        ) async throws -> [TimingRow] {
            let home = Home()
            var request = PlayRequest(try home.write("piece.yaml", score))
            request.device = DeviceRequest(try home.card())
            request.clock.timingLog = home.folder("log.csv")
            try change(&request)
            let code = try await home.run(request) { try await $0.play() }
            #expect(code == 0, "\(home.errors)")
            return TimingLog.read(home.folder.bytes("log.csv"), file: "log.csv").rows
        }

        private func bars(of program: String) async throws -> [Int] {
            try await rows { $0.practice.program = try PracticeProgram(scoreText: program) }.map(\.index)
        }

        @Test("practice programs play their bars in order") func practiceProgramsPlayTheirBarsInOrder() async throws {
            #expect(try await bars(of: "each 2") == [1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6])
            #expect(try await bars(of: "column 2") == [2, 4, 6])
            #expect(try await bars(of: "ladder 200% 100% 400%").count == 18)
            #expect(try await bars(of: "random 3").sorted() == [1, 2, 3, 4, 5, 6])
            let silent = try await rows { $0.practice.silentBars = try Performance.Silence(scoreText: "1 of 2") }
            #expect(silent.map(\.index) == [1, 2, 3, 4, 5, 6])
            let faster = try await rows {
                ($0.performance.countIn, $0.performance.passage.to) = (.off, "1.2")
                $0.practice.program = try PracticeProgram(scoreText: "faster 50% every 2 to 200%")
                $0.performance.passage.speed = try Speed(scoreText: "100%")
            }
            #expect(faster.map(\.index) == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
        }

        @Test("the practice log has the speed that sounded last, and the one that the ladder was to reach")
        func speeds() async throws {
            let home = Home()
            var long = PlayRequest(try home.write("long.yaml", "bars: [1, 60]\n"))
            long.device = DeviceRequest(try home.card())
            long.performance.countIn = .off
            long.practice.program = try PracticeProgram(scoreText: "ladder 50% 25% 100%")
            var brief = long
            brief.score = try home.write("brief.yaml", "bars: [0.2, 0.4]\n")
            var plain = brief
            (plain.score, plain.practice.program) = (try home.write("plain.yaml", "bars: [0.5, 0.4]\n"), nil)
            let stopped = long
            async let code = home.run { try await stopped.play() }
            try await home.wait(for: "the second bar") { home.text.contains("\n    1.2 ") }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
            for request in [brief, plain] {
                #expect(try await home.run(request) { try await $0.play() } == 0, "\(home.errors)")
            }
            #expect(home.practice.map { [$0[3], $0[5]] } == [["50", "100"], ["100", "100"], ["100", ""]])
        }

        @Test(
            "a loop and a program of the options can be left, in scores and in plans: then the piece is played to its end",
            arguments: [
                ("score.yaml", "each 2", true), ("run 0:01, walk 0:01, run 0:01", nil, true),
                ("score.yaml", "ladder 50% 1% 100%", false),
            ] as [(String, String?, Bool)])
        func left(piece: String, program: String?, loops: Bool) async throws {
            let (home, sender) = (Home(), try DatagramSocket())
            let port = try DatagramSocket().port
            try home.folder.write("score.yaml", "lines: [[0.4, 0.3], [0.3, 0.4]]\n")
            async let code = home.playSilently(piece) {
                $0.cables[Setting.oscIn] = try OSCAddress("\(port)")
                $0.practice.program = try program.map { try PracticeProgram(scoreText: $0) }
                ($0.performance.loop, $0.performance.countIn) = (loops, .off)
                $0.performance.cues.noCues = true
            }
            // The lines of bars and of intervals are indented.
            @Sendable func count() -> Int { home.text.split(separator: "\n").count { $0.hasPrefix("    ") } }
            try await home.wait(for: "a second pass") { count() > (loops ? 4 : 0) }
            try await home.wait(for: "the end") {
                sender.send(OSCMessage("/barline/loop-end").bytes, to: port)
                return home.text.hasSuffix("\nend\n")
            }
            #expect(try await code == 0, "\(home.errors)")
            #expect(loops || count() < 100, "\(home.text)")
        }

        @Test("a program that lacks the bar at which the piece was left says so, and begins at its own first bar")
        func resumed() async throws {
            let home = Home()
            var request = PlayRequest(try home.write("piece.yaml", "lines: [[0.7, 60]]\n"))
            request.device = .null
            (request.performance.countIn, request.resume) = (.off, true)
            let first = request
            async let code = home.run { try await first.play() }
            try await home.wait(for: "the second bar") { home.bars.count == 2 }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
            request.practice.program = try PracticeProgram(scoreText: "column 1")
            #expect(try await home.run(request) { try await $0.play() } == 0, "\(home.errors)")
            #expect(home.errors.contains("was left at 1.2, which is not played: it begins at the first bar"))
            #expect(home.bars.count == 1, "\(home.text)")
        }

        @Test("a start time applies to the first piece only") func aStartTimeAppliesToTheFirstPieceOnly() async throws {
            let home = Home()
            var request = PlayRequest(try home.write("one.yaml", "title: one\nbars: [0.02]\n"))
            request.next = [try home.write("two.yaml", "title: two\nbars: [0.02]\n")]
            request.device = DeviceRequest(try home.card())
            // Far enough ahead for a busy machine, which would otherwise wait until tomorrow.
            let now = LocalTime.now.text.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
            request.clock.at = (((now[0] * 60 + now[1]) * 60 + now[2] + 10) % 86_400) * 1000
            // If the second piece waited until tomorrow, this would never end.
            #expect(try await home.run(request) { try await $0.play() } == 0, "\(home.errors)")
            #expect(home.text.split(separator: "\n").count { $0.contains("1 bar") } == 2, "\(home.text)")
        }

        @Test("a ladder plays faster each time") func aLadderPlaysFasterEachTime() async throws {
            let rows = try await rows("bars: [0.2, 0.2]\n") {
                $0.practice.program = try PracticeProgram(scoreText: "ladder 50% 50% 200%")
            }
            let nominal = rows.map { Int(($0.nominal / .microseconds(1)).rounded()) }
            #expect(nominal == [0, 400_000, 800_000, 1_000_000, 1_200_000, 1_333_333, 1_466_667, 1_566_667])
        }
    }

    /// The timing log, and the properties of a device that are kept between runs.
    @Suite struct LogTests {
        private static let score = "bars: [0.1, {duration: 0.2, label: \"B, b\"}, 0.15]\n"

        private func play(
            in home: Home, _ change: (inout PlayRequest) -> Void = { _ in }
        ) async throws -> Int32 {
            var request = PlayRequest(try home.write("score.yaml", LogTests.score))
            request.device = DeviceRequest(try home.card())
            change(&request)
            return try await home.run(request) { try await $0.play() }
        }

        @Test("the timing log has a row for every boundary", arguments: [true, false])
        func theTimingLogHasARowForEveryBoundary(followsClock: Bool) async throws {
            let home = Home()
            let code = try await play(in: home) {
                ($0.clock.followsClock, $0.performance.passage.times) = (followsClock, 2)
                $0.clock.timingLog = home.folder("log.csv")
            }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            let rows = home.folder.text("log.csv").split(separator: "\n")
            #expect(
                rows.first == "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar")
            #expect(rows.count == 7)
            for (row, start) in zip(rows.dropFirst(), ["0.000", "0.100", "0.300", "0.450", "0.550", "0.750"]) {
                #expect(row.contains(",\(start)000000,"), "\(row)")
            }
            #expect(rows.count > 2 && rows[2].hasPrefix("2,\"B, b\",0.100000000,"))
        }

        @Test("a log that cannot be written is an error before any sound")
        func aLogThatCannotBeWrittenIsAnErrorBeforeAnySound() async throws {
            let home = Home()
            let path = home.folder("none/log.csv")
            #expect(try await play(in: home) { $0.clock.timingLog = path } == 73)
            #expect(home.errors == "barline: error: '\(path)' cannot be written: No such file or directory\n")
            #expect(home.text == "")
        }

        @Test("the music plays on when the log's disk is full") func theMusicPlaysOn() async throws {
            let home = Home()
            #expect(try await play(in: home) { $0.clock.timingLog = "/dev/full" } == 73)
            #expect(home.text.hasSuffix("end\n"))
            #expect(home.errors == "barline: error: '/dev/full' cannot be written: No space left on device\n")
        }

        @Test("a latency is remembered for its device") func aLatencyIsRememberedForItsDevice() async throws {
            let home = Home()
            let code = try await play(in: home) { $0.clock[Setting.latency] = -12.5 }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            let kept = home.folder.text("home/.local/state/barline/cards.csv").split(separator: "\n")
            #expect(kept.first == "device,ppm,uncertainty_ppm,latency_ms")
            #expect(kept.count == 2 && kept[1].hasSuffix(",-12.5"), "\(kept)")
        }

        @Test("nothing may be written over what is read") func sameFile() async throws {
            let home = Home()
            #expect(try await play(in: home) { $0.clock.timingLog = $0.score } == 73)
            #expect(home.errors.contains("is the score: give the timing log another name"), "\(home.errors)")
            #expect(try await play(in: home) { $0.record.record = $0.score } == 73)
            #expect(home.errors.contains("is the score or the timing log"), "\(home.errors)")
            #expect(home.folder.text("score.yaml") == LogTests.score && home.text == "")
        }
    }
}
