internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// Cards whose pointers move in large steps, or whose buffers have few periods.
@Suite struct CoarseCardTests {
    /// The positions at which the pointer was seen, in order.
    private static func places(_ simulation: Simulation, _ player: Player, milliseconds: Int) throws -> [Int] {
        var places = [0]
        for _ in 0..<milliseconds * 20 {
            simulation.advance(nanoseconds: 50_000)
            let place = try player.avail()
            if place != places.last { places.append(place) }
        }
        return places
    }

    private static func steps(_ places: [Int]) -> [Int] { zip(places, places.dropFirst()).map { $1 - $0 } }

    @Test("steps can be 6 to 10 ms long, and differ for another seed")
    func spread() throws {
        var seen: [[Int]] = []
        for seed in [1, 1, 2] {
            try Simulation(["step_frames": 288, "step_spread": 192, "seed": .integer(seed)]).run { simulation, player in
                try player.setUp(period: 480, buffer: 96000)
                try player.write(noise(frames: 96000))
                try player.start()
                seen.append(Self.steps(try Self.places(simulation, player, milliseconds: 1990)))
            }
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0] != seen[2])
        for steps in seen {
            #expect(steps.allSatisfy { (288...480).contains($0) })
            #expect(Set(steps).count > 50)
            #expect(try #require(steps.min()) < 320)
            #expect(try #require(steps.max()) > 448)
        }
    }

    @Test("varying steps are seen within their jitter, and the card wakes at the first that leaves room")
    func spreadAndJitter() throws {
        let settings: [String: SimulatedCard.Value] = [
            "step_frames": 288, "step_spread": 192, "jitter_us": 2000, "skew_ppm": -300,
        ]
        let simulation = try Simulation(settings)
        try simulation.run { simulation, player in
            try player.setUp(period: 480, buffer: 4800)
            try player.write(noise(frames: 4800))
            try player.start()
            for _ in 0..<500 {
                let deadline = try #require(try player.deadline(of: simulation.card))
                simulation.clock.sleep(until: deadline - 10)
                #expect(try player.avail() < 480)
                simulation.clock.sleep(until: deadline)
                let avail = try player.avail()
                #expect(avail >= 480 && avail < 480 + 2 * 480)
                try player.write(noise(frames: avail / 480 * 480))
            }
        }
        #expect(simulation.card.happenings().last?.values["spurious"] == 0)
    }

    @Test("a batch card moves by whole periods")
    func batch() throws {
        try Simulation(["batch": true, "step_frames": 48]).run { simulation, player in
            try player.setUp(period: 1024, buffer: 96 * 1024)
            try player.write(noise(frames: 96 * 1024))
            try player.start()
            let places = try Self.places(simulation, player, milliseconds: 2000)
            #expect(places == Array(stride(from: 0, through: 96000 / 1024 * 1024, by: 1024)))
        }
    }

    @Test("a card of one huge period, or two, plays to the last frame and wakes once for each", arguments: [1, 2])
    func hugePeriods(count: Int) throws {
        let settings: [String: SimulatedCard.Value] = [
            "period_min": 24000, "period_max": 24000, "periods_min": .integer(count), "periods_max": .integer(count),
            "format": "S16_LE", "channels": 2,
        ]
        try Simulation(settings).run { simulation, player in
            try player.setUp(period: 480, buffer: 960)
            #expect(player.periodFrames == 24000)
            #expect(player.bufferFrames == count * 24000)
            try player.adjust(stops: false)
            let sound = noise(frames: count * 24000)
            try player.write(sound)
            try player.start()
            var wakes: [Int] = []
            for _ in 0..<3 {
                simulation.clock.sleep(until: try #require(try player.deadline(of: simulation.card)))
                let frames: Double = Double(simulation.clock.now) * 48000 / 1e9
                wakes.append(Int(frames.rounded()))
                #expect(try player.events() == POLLOUT)
                // From here on, there is silence.
                try player.forward(24000)
            }
            #expect(wakes == [24000, 48000, 72000])
            player.drop()
            #expect(isHeard(try simulation.card.recording().bytes, of: sound))
        }
    }

    @Test("a buffer of a single period is possible only if the card allows it")
    func singlePeriod() throws {
        for allowed in [1, 2] {
            try Simulation(["period_min": 480, "period_max": 480, "periods_min": .integer(allowed)]).run { _, player in
                try player.setUp(period: 480, buffer: 480)
                #expect(player.bufferFrames == allowed * 480)
            }
        }
    }
}
