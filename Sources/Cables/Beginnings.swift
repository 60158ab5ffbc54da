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
    }

    /// Those that were handed out last, and how the music went then.
    private var told: [(boundary: Int, voice: Int, moment: Int64, anchor: Anchor)] = []
    /// Where the music stood in the last pause, and the anchor that it had after that: it goes on from there.
    private var stood: (position: Duration, anchor: Anchor?)?

    /// How late a beginning is still handed out, in ns: a jump is heard a little before its status is read.
    private static let latest: Int64 = 150_000_000
    /// Two moments of one boundary that are nearer than this are the same, in ns, although the music has gone on in another
    /// way between them.
    private static let same: Int64 = 60_000_000

    /// What begins by `now + ahead` (CLOCK_MONOTONIC, ns) and has not been handed out, in the order of the boundaries, and
    /// when the next one is due; nil if that is not known yet.
    mutating func step(_ status: Status, at now: Int64, ahead: Int64) -> (begun: [Beginning], next: Int64?) {
        if let position = status.pausedPosition { stood = (position, nil) }
        guard case .going = status.stage, status.pause == nil else { return ([], nil) }
        if stood?.anchor == nil { stood?.anchor = status.anchor }
        if let anchor = stood?.anchor, anchor != status.anchor { stood = nil }
        let passage = status.performance.passage
        told.removeAll { $0.moment < now - 2_000_000_000 }
        let from = status.anchor.position(at: .nanoseconds(now - Beginnings.latest - status.zeroHeard))
        // The bar in which the music has stopped, or begun again, does not begin.
        let start = max(status.anchor.position, stood?.position ?? .zero)
        let first = passage.boundary(at: max(from, start, .zero))
        var begun: [Beginning] = []
        for boundary in first..<first + 1000 {
            guard passage.has(boundary: boundary) else { break }
            var bars = [(position: passage.position(of: boundary), bar: passage.bar(of: boundary))]
            bars += passage.companionBars(during: boundary).map { ($0.span.lowerBound, $0.bar) }
            for (voice, next) in bars.enumerated() {
                guard next.position >= start else { continue }
                // A bar after a hold begins once the player goes on, even if the hold has no length.
                if let held = status.held,
                    next.position > held.position
                        || next.position == held.position && boundary > held.boundary
                {
                    return (begun, nil)
                }
                let moment = status.heard(at: next.position)
                guard moment > now - Beginnings.latest else { continue }
                guard moment - ahead <= now else { return (begun, moment - ahead) }
                // While the music goes on as it did, its moments move only as the clock is learnt.
                let isTold = told.contains {
                    ($0.boundary, $0.voice) == (boundary, voice)
                        && ($0.anchor == status.anchor || abs($0.moment - moment) < Beginnings.same)
                }
                guard !isTold else { continue }
                told.append((boundary, voice, moment, status.anchor))
                begun.append(Beginning(bar: next.bar, boundary: boundary, voice: voice, moment: moment))
            }
        }
        return (begun, nil)
    }

    /// Takes back what begins after a moment: it has not been sent after all.
    mutating func takeBack(after moment: Int64) { told.removeAll { $0.moment > moment } }
}
