internal import Languages
package import Playback
internal import Scores
package import Timing

/// The texts of the stand.
package enum StandWording {
    /// Where the music is: `II  line 5, bar 7 of 13  1.4 s of 3.0`, after the name of its voice if there are several; and
    /// shorter texts for less room, the last with the time alone.
    package static func places(_ heard: Moment.Bar, voice: String = "") -> [String] {
        let (bar, time) = (heard.bar, time(heard))
        let place = localized("line \(bar.line), bar \(bar.bar) of \(bar.barsInLine)")
        let short = ["\(bar.line).\(bar.bar)", bar.saidNumber].joinedNonempty("  ")
        return [StandWording.bar(bar, voice: voice), [place, bar.saidNumber].joinedNonempty("  "), short].map {
            $0 + "  " + time
        } + [time]
    }

    /// What is left of a bar, `1.4 s of 3.0`, or of the hold in it; how long the music has waited at a hold until a cue.
    private static func time(_ heard: Moment.Bar) -> String {
        if heard.isWaiting { return localized("hold, \(heard.waited.components.seconds) s so far") }
        if let hold = heard.hold {
            let left = Wording.left(hold.left, of: hold.duration)
            return localized("hold, \(left) s of \(hold.duration.seconds(decimals: 1))")
        }
        let left = Wording.left(heard.left, of: heard.duration)
        return localized("\(left) s of \(heard.duration.seconds(decimals: 1))")
    }

    /// The same without its time: `II  line 5, bar 7 of 13`.
    package static func bar(_ bar: TimedBar, voice: String = "") -> String {
        let place = localized("line \(bar.line), bar \(bar.bar) of \(bar.barsInLine)")
        return [heading(bar, voice: voice), place, bar.saidNumber].joinedNonempty("  ")
    }

    /// Whose bar it is, and of which section; empty if neither has a name.
    static func heading(_ bar: TimedBar, voice: String) -> String { [voice, bar.section].joinedNonempty("  ") }

    static func texts(_ bar: TimedBar) -> String { [bar.label, bar.cue].joinedNonempty("  ") }

    /// The bar that comes next and its length; nil for none.
    static func next(_ bar: TimedBar?, after heard: Moment.Bar, _ status: Status) -> String {
        guard let bar else { return localized("then the end") }
        let length = status.speed.realDuration(of: bar.duration).seconds(decimals: 1)
        let place =
            bar.bar == 1 || bar.line != heard.bar.line
            ? localized("line \(bar.line), bar \(bar.bar)") : localized("bar \(bar.bar)")
        let texts = texts(bar)
        let numbered = [place, bar.saidNumber].joinedNonempty(", ")
        return localized("then \(numbered), \(length) s") + (texts.isEmpty ? "" : "  \(texts)")
    }
}
