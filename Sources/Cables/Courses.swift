internal import Playback
internal import Timing

/// How the music is heard: each status tells it from the moment at which its last command is heard until the next command is.
struct Courses {
    /// How the music goes from a moment on (CLOCK_MONOTONIC, ns).
    struct Course {
        var status: Status
        var from: Int64
        /// When it became known; long ago for the first one.
        var since: Int64
        /// Bars that begin before this position are not heard.
        var begin: Duration
        /// When its command takes effect, after time zero; nil if nobody knows.
        fileprivate var effect: Duration?

        fileprivate var isOver: Bool { if case .over = status.stage { true } else { false } }
    }

    /// In the order of their moments. The first one goes back as far as anybody asks.
    private(set) var all: [Course] = []

    /// Two estimates of the time of one frame are nearer than this.
    private static let sameFrame = Duration.milliseconds(1)

    /// When the newest status begins to be heard.
    var newestFrom: Int64 { all.last?.from ?? .min / 2 }

    /// Takes up a status: it tells more of the last course, or begins another one. Returns whether it begins a piece after the
    /// end of another one, whose courses are forgotten.
    @discardableResult
    mutating func take(_ status: Status, at now: Int64) -> Bool {
        let wasOver = all.last?.isOver ?? false
        var course = Course(
            status: status, from: .min / 2, since: all.isEmpty ? .min : now, begin: status.anchor.position,
            effect: status.effect)
        if course.isOver {
            // The courses before stay: bars that were heard in them may not have been told yet.
            course.from = max(now, newestFrom)
            if !wasOver { all.append(course) }
            return false
        }
        if wasOver { all = [] }
        if let last = all.last {
            let isSameFrame = last.status.effectFrame.map { $0 == status.effectFrame } ?? false
            if last.status.commandCount == status.commandCount {
                (course.from, course.since, course.begin) = (last.from, last.since, last.begin)
                all.removeLast()
            } else if isSameFrame || last.status.pause != nil {
                // Of commands that take effect at the same frame, only the last one is heard. The time of that frame is
                // estimated anew for each: where the music stands in a pause can be a little after the beginning of a bar.
                let moved = status.anchor.position - last.begin
                if moved >= .zero, moved < Courses.sameFrame { course.begin = last.begin }
                if isSameFrame { all.removeLast() }
            }
            if isSameFrame { course.effect = last.effect }
        }
        if let effect = course.effect {
            course.from = max(status.heard(time: effect), newestFrom)
            // In another passage, the bars before the one in which the music goes on are not heard.
            if let last = all.last, last.status.passages != status.passages {
                let passage = status.performance.passage
                let place = status.anchor.position(at: .nanoseconds(course.from - status.zeroHeard))
                course.begin = max(course.begin, passage.position(of: passage.boundary(at: place)))
            }
        }
        all.append(course)
        return wasOver
    }

    /// Forgets the courses that have ended before a moment.
    mutating func forget(before moment: Int64) {
        all.removeFirst(all.dropFirst().prefix { $0.from < moment }.count)
    }

    /// The courses that are heard at some time from `from` to `to`, each with that time.
    func heard(from: Int64, to: Int64) -> [(status: Status, from: Int64, to: Int64)] {
        all.indices.compactMap { index in
            let end = index + 1 < all.count ? all[index + 1].from - 1 : .max
            let (begin, last) = (max(all[index].from, from), min(end, to))
            return begin <= last ? (all[index].status, begin, last) : nil
        }
    }
}

extension Status {
    /// Whether everything that is sent by another status is the same by this one.
    func sends(as other: Status, within tolerance: Int64) -> Bool {
        anchor == other.anchor && pause == other.pause && held == other.held && stage == other.stage
            && commandCount == other.commandCount && begins == other.begins
            && performance.linearTimecode == other.performance.linearTimecode
            && abs(zeroHeard - other.zeroHeard) <= tolerance
    }

    /// Whether the music simply goes on in another status, perhaps at another speed, or after a hold.
    func goesOn(in other: Status, at now: Int64, within tolerance: Duration) -> Bool {
        guard case .going = other.stage, other.pause == nil else { return false }
        let moved = other.place(at: now) - place(at: now)
        let range = Duration.zero - tolerance...tolerance
        return range.contains(moved) || range.contains(moved - (held?.length ?? .zero))
    }

    /// Where the music is at a moment, or where it stands; also before it begins.
    private func place(at now: Int64) -> Duration {
        if let pausedPosition { return pausedPosition }
        let place = anchor.position(at: .nanoseconds(now - zeroHeard))
        return held.map { min(place, $0.position) } ?? place
    }
}
