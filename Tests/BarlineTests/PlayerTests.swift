import Barline
internal import Shared
internal import Testing

@Suite struct PlayerTests {
    private static func score(_ seconds: [Double], label: String = "") -> Score {
        Score(lines: [Score.Line(label: label, bars: seconds.map { Score.Bar(.seconds($0)) })])
    }

    @Test("every boundary of a piece is reported in order, with its place, its time, and whether it was heard")
    func boundaries() async throws {
        let player = try await Player(Self.score([0.03, 0.02, 0.04]), device: "null")
        var heard: [Boundary] = []
        for await boundary in player.boundaries { heard.append(boundary) }
        #expect(heard.map(\.place) == ["1.1", "1.2", "1.3"])
        #expect(heard.map(\.line) == [1, 1, 1])
        #expect(heard.map(\.nominal) == [.zero, .milliseconds(30), .milliseconds(50)])
        #expect(heard.map(\.isHeard) == [true, true, true])
    }

    @Test("any task that follows a player after its end still gets all boundaries")
    func late() async throws {
        let player = try await Player(Self.score([0.01, 0.01]), device: "null")
        await player.finish()
        for _ in 0..<2 {
            var count = 0
            for await _ in player.boundaries { count += 1 }
            #expect(count == 2)
        }
        #expect(await player.moment == .end)
    }

    @Test("no boundary is reported before its time")
    func moments() async throws {
        let began = ContinuousClock.now
        let player = try await Player(Self.score([0.1, 0.1, 0.1]), device: "null")
        for await boundary in player.boundaries { #expect(ContinuousClock.now - began >= boundary.nominal) }
    }

    @Test("the boundaries of a muted performance are reported as not heard")
    func muted() async throws {
        var performance = try Performance(Self.score([0.01, 0.01]))
        performance.clickLevel = .off
        let player = try await Player(performance, device: "null")
        var heard: [Bool] = []
        for await boundary in player.boundaries { heard.append(boundary.isHeard) }
        #expect(heard == [false, false])
    }

    @Test("a piece can be paused, resumed, looped and stopped, and commands after the end do nothing")
    func commands() async throws {
        let player = try await Player(Self.score([5, 5, 0.01, 5], label: "A"), device: "null")
        await player.pause()
        await player.goOn()
        try await player.loop("3")
        try await player.go(to: "1.3")
        var count = 0
        for await boundary in player.boundaries where boundary.place == "1.3" {
            count += 1
            if count == 3 { break }
        }
        await player.leaveLoop()
        await player.play(at: Speed(percent: 50))
        await player.drone(.frequency(9000))
        #expect(await player.status?.performance.drone?.pitch == .frequency(8000))
        await player.drone(.b4)
        await player.stop()
        await player.finish()
        await player.pause()
        await player.stop()
        #expect(await player.moment == .end)
    }

    @Test("a place that the piece does not have is an error, not a jump")
    func places() async throws {
        let player = try await Player(Self.score([5, 5]), device: "null")
        await #expect(throws: TextError.self) { try await player.go(to: "3") }
        await #expect(throws: TextError.self) { try await player.loop("2", to: "1") }
        await player.stop()
    }

    @Test("each reason why a piece cannot be played has its own error")
    func errors() async throws {
        let score = Self.score([1])
        await #expect(throws: PlayerError.noSuchDevice("no such device")) {
            _ = try await Player(score, device: "no such device")
        }
        await #expect(throws: PlayerError.performance(.a4(4420))) { _ = try await Player(score, a4: 4420) }
        #expect(throws: PerformanceError.a4(.infinity)) { _ = try Renderer(score, a4: .infinity) }
        #expect(throws: PerformanceError.times(0)) { _ = try Performance(score, times: 0) }
        #expect(throws: PerformanceError.nothingBetween("1", "1.0")) {
            do throws(PerformanceError) {
                _ = try Performance(score, from: "1", to: "1.0")
            } catch {
                guard case .noSuchPlace = error else { throw error }
                throw PerformanceError.nothingBetween("1", "1.0")
            }
        }
    }

    @Test("extreme values in commands are ignored or clamped, and never trap", .timeLimit(.minutes(60)))
    func extremes() async throws {
        let player = try await Player(Self.score([5, 5, 5]), device: "null")
        let commands: [Command] = [
            .speed(change: .max), .speed(change: .min), .jump(.bar(.max)), .jump(.bar(.min)),
            .jump(.time(.seconds(Int64.max))),
            .jump(.time(.seconds(Int64.min))), .practice([], passes: nil),
            .practice([Passage.Stretch(7..<900)], passes: 1),
            .practice(nil, passes: .min), .dronePitch(semitones: .max),
            .drone([Score.Drone.Note(.note(.max, cents: .nan))]), .drone([]),
            .drone([Score.Drone.Note(.ratio(0, 0, of: .min, cents: .infinity))]), .droneLevel(decibels: .nan),
            .a4(hertz: .nan),
            .a4(hertz: .infinity), .clickLevel(decibels: -.infinity), .clickLevel(decibels: .nan),
            .nudge(.seconds(Int64.min)), .revert,
        ]
        for command in commands { await player.perform(command) }
        await player.stop()
        await player.finish()
    }
}
