import Barline

// A text becomes a score, or an error that says what is wrong with it, where, and what would be right.
let score = try Score(
    """
    title: Study
    drone: B4
    lines:
      - repeat: 2
        bars: [3, 2.7, 2]
    """)

// A score becomes boundaries: exact sums, each found on its own.
let timeline = Timeline(score)
for index in 0..<timeline.barCount {
    let bar = timeline[index]
    print("\(bar.line).\(bar.bar)", bar.start)
}

// Boundaries become sound: in a file ...
let renderer = try Renderer(score, a4: 442, format: SoundFormat(rate: 96_000, samples: .bits24))
try renderer.write(to: "study.flac")
print(renderer.frames ?? 0, "frames")

// ... or now. Without a sound card the performance goes by the system's clock.
let player = try await Player(score, a4: 442, speed: Speed(percent: 1000))
for await boundary in player.boundaries {
    print(boundary.place, boundary.isHeard ? "heard" : "not heard")
}
