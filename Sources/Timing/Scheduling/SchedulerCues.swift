// Signals between the clicks.
extension Scheduler {
    /// The next signal before a click and before the fade at the end. A signal that is too late is dropped.
    mutating func nextCue(before click: FramePosition?, _ horizon: Int64) -> Event? {
        guard performance.cues.isAny || performance.announcesHolds || performance.warns else { return nil }
        if let frame = cuesBegin { restartCues(at: frame) }
        let limit = [click, fade.map { FramePosition(frame: $0.frame) }].compactMap(\.self).min()
        let soonest = firstWholeFrame
        cues.fill(before: mapping.time(of: horizon), from: mapping.time(of: soonest), performance, anchor, countIn)
        while let cue = cues.waiting.first {
            var position = mapping.position(at: cue.time)
            // Speech begins on a frame, unless a click begins within this frame: then at that click. In the next frame, a
            // command could cut it off, although its time is over.
            if case .speech = cue.kind {
                let frame = FramePosition(frame: position.frame)
                position = frame < floor ? min(floor, FramePosition(frame: position.frame + 1)) : frame
            }
            guard position.frame < horizon, limit.map({ position <= $0 }) ?? true else { return nil }
            cues.removeFirst()
            guard position >= floor else { continue }
            return Event(position, cue.kind)
        }
        return nil
    }

    /// Prepares signals again, from the position of the music at `frame`.
    private mutating func restartCues(at frame: Int64) {
        cuesBegin = nil
        let position = position(at: frame)
        let boundary = performance.passage.boundary(at: position)
        let next = performance.passage.position(of: boundary) >= position ? boundary : boundary + 1
        cues.restart(at: next, from: mapping.time(of: frame))
    }
}
