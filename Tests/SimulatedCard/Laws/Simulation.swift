internal import Foundation
internal import Glibc
internal import SimulatedCardSupport

/// A card and its clock, which a test advances.
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

    /// Fills the card, starts it, and gives what has been heard after so long.
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

/// Waits, in real time, until it is so.
func wait(for what: String, _ isSo: () -> Bool) throws {
    let limit = monotonicNow() + 600_000_000_000
    while !isSo() {
        if monotonicNow() > limit { throw Overdue(description: "waited ten minutes for \(what)") }
        usleep(5000)
    }
}

/// Something that only a hang can delay so long.
struct Overdue: Error, CustomStringConvertible {
    var description: String
}
