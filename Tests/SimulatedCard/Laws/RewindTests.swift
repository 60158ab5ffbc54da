internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct RewindTests {
    @Test("a rewound frame is heard as it was last written")
    func rewind() throws {
        try Simulation(["step_frames": 48]).run { simulation, player in
            let old = try player.fill()
            simulation.advance(nanoseconds: 100_010_000)
            try player.avail()
            let back = try player.rewindable() - 480
            #expect(back == 96000 - 4800 - 480)
            try player.rewind(back)
            let new = noise(frames: 19200, seed: 2)
            try player.write(new)
            simulation.advance(milliseconds: 500)
            try player.avail()
            player.drop()
            let heard = try simulation.card.recording().bytes
            #expect(isHeard(heard, of: old.prefix((4800 + 480) * 4) + new + old.suffix((96000 - 24480) * 4)))
            #expect(heard.count == 28800 * 4)
            let rewind = try #require(simulation.card.happenings().first { $0.name == "rewind" })
            #expect(rewind.values["frames"] == Int64(back))
        }
    }

    @Test("a card that cannot be rewound appends new frames")
    func appending() throws {
        try Simulation(["rewindable": false]).run { simulation, player in
            let old = try player.fill(frames: 48000)
            simulation.advance(milliseconds: 10)
            try player.avail()
            #expect(try player.rewind(4800) == 4800)
            let new = noise(frames: 4800, seed: 2)
            try player.write(new)
            simulation.advance(milliseconds: 1200)
            try player.avail()
            player.drop()
            let heard = try simulation.card.recording().bytes
            #expect(heard.count > old.count + new.count)
            #expect(isHeard(heard, of: old + new))
        }
    }

    @Test("frames that are skipped by forwarding are silent, and later ones are heard in their places")
    func forward() throws {
        try Simulation().run { simulation, player in
            let old = try player.fill(frames: 9600)
            simulation.advance(milliseconds: 250)
            // The application is 2400 frames late by now; it goes on 4800 frames ahead of the pointer.
            #expect(try player.avail() == 12000)
            try player.forward(2400 + 4800)
            let new = noise(frames: 2400, seed: 2)
            try player.write(new)
            simulation.advance(milliseconds: 250)
            try player.avail()
            player.drop()
            let silence = [UInt8](repeating: 0, count: (2400 + 4800) * 4)
            #expect(isHeard(try simulation.card.recording().bytes, of: old + silence + new))
        }
    }
}
