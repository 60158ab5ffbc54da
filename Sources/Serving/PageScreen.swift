package import Playback
package import Screens
internal import Timing

/// Shows a performance on the pages of a server: like every screen it only watches.
package struct PageScreen: Screen {
    private let server: PageServer
    private let run: ShownRun?
    /// The boundaries that pages know, and the stretches that they were taken from.
    private var known: (window: Range<Int>, stretches: [Passage.Stretch], passes: Int?)?
    private var shown = ""

    /// A screen for the pages of a server; of a plan, with its run.
    package init(_ server: PageServer, _ run: ShownRun? = nil) {
        self.server = server
        self.run = run
        server.show(run)
    }

    /// Sends what has changed to every page.
    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let passage = status.performance.passage
        let n = status.boundary(at: now)
        var timeline: String?
        if !knows(n, passage) {
            let window = PageMessage.window(around: n, passage)
            known = (window, passage.stretches, passage.passes)
            timeline = PageMessage.timeline(window, status, run)
        }
        let state = PageMessage.state(status, run)
        if timeline != nil || state != shown { server.show(status, state: state, timeline: timeline) }
        shown = state
        return .max
    }

    /// Tells the pages that the performance is over.
    package mutating func end(_ status: Status?) {
        guard var status else { return }
        status.hasEnded = true
        server.show(status, state: PageMessage.state(status, run), timeline: nil)
    }

    private func knows(_ n: Int, _ passage: Passage) -> Bool {
        guard let known, known.stretches == passage.stretches, known.passes == passage.passes else { return false }
        let ahead = passage.count.map { min(n + PageMessage.leastAhead, $0) } ?? n + PageMessage.leastAhead
        return known.window.lowerBound <= max(n - PageMessage.barsBefore / 2, 0) && ahead <= known.window.upperBound
    }
}
