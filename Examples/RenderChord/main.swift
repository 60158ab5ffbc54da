// Renders ten seconds of a chord in just intonation to chord.flac: swift run RenderChord
import Barline

do {
    let notes = try ["B2", "3/2 of B2", "5/2 of B2 -6dB"].map { try Score.Drone.Note(scoreText: $0) }
    var drone = Score.Drone(notes: notes, level: Level(decibels: -24), waveform: .strings)
    drone.fade = .seconds(1)
    let score = Score(title: "Chord", drone: drone, lines: [Score.Line(bars: [Score.Bar(.seconds(10))])])

    var performance = try Performance(score, a4: 442)
    performance.clickLevel = .off
    let renderer = Renderer(performance, format: SoundFormat(rate: 96_000, samples: .bits24))
    try renderer.write(to: "chord.flac")
    print("chord.flac: \(renderer.frames ?? 0) frames")
} catch {
    print("\(error)")
}
