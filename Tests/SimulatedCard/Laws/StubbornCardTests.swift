internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// Cards that refuse starts or writes for a while, although programs expect these to succeed.
@Suite struct StubbornCardTests {
    private static let again = ALSAError(code: -EAGAIN)

    @Test("a card refuses its first starts after each prepare, and plays nothing until it has started")
    func start() throws {
        try Simulation(["refuses_start": 2]).run { simulation, player in
            try player.setUp(buffer: 9600)
            for _ in 0..<3 {
                try player.write(noise(frames: 9600))
                for _ in 0..<2 {
                    #expect(throws: Self.again) { try player.start() }
                    #expect(player.state == SND_PCM_STATE_PREPARED)
                    simulation.advance(nanoseconds: 50_010_000)
                    #expect(try player.avail() == 0)
                }
                try player.start()
                simulation.advance(nanoseconds: 50_010_000)
                #expect(try player.avail() == 2400)
                player.drop()
                try player.prepare()
            }
            let happenings = simulation.card.happenings()
            #expect(happenings.count { $0.name == "refused start" } == 6)
            #expect(happenings.count { $0.name == "start" } == 3)
            #expect(try simulation.card.recording().frameCount == 3 * 2400)
        }
    }

    @Test("a card refuses the first writes after each prepare, but none once it runs")
    func firstWrites() throws {
        try Simulation(["again_before_start": 3]).run { _, player in
            try player.setUp(buffer: 9600)
            for _ in 0..<2 {
                for _ in 0..<3 {
                    #expect(throws: Self.again) { try player.write(noise(frames: 480)) }
                    #expect(try player.avail() == 9600)
                }
                #expect(try player.write(noise(frames: 480)) == 480)
                try player.start()
                #expect(try player.write(noise(frames: 480)) == 480)
                player.drop()
                try player.prepare()
            }
            // A start ends the refusals, too.
            #expect(throws: Self.again) { try player.write(noise(frames: 480)) }
            try player.adjust(stops: false)
            try player.start()
            #expect(try player.write(noise(frames: 480)) == 480)
        }
    }

    @Test("a card refuses writes for a while, although it reports room")
    func writes() throws {
        try Simulation(["again_at": [100, 400], "again_for": [50, 1]]).run { simulation, player in
            try player.setUp(period: 480, buffer: 9600)
            try player.write(noise(frames: 4800))
            try player.start()
            var refused: [Int] = []
            for millisecond in 1...500 {
                simulation.advance(milliseconds: 1)
                do {
                    try player.write(noise(frames: 48))
                } catch let error as ALSAError {
                    #expect(error == Self.again)
                    #expect(try player.avail() > 4800)
                    #expect(try #require(try player.deadline(of: simulation.card)) <= simulation.clock.now)
                    #expect(try player.events() == POLLOUT)
                    refused.append(millisecond)
                }
            }
            #expect(refused == Array(100..<150) + [400])
            let happenings = simulation.card.happenings()
            func times(_ name: String) -> [Int64] { happenings.filter { $0.name == name }.map(\.nanoseconds) }
            #expect(times("refuse") == [100_000_000, 400_000_000])
            #expect(times("accept") == [150_000_000, 401_000_000])
        }
    }
}
