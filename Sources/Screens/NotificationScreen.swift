internal import Languages
internal import Notify
package import Playback
internal import Running
internal import Scores
internal import Timing

/// Shows a desktop notification at every bar, for users who look at another window.
package struct NotificationScreen: Screen {
    private let notifier: Notifier
    private let run: ShownRun?
    private var shown: Int?
    private var wasPaused = false

    /// A screen that calls `onStop` for its Stop button, and `onFailure` once if there is no desktop to notify.
    package init(
        _ run: ShownRun? = nil, onStop: @escaping @Sendable () -> Void, onFailure: @escaping @Sendable (String) -> Void
    ) {
        self.run = run
        notifier = Notifier(onStop: onStop, onFailure: onFailure)
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let moment = status.moment(at: now)
        if case .bar(let heard) = moment, heard.boundary != shown || heard.isPaused != wasPaused {
            (shown, wasPaused) = (heard.boundary, heard.isPaused)
            let texts = NotificationScreen.texts(status, heard, run)
            notifier.show(texts.title, texts.text)
        }
        return status.nextLook(moment, at: now)
    }

    package mutating func end(_ status: Status?) { notifier.withdraw() }

    /// The texts of a notification: the bar that begins and its length, then its cue and the time played so far.
    package static func texts(_ status: Status, _ heard: Moment.Bar, _ run: ShownRun? = nil) -> (
        title: String, text: String
    ) {
        if let run, let place = run.place(heard, status) {
            let name = run.name(place)
            let title = "\(name.prefix(1).uppercased())\(name.dropFirst()), \(run.length(place, heard.duration))"
            let words = [run.next(place), run.measures(place)].joinedNonempty(", ")
            return (paused(title, heard), words.printable + "\n" + run.elapsed(heard))
        }
        let name =
            heard.bar.label.isEmpty ? localized("Line \(heard.bar.line), bar \(heard.bar.bar)") : heard.bar.label
        let place = [name, heard.bar.saidNumber].joinedNonempty(", ")
        let length = heard.duration.clock(decimals: heard.duration.attoseconds % 1_000_000_000_000_000_000 == 0 ? 0 : 1)
        let cue = heard.bar.cue.isEmpty ? "" : heard.bar.cue.printable + "\n"
        return (paused("\(place), \(length)", heard), cue + Wording.elapsed(heard))
    }

    private static func paused(_ title: String, _ heard: Moment.Bar) -> String {
        (heard.isPaused ? localized("\(title) (paused)") : title).printable
    }
}

/// Two screens that show the same performance.
package struct BothScreens<First: Screen, Second: Screen>: Screen {
    private var first: First
    private var second: Second

    package init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        min(first.show(status, at: now), second.show(status, at: now))
    }

    package mutating func end(_ status: Status?) {
        first.end(status)
        second.end(status)
    }
}
