internal import Languages
internal import Notify
package import Playback
internal import Running
internal import Scores
internal import Timing

/// Shows a desktop notification at every bar, for users who look at another window.
package struct NotificationScreen: Screen {
    private let notifier: Notifier
    private let words: any PieceWords
    private var shown: Int?
    private var wasPaused = false

    /// A screen that calls `onStop` for its Stop button, and `onFailure` once if there is no desktop to notify.
    package init(
        _ words: any PieceWords = ScoreWords(), onStop: @escaping @Sendable () -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        self.words = words
        notifier = Notifier(onStop: onStop, onFailure: onFailure)
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let moment = status.moment(at: now)
        if case .bar(let heard) = moment, heard.boundary != shown || heard.isPaused != wasPaused {
            (shown, wasPaused) = (heard.boundary, heard.isPaused)
            let texts = NotificationScreen.texts(status, heard, words)
            notifier.show(texts.title, texts.text)
        }
        return status.nextLook(moment, at: now)
    }

    package mutating func end(_ status: Status?) { notifier.withdraw() }

    /// The texts of a notification: the bar that begins and its length, then more about it and the time played so far.
    package static func texts(
        _ status: Status, _ heard: Moment.Bar, _ words: any PieceWords = ScoreWords()
    ) -> (title: String, text: String) {
        let (title, text) = words.notification(heard, status)
        return ((heard.isPaused ? localized("\(title) (paused)") : title).printable, text)
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
