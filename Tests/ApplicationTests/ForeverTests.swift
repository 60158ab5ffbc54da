import Application
import Shared
import Testing

extension LiveTests {
    /// Endless repeats: of a score, of a plan, and of a cue.
    @Suite struct ForeverTests {
        private static let score = "title: Round\nrepeat: forever\nlines: [[0.1, 0.2], [0.3]]\n"

        /// Plays until the third round, and stops it.
        private func play(
            in home: Home, _ second: String, _ third: String, _ body: @escaping @Sendable () async throws -> Void
        ) async throws {
            async let code = home.run { try await body() }
            try await home.wait(for: "the third round") { home.text.contains(third) }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.text.contains("until stopped") && home.text.contains(second), "\(home.text)")
            #expect(home.text.contains("\nstopped "), "\(home.text)")
        }

        @Test("an endless repeat is played until it is stopped") func itIsPlayedUntilStopped() async throws {
            let home = Home()
            var score = PlayRequest(try home.write("round.yaml", Self.score))
            score.device = DeviceRequest(try home.card())
            var plan = PlayRequest("run 0:00.1, walk 0:00.2, run 0:00.3, forever")
            (plan.device, plan.performance.countIn, plan.performance.cues.noCues) = (score.device, .off, true)
            var cue = EveryRequest(.milliseconds(100))
            cue.device = score.device
            let (one, two, three) = (score, plan, cue)
            try await play(in: home, "    1.1    0:00.600 ", "    1.1    0:01.200 ") { try await one.play() }
            try await play(in: home, "   0:00.6  run 3, 0:00.1", "   0:01.2  run 5, 0:00.1") { try await two.play() }
            try await play(in: home, "   0:00.6  interval 7, 0:00.1", "   0:01.2  interval 13, 0:00.1") {
                try await three.play()
            }
        }

        @Test("an endless repeat begins in a later pass, where it comes to the time")
        func laterPass() async throws {
            let home = Home()
            let round = try home.write("round.yaml", "repeat: forever\nbars: [2, 3, 1.5]\n")
            func places(_ from: String, times: Int?) async throws -> [String] {
                var request = TimelineRequest(round)
                (request.style, request.passage.from, request.passage.times) = (.csv, from, times)
                guard try await home.run(request, [:], { try $0.print() }) == 0 else { return [home.errors] }
                return home.text.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "," }) }
            }
            #expect(try await places("0:10", times: 3) == ["2", "3", "1", "2", "3"])
            #expect(try await places("0:10", times: nil) == ["2", "3"])
            #expect(try await places("0:06.5", times: 2) == ["1", "2", "3"])
            #expect(try await places("0:05", times: 2) == ["3", "1", "2", "3"])
            #expect(try await places("0:13", times: 2)[0].contains("there is no bar at 0:13"))
            var sound = RenderRequest(round, to: home.folder("x.wav"))
            (sound.performance.passage.from, sound.performance.passage.times) = ("0:10", 2)
            #expect(try await home.run(sound) { try $0.render() } == 0, "\(home.errors)")
        }

        @Test("an endless repeat is listed once; a whole score repeats only forever, not a number of times")
        func listedOnce() async throws {
            let home = Home()
            let round = try home.write("round.yaml", Self.score)
            #expect(try await home.run { try TimelineRequest(round).print() } == 0)
            #expect(home.text.hasSuffix("\n3 bars, 0:00.600\n"), "\(home.text)")
            #expect(try await home.run { try CheckRequest([round]).check() } == 0)
            #expect(home.text.hasSuffix(": 2 lines, 3 bars, 0:00.6, repeated until stopped\n"), "\(home.text)")
            let twice = try home.write("twice.yaml", "repeat: 2\nlines: [[1]]\n")
            #expect(try await home.run { try CheckRequest([twice]).check() } == 65)
            #expect(home.errors.contains("'repeat: forever' repeats the whole score until stopped"), "\(home.errors)")
        }
    }
}
