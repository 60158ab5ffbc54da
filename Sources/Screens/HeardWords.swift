internal import Languages
package import Playback
internal import Scores
internal import Timing

// What every screen says of a player whom a microphone hears.
extension Wording {
    /// How late the last bar was that was heard: `5.7: 40 ms late`, `5.7: unsure`; nil if none was.
    package static func heard(_ status: Status, _ run: ShownRun?) -> String? {
        status.heard.map { self.heard($0, status, run) }
    }

    /// One of the last bars, in a line of its own: `heard 5.7: 40 ms late`.
    static func heardBar(_ heard: Status.Heard, _ status: Status, _ run: ShownRun?) -> String {
        let text = self.heard(heard, status, run)
        return localized("heard \(text)")
    }

    private static func heard(_ heard: Status.Heard, _ status: Status, _ run: ShownRun?) -> String {
        let name = name(ofBar: heard.bar.index, status.performance, run)
        return heard.late.map { late(name, $0) } ?? localized("\(name): unsure")
    }

    /// `5.7: 40 ms late`.
    static func late(_ name: String, _ late: Duration) -> String {
        let milliseconds = Int((late / .milliseconds(1)).rounded())
        return milliseconds < 0
            ? localized("\(name): \(-milliseconds) ms early") : localized("\(name): \(milliseconds) ms late")
    }

    /// The bars worth practicing; nil if there are none.
    package static func worth(_ status: Status, _ run: ShownRun?) -> String? {
        guard let worth = status.heard?.worth, !worth.isEmpty else { return nil }
        let bars = worth.map { late(name(ofBar: $0.bar, status.performance, run), $0.late) }.joined(separator: ", ")
        return localized("worth practicing, against your usual: \(bars)")
    }
}
