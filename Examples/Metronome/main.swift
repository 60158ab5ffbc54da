// A metronome: swift run Metronome 92 3/4. Type another tempo, nothing to pause and to go on, q to end.
import Barline

let arguments = CommandLine.arguments.dropFirst()
let tempo = Double(arguments.first ?? "92") ?? 92
let meter = arguments.dropFirst().first ?? "4/4"

do {
    let score = try Score(
        """
        title: Metronome
        tempo: 1/4 = \(tempo)
        beats: on
        drone: off
        repeat: forever
        lines:
          - bars: [{meter: \(meter)}]
        """)
    let player = try await Player(score)
    let counter = Task.detached {
        var bar = 0
        for await _ in player.boundaries {
            bar += 1
            print("bar \(bar)")
        }
    }
    var isPaused = false
    while let line = readLine(), line != "q" {
        if let faster = Double(line) {
            await player.play(at: Speed(percent: faster / tempo * 100))
        } else {
            await isPaused ? player.goOn() : player.pause()
            isPaused.toggle()
        }
    }
    await player.stop()
    await counter.value
} catch {
    print("\(error)")
}
