// Plays a table of durations in seconds, with a drone: swift run PlaySeconds 3 2.7 2 1:02.5
import Barline

let arguments = CommandLine.arguments.dropFirst()
let table = arguments.isEmpty ? ["3", "2.7", "2", "1"] : Array(arguments)

do {
    let bars = try table.map { Score.Bar(try Duration(scoreText: $0, as: .bar)) }
    let score = Score(title: "Table", drone: Score.Drone(pitch: .b4), lines: [Score.Line(bars: bars)])
    print("\(Timeline(score).barCount) bars, \(Timeline(score).total)")
    let player = try await Player(score, a4: 442)
    await player.finish()
} catch {
    print("\(error)")
}
