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
    /// The bars that are looped at the start, and can be left; nil without a loop.
    private(set) var loop: Range<Int>?
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
        piece.performance.passage = Passage(passage.timeline, stretches, passes: nil)
        piece.performance.first = 0
        piece.loop = nil
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
        try request.practice.apply(to: &performance, named: source?.displayName ?? name)
        if wanted.loop, request.practice.program == nil {
            loop = performance.passage.bars
            performance.goOnAfterLoop()
        }
        try request.timecode.apply(to: &performance, request.cables)
        try request.device.check(performance, request.timecode)
        (self.wanted, self.performance, self.words, self.score) = (wanted, performance, words, score)
    }
}

extension Performance {
    /// Makes of a loop the music that follows when it is left: from its first bar to the end of the piece.
    fileprivate mutating func goOnAfterLoop() {
        let (timeline, bar) = (passage.timeline, passage.bar(of: first).index)
        passage =
            countsPasses
            ? Passage(timeline, passes: nil) : Passage(timeline, bars: passage.bars.lowerBound..<timeline.barCount)
        first = passage.boundary(ofBar: bar, near: 0) ?? 0
    }
}
