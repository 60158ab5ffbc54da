internal import Scores

// A follower plays what its leader plays.
extension Scheduler {
    /// How long a click that has sounded stands for the same click at another time: it does not sound again. After a jump it
    /// does, unless it was just the click to which the leader has jumped.
    private static let echo = (usual: Duration.milliseconds(500), jump: Duration.milliseconds(30))
    /// How many bars there can be from one click to the same one that is not an echo of it.
    private static let nearBars = 8
    /// How late a click may still sound that the leader has moved to the past.
    private static let grace = Duration.milliseconds(25)

    /// Goes on as the leader does, from `frame` on. `played` are the clicks that have sounded last; `isJump` is whether the
    /// leader has jumped.
    package mutating func follow(
        _ lead: LeaderMusic, _ mapping: some FrameMapping, at frame: Int64, after played: [ScheduledClick],
        isJump: Bool
    ) {
        guard !isEnding else { return }
        takeBack(from: frame)
        let played = (played + handed).filter { $0.position.frame >= leap }
        if isJump { leap = frame }
        let wasSounding = earliestBegin == nil && !isPaused
        // After a pause the music goes on where it stood, even if the last click was only just before that.
        let goesOn = isPaused && !isJump && anchor.position == lead.anchor.position
        let stood = goesOn ? position(at: frame) - .microseconds(1) : nil
        self.mapping = mapping
        performance.follow(lead)
        anchor = lead.anchor
        bar = nil
        let passage = performance.passage
        let target = passage.boundary(at: anchor.position)
        countIn =
            lead.countsIn ? CountIn(performance, to: target, at: anchor.speed) : CountIn(performance, target: target)
        floor = FramePosition(frame: frame)
        known = frame
        cuesBegin = frame
        // Time zero may be another one now.
        resumed = nil
        let now = lead.timePaused ?? mapping.time(of: frame)
        let here = max(anchor.position(at: now), anchor.position)
        takeDrone(ofBar: passage.boundary(at: here))
        let isAhead = anchor.time - countIn.length > now
        let begin = max(anchor.position, stood ?? .zero)
        let next = cursor(from: now, begin, lead, after: played, isJump: isJump)
        if lead.paused != nil {
            // In a pause, `takeBack` has prepared what it took back.
            if !isPaused { stopDrone(at: frame, hasBegun: wasSounding) }
            let earliest = isAhead ? frame : nil
            phase = .paused(SchedulerStop(frame: frame, time: now, earliestBegin: earliest), next: next)
        } else if isAhead {
            phase = .waiting(earliest: frame, next: next)
            placeBegin()
        } else {
            phase = .going(next: next)
            if stood != nil { resumed = now }
            beginDrone(at: frame)
        }
    }

    /// The first click at or after a time and a position that has not sounded yet.
    private func cursor(
        from now: Duration, _ begin: Duration, _ lead: LeaderMusic, after played: [ScheduledClick], isJump: Bool
    ) -> SchedulerCursor {
        let first = lead.paused != nil ? now : now - Scheduler.grace
        let echo = isJump ? Scheduler.echo.jump : Scheduler.echo.usual
        func isNext(_ cursor: SchedulerCursor, at time: Duration) -> Bool {
            time >= first && !played.contains { hasSounded($0, as: cursor, at: time, within: echo) }
        }
        if countIn.length > .zero, now < anchor.time, case .count(let count) = countIn.cursor {
            for left in (1...count).reversed()
            where isNext(.count(left: left), at: anchor.time - countIn.lead(left: left)) {
                return .count(left: left)
            }
        }
        let passage = performance.passage
        var position = max(anchor.position(at: max(first, anchor.time)), begin)
        if let held = lead.held, position >= held.position {
            if let cursor = cursor(of: held) { return cursor }
            position = held.position
        }
        let n = passage.boundary(at: position)
        for boundary in n...n + 1 where passage.has(boundary: boundary) {
            let bar = ScheduledBar(boundary, performance)
            let start = passage.position(of: boundary)
            for (inner, offset) in ([.zero] + bar.moments.map(\.offset)).enumerated() {
                let cursor = SchedulerCursor.bar(boundary, inner: inner)
                let place = start + offset
                guard place >= begin else { continue }
                let time = anchor.time(of: place)
                if inner > 0, bar.moments[inner - 1].wait != nil {
                    // It may have come to this hold already, but the leader waits there only from now on. The leader does not
                    // wait at a hold from which it has just gone on.
                    if place > anchor.position, time >= first { return cursor }
                } else if isNext(cursor, at: time) {
                    return cursor
                }
            }
        }
        return .bar(n + 2, inner: 0)
    }

    /// The cursor at which the music waits in a hold; nil if the performance does not have this hold.
    private func cursor(of held: HeldMusic) -> SchedulerCursor? {
        let begin = performance.passage.position(of: held.boundary)
        let moments = ScheduledBar(held.boundary, performance).moments
        let index = moments.firstIndex { $0.wait != nil && begin + $0.offset == held.position }
        return index.map { .hold(held, bar: held.boundary, inner: $0 + 2) }
    }

    /// Whether a click that has sounded is the one at a cursor, so near to its time that it would sound twice.
    private func hasSounded(
        _ click: ScheduledClick, as cursor: SchedulerCursor, at time: Duration, within echo: Duration
    ) -> Bool {
        var limit = echo
        switch (click.origin, cursor) {
        case (.count(let left), .count(let other)) where left == other: break
        case (.bar(_, let index, let inner), .bar(let boundary, let other)):
            guard inner == other, performance.passage.bar(of: boundary).index == index else { return false }
            if let again = again(boundary) { limit = min(limit, again / 2) }
        default: return false
        }
        let distance = mapping.time(of: click.position.frame) - time
        return distance < limit && distance > .zero - limit
    }

    /// How long it is from a boundary to the nearest one that begins the same bar, as in a loop; nil if that takes long.
    private func again(_ boundary: Int) -> Duration? {
        let passage = performance.passage
        let (index, time) = (passage.bar(of: boundary).index, anchor.time(of: passage.position(of: boundary)))
        for step in 1...Scheduler.nearBars {
            let near = [boundary - step, boundary + step].filter { passage.has(boundary: $0) }
            let same = near.filter { passage.bar(of: $0).index == index }
            let distances = same.map { anchor.time(of: passage.position(of: $0)) - time }
            if let least = distances.map({ max($0, .zero - $0) }).min() { return least }
        }
        return nil
    }
}
