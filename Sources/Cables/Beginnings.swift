internal import Playback
internal import Scores
internal import Timing

/// The bars that begin while a performance is followed, each time once. A value that follows the statuses.
struct Beginnings {
    /// A bar that begins.
    struct Beginning {
        var bar: TimedBar
        /// The boundary whose bar sounds, and which of the bars that begin during it this is; 0 for the leading voice.
        var boundary: Int
        var voice: Int
        /// When it is heard, CLOCK_MONOTONIC in ns.
        var moment: Int64
        /// The speed at which it is played.
        var speed: Speed
    }

    /// A beginning that was handed out, and how the music went then.
    private struct Told {
        var beginning: Beginning
        var command: Int
        var anchor: Anchor

        /// Whether this is a beginning as a status tells it. While the music goes on as it did, moments move only as the clock
        /// is learnt.
        func isSame(_ other: Beginning, _ status: Status) -> Bool {
            guard beginning.voice == other.voice else { return false }
            guard command != status.commandCount || anchor != status.anchor else {
                return beginning.boundary == other.boundary
            }
            return beginning.bar.index == other.bar.index && abs(beginning.moment - other.moment) < Beginnings.same
        }
    }

    private(set) var courses = Courses()
    private var told: [Told] = []
    /// When `step` was called last.
    private var looked: Int64?

    /// How late a beginning is still handed out if `step` has not been called for long, in ns. Of what is older, only the bar
    /// that sounds then is.
    static let latest: Int64 = 5_000_000_000
    /// How far back from the last call beginnings are looked for again, in ns. A jump is heard a little before its status is read,
    /// so the last call did not know the bar that it made begin.
    private static let unknown: Int64 = 150_000_000
    /// Two moments of one bar that are nearer than this are the same, in ns, although the music has gone on in another
    /// way between them.
    private static let same: Int64 = 60_000_000
    /// How late a click may still sound that a command has moved to the time before it, in ns.
    private static let late: Int64 = 30_000_000

    /// What begins by `now + ahead` (CLOCK_MONOTONIC, ns) and has not been handed out, in the order of the boundaries, and
    /// when the next one is due; nil if that is not known yet.
    mutating func step(_ status: Status, at now: Int64, ahead: Int64) -> (begun: [Beginning], next: Int64?) {
        take(status, at: now)
        let known = min(looked ?? now, now) - Beginnings.unknown
        let earliest = max(known, min(now - Beginnings.latest, begin(at: now) ?? .max))
        looked = now
        courses.forget(before: earliest)
        told.removeAll { $0.beginning.moment < earliest - 2_000_000_000 }
        var begun: [Beginning] = []
        for (index, course) in courses.all.enumerated() {
            let end = index + 1 < courses.all.count ? courses.all[index + 1].from : .max
            if let next = step(course, from: earliest, until: end, at: now, ahead: ahead, &begun) {
                return (begun, next)
            }
        }
        return (begun, nil)
    }

    /// Takes up a status as soon as it comes, so that none is missed between two calls of `step`.
    mutating func take(_ status: Status, at now: Int64) {
        if courses.take(status, at: now) { told = [] }
    }

    /// When the bar began that is heard at `now`; nil if none is.
    private func begin(at now: Int64) -> Int64? {
        guard let status = courses.heard(from: now, to: now).last?.status, case .bar(let bar) = status.moment(at: now)
        else { return nil }
        return status.heard(boundary: bar.boundary)
    }

    /// Adds what begins in one course, until the next one takes effect. Returns when its next beginning is due; nil if it
    /// has no more.
    private mutating func step(
        _ course: Courses.Course, from earliest: Int64, until end: Int64, at now: Int64, ahead: Int64,
        _ begun: inout [Beginning]
    ) -> Int64? {
        let status = course.status
        guard case .going = status.stage, status.pause == nil else { return nil }
        let passage = status.performance.passage
        // The bar in which the music has stopped does not begin when it goes on.
        let late = status.resumed != nil && status.resumed == status.effect ? 0 : Beginnings.late
        let earliest = max(earliest, course.from - late)
        let place = status.anchor.position(at: .nanoseconds(earliest) - .nanoseconds(status.zeroHeard))
        let first = passage.boundary(at: max(place, status.anchor.position, .zero))
        for boundary in first..<first + 1000 {
            guard passage.has(boundary: boundary) else { break }
            var bars = [(position: passage.position(of: boundary), bar: passage.bar(of: boundary))]
            bars += passage.companionBars(during: boundary).map { ($0.span.lowerBound, $0.bar) }
            for (voice, next) in bars.enumerated() {
                guard next.position >= status.anchor.position else { continue }
                // A bar after a hold begins once the player goes on, even if the hold has no length.
                if let held = status.held,
                    next.position > held.position
                        || next.position == held.position && boundary > held.boundary
                {
                    return nil
                }
                let moment = status.heard(at: next.position)
                guard moment < end else { return nil }
                guard moment >= earliest else { continue }
                guard moment - ahead <= now else { return moment - ahead }
                let beginning = Beginning(
                    bar: next.bar, boundary: boundary, voice: voice, moment: moment, speed: status.speed)
                // A jump makes a bar begin again, however soon.
                let isTarget = next.position == status.anchor.position && moment >= course.from
                let isTold = told.contains {
                    $0.isSame(beginning, status) && !(isTarget && $0.anchor != status.anchor)
                }
                guard !isTold else { continue }
                told.append(Told(beginning: beginning, command: status.commandCount, anchor: status.anchor))
                begun.append(beginning)
            }
        }
        return nil
    }

    /// Takes back what begins after a moment: it has not been sent after all.
    mutating func takeBack(after moment: Int64) { told.removeAll { $0.beginning.moment > moment } }
}
