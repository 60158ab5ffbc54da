import Formats
import Playback
import Score
import Timing

let text = """
    title: Study
    drone: B4
    lines:
      - repeat: 2
        bars: [3, 2.7, 2]
    """

// Text to a score, or to everything that is wrong with it.
let reading = Score.read(Array(text.utf8), file: "study.yaml")
guard let score = reading.score else { fatalError("\(reading.diagnostics)") }

// A score to boundaries: exact sums, each found on its own.
let timeline = Timeline(score)
for index in 0..<timeline.barCount {
    let bar = timeline[index]
    print("\(bar.line).\(bar.bar)", bar.start)
}

// Boundaries to frames, events, samples, and a file.
var performance = Performance(of: score, walk: Walk(timeline))
performance.a4 = 442
let renderer = Renderer(performance, format: SoundFormat(rate: 96_000, samples: .bits24))
try renderer.write(to: "study.wav")
print(renderer.frames ?? 0, "frames")
