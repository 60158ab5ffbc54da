internal import Scores

/// A voice during a bar of the leading one, for the clicks that announce its entries and the ends of its holds.
struct SignalVoice {
    /// The voice by itself, and how it sounds.
    let performance: Performance
    /// When the positions of its own bars are heard. It begins where the voice goes on without a jump up to this bar.
    let anchor: Anchor
    /// Its number, as in `Event`.
    let number: Int
    /// Its bars that sound meanwhile.
    let bars: Range<Int>

    /// The leading voice.
    init(leading performance: Performance, _ anchor: Anchor) {
        (self.performance, self.anchor, bars) = (performance, anchor, 0..<performance.passage.timeline.barCount)
        number = performance.passage.timeline.voices.isEmpty ? 0 : 1
    }

    /// A companion, from 0, during the bar of boundary `n`.
    init(companion: Int, _ performance: Performance, _ anchor: Anchor, inBar n: Int) {
        let (passage, voice) = (performance.passage, performance.passage.timeline.companions[companion])
        let (index, speed) = (passage.bar(of: n).index, passage.stretch(of: n).speed)
        let span = passage.timeline.start(ofBar: index)..<passage.timeline.start(ofBar: index + 1)
        var own = performance
        own.passage = Passage(voice, [Passage.Stretch(0..<voice.barCount, speed: speed)])
        // Silent bars are those of the leading voice.
        (own.first, own.silence) = (0, nil)
        // In a stretch, all voices go on together.
        let first = passage.boundaries(aroundBoundary: n).lowerBound
        let start = passage.timeline.start(ofBar: passage.bar(of: first).index)
        let here = Anchor(
            time: anchor.time(of: passage.position(of: first)), position: speed.realDuration(of: start),
            speed: anchor.speed)
        let begin = max(anchor.time, here.time)
        self.performance = own
        self.anchor = Anchor(time: begin, position: here.position(at: begin), speed: anchor.speed)
        (number, bars) = (companion + 2, voice.bars(during: span))
    }

    /// When its bar `n` begins.
    func begin(ofBar n: Int) -> Duration { anchor.time(of: performance.passage.position(of: n)) }

    /// The clicks that warn of its bar `n`, from the last to the first.
    func warnings(before n: Int) -> [Performance.Warning] {
        performance.warns && performance.passage.has(boundary: n) ? performance.warnings(before: n, anchor) : []
    }

    func click(_ sound: ClickSound, _ level: Level) -> Event.Kind {
        .click(sound, amplitude: level.amplitude, voice: number)
    }
}
