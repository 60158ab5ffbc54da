package import Running
internal import Screens

extension PageServer {
    /// Plays a plan in place of what plays, soon; returns why that is not possible, or nil. Called on the server's thread,
    /// which it must not keep waiting.
    package typealias Start = @Sendable (Plan) -> String?

    /// Passes plans that pages start to `start` from now on.
    package func startPlans(_ start: @escaping Start) { thread.pages.start.withLock { $0 = start } }

    /// Shows the plan that plays from now on in the table of the pages; nil if it is none.
    func show(_ run: ShownRun?) {
        thread.pages.desk.withLock { $0.play(run?.plan, in: run?.unit) }
        thread.wake()
    }
}
