internal import Foundation
internal import Glibc
internal import SimulatedCardSupport

/// A card and its simulated clock, which the test advances.
struct Simulation {
    let folder: Folder
    let card: SimulatedCard
    let clock = SimulatedClock()

    init(_ settings: [String: SimulatedCard.Value] = [:]) throws {
        folder = try Folder()
        card = try SimulatedCard(in: folder.path, settings)
    }

    /// Opens the card, and closes it after the test.
    func run(_ test: (Simulation, Player) throws -> Void) throws {
        try SimulatedCard.withClock(clock) { try test(self, Player(card)) }
    }

    /// Fills and starts the card; returns the recording after this much simulated time.
    func heard(milliseconds: Int64) throws -> SimulatedCardRecording {
        try run { simulation, player in
            try player.fill()
            simulation.advance(milliseconds: milliseconds)
            try player.avail()
            player.drop()
        }
        return try card.recording()
    }

    func advance(milliseconds: Int64) { clock.advance(by: milliseconds * 1_000_000) }
    func advance(nanoseconds: Int64) { clock.advance(by: nanoseconds) }
}
