internal import Scores
internal import Timing

/// Finds when the last clicks of a performance have rung out.
struct RingingClicks: EventSink {
    private let rate: Int
    private let shapes: [ClickSound: ClickShape]
    /// In frames from the beginning of the part that was scheduled.
    private var end = 0.0

    /// The first frame after all clicks of a performance that has an end; its scheduler stands at the beginning.
    static func end(of scheduler: Scheduler, _ shapes: [ClickSound: ClickShape]) -> Int64 {
        let (passage, rate) = (scheduler.performance.passage, scheduler.mapping.rate)
        guard let total = passage.total else { return 0 }
        let frames = ClickSound.allCases.map { (shapes[$0] ?? ClickShape()).frames(of: $0, rate: rate) }
        let longest = Duration.seconds((frames.max() ?? 0) / Double(rate))
        // Only bars near the end have clicks that ring so long, and each is a closed form.
        var last = scheduler.performance
        last.first = max(last.first, passage.boundary(at: total - last.speed.scoreDuration(of: longest)))
        last.countIn = .off
        last.cues.speech = nil
        last.linearTimecode = nil
        var part = Scheduler(last, mapping: NominalMapping(rate: rate, zero: 0), from: 0)
        var sink = RingingClicks(rate: rate, shapes: shapes)
        _ = part.schedule(before: .max, into: &sink)
        let begin = scheduler.position(ofBoundary: last.first)
        return begin.frame + Int64((begin.fraction + sink.end - 1e-6).rounded(.up))
    }

    private init(rate: Int, shapes: [ClickSound: ClickShape]) { (self.rate, self.shapes) = (rate, shapes) }

    var hasRoom: Bool { true }

    mutating func push(_ event: Event) -> Bool {
        guard case .click(let sound, let amplitude, _) = event.kind, amplitude > 0 else { return true }
        let frames = (shapes[sound] ?? ClickShape()).frames(of: sound, rate: rate)
        end = max(end, Double(event.position.frame) + event.position.fraction + frames)
        return true
    }
}
