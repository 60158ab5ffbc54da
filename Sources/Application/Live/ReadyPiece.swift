internal import Formats
internal import Playback
internal import Scores
internal import Screens
internal import Timing
internal import UserSettings

/// A piece of a set list that has been read and can be played.
struct ReadyPiece: Sendable {
    let name: String
    /// Where its score comes from; nil if that is no place that can be read again.
    let source: ScoreSource?
    let wanted: PerformanceRequest
    private(set) var performance: Performance
    /// What is practiced at the start, and can be left: a loop or a program; nil for the passage of the performance.
    private(set) var practiced: Passage?
    let words: any PieceWords
    let score: Score
    /// Whether it waits at holds until a cue, if the user has chosen that.
    let waits: Bool?

    /// The same, with these bars in a loop; nil if they are not in it.
    func practicing(_ bars: [Int]) -> ReadyPiece? {
        let passage = performance.passage
        guard
            let stretches = try? PracticeProgram.weak.stretches(
                of: passage.timeline, bars: passage.bars, weak: { bars })
        else { return nil }
        var piece = self
        piece.practiced = Passage(passage.timeline, stretches, passes: nil)
        piece.performance.first = 0
        return piece
    }

    /// Reads a piece as it is requested. Everything in it that can keep it from being played is an error here, so that none
    /// comes in the middle of a concert.
    init(_ choice: ScoreChoice, _ wanted: PerformanceRequest, _ request: PlayRequest) throws {
        (name, source) = (choice.name, choice.source)
        let settings = try LoadedSettings.get(request.options)
        waits = settings[Setting.wait]
        // Another terminal can press the lap button, too, so a plan waits unless it must not.
        var (performance, words, score, files) = try wanted.performance(of: choice, canWait: waits != false)
        try OutputFile.check(request.written, read: files)
        let (home, first) = (performance.passage, performance.first)
        try request.practice.apply(to: &performance, named: source?.displayName ?? name)
        try request.timecode.apply(to: &performance, request.cables, named: source?.displayName ?? name)
        try request.device.check(performance, request.timecode)
        if wanted.loop || request.practice.program != nil {
            practiced = performance.passage
            (performance.passage, performance.first) = (home, first)
            if wanted.loop { performance.goOnAfterLoop(isEndless: score.isEndless) }
        }
        (self.wanted, self.performance, self.words, self.score) = (wanted, performance, words, score)
    }
}

extension Performance {
    /// Makes of a loop the music that follows when it is left: from its first bar to the end of the piece.
    fileprivate mutating func goOnAfterLoop(isEndless: Bool) {
        let (timeline, bar) = (passage.timeline, passage.bar(of: first).index)
        passage =
            isEndless
            ? Passage(timeline, passes: nil) : Passage(timeline, bars: passage.bars.lowerBound..<timeline.barCount)
        first = passage.boundary(ofBar: bar, near: 0) ?? 0
    }
}
