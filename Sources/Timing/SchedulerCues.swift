// Signals between the clicks.
extension Scheduler {
    /// The next signal that comes before a click and the fade at the end. What comes too late is left out.
    mutating func nextCue(before click: FramePosition?, _ horizon: Int64) -> Event? {
        guard performance.cues.isAny else { return nil }
        if let frame = cuesBegin { restartCues(at: frame) }
        let limit = [click, fade.map { FramePosition(frame: $0.frame) }].compactMap(\.self).min()
        let soonest = firstWholeFrame
        cues.fill(before: mapping.time(of: horizon), from: mapping.time(of: soonest), performance, anchor)
        while let cue = cues.waiting.first {
            var position = mapping.position(at: cue.time)
            // Speech begins on a frame.
            if case .speech = cue.kind {
                let frame = FramePosition(frame: position.frame)
                position = frame < floor ? FramePosition(frame: position.frame + 1) : frame
            }
            guard position.frame < horizon, limit.map({ position <= $0 }) ?? true else { return nil }
            cues.removeFirst()
            guard position >= floor else { continue }
            return Event(position, cue.kind)
        }
        return nil
    }

    /// Signals are drawn up anew from where the music stands at `frame`.
    private mutating func restartCues(at frame: Int64) {
        cuesBegin = nil
        let position = position(at: frame)
        let boundary = performance.passage.boundary(at: position)
        cues.restart(at: performance.passage.position(of: boundary) >= position ? boundary : boundary + 1)
    }
}
