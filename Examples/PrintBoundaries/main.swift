// Plays a score file, and prints each boundary when it is heard: swift run PrintBoundaries my-piece.yaml
import Barline

do {
    let path = CommandLine.arguments.dropFirst().first
    let score = try path.map { try Score(contentsOf: $0) } ?? Score(named: "sequenza-vii")
    let player = try await Player(score)
    for await boundary in player.boundaries {
        let mark = boundary.isHeard ? "" : "  not heard"
        print("\(boundary.place)  \(boundary.nominal)  \(boundary.bar.label)\(mark)")
    }
} catch {
    // If the score has mistakes, the error lists all of them with file, line and column.
    print("\(error)")
}
