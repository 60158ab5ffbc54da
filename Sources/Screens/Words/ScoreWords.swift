internal import Languages
package import Playback
package import Running
package import Scores
package import Timing

/// The words for a score: lines and bars.
package struct ScoreWords: PieceWords {
    package var plan: Plan? { nil }
    package var unit: DistanceUnit? { nil }
    package var hasOpenEnds: Bool { false }

    package init() {}

    /// `Sequenza VII · Luciano Berio, 169 bars, 4:53.8, 100 %, drone B4 493.88 Hz, latency 400 ms`.
    package func header(_ status: Status) -> String {
        let performance = status.performance
        let count =
            performance.count.map { $0 == 1 ? localized("1 bar") : localized("\($0) bars") }
            ?? localized("until stopped")
        let speed = status.targetSpeed.map { localized("\(status.speed(of: 0)) to \($0)") } ?? "\(status.speed)"
        return [
            Wording.title(performance), count, performance.length?.clock(decimals: 1) ?? "", speed,
            Wording.drone(status.firstDrone, performance), Wording.latency(status) ?? "",
        ].joinedNonempty(", ")
    }

    // MARK: - The bar of a boundary

    package func name(ofBar index: Int, _ performance: Performance) -> String {
        let bar = performance.passage.timeline[index]
        return "\(bar.line).\(bar.bar)"
    }

    package func shortName(of bar: TimedBar) -> String { bar.printedNumber?.description ?? "\(bar.bar)" }

    package func place(_ n: Int, _ status: Status) -> String {
        [pagePlace(n, status), status.performance.passage.bar(of: n).label].joinedNonempty("  ")
    }

    package func pagePlace(_ n: Int, _ status: Status) -> String {
        let passage = status.performance.passage
        return StandWording.bar(passage.bar(of: n), voice: passage.timeline.voice.name)
    }

    package func pageMeasures(_ n: Int, _ status: Status) -> (meters: (before: Double, length: Double)?, asks: String)?
    { nil }

    package func pageTexts(_ n: Int, _ status: Status) -> [(name: String, text: String)]? {
        let passage = status.performance.passage
        let bar = passage.bar(of: n)
        let word = StandWording.heading(bar, voice: passage.timeline.voice.name)
        guard !word.isEmpty || !bar.saidNumber.isEmpty else { return nil }
        return (word.isEmpty ? [] : [("word", word)]) + (bar.saidNumber.isEmpty ? [] : [("number", bar.saidNumber)])
    }

    package func row(_ n: Int, _ status: Status) -> PlannedRow? { nil }

    package func isOpen(_ n: Int, _ status: Status) -> Bool { false }

    /// `  5.7   0:22.600  1.800 s  label  cue`: place, start in the score, length in real time, texts.
    package func line(_ n: Int, _ status: Status) -> String {
        let passage = status.performance.passage
        let bar = passage.bar(of: n)
        let start = status.performance.clock(at: passage.position(of: n), inBarOf: n)
        return ScoreWords.line(bar, start, status.speed.realDuration(of: bar.duration))
    }

    static func line(_ bar: TimedBar, _ start: Duration, _ length: Duration) -> String {
        let place = "\(bar.line).\(bar.bar)"
        let texts = [bar.saidNumber, bar.isSectionStart ? bar.section : "", bar.label, bar.cue].filter { !$0.isEmpty }
            .map { "  \($0)" }
            .joined()
        return place.padding(before: 7) + start.clock(decimals: 3).padding(before: 12)
            + (length.seconds(decimals: 3) + " s").padding(before: 11) + texts
    }

    // MARK: - The bar that is heard

    package func elapsed(_ heard: Moment.Bar) -> String {
        guard let total = heard.total else { return Wording.clock(heard.elapsed) }
        return localized("\(Wording.clock(heard.elapsed)) of \(Wording.clock(total))")
    }

    package func phrases(_ heard: Moment.Bar, _ status: Status) -> [String] {
        let bar = heard.bar
        let place =
            bar.label.isEmpty ? localized("line \(bar.line) bar \(bar.bar)") : "\(bar.label) (\(bar.line).\(bar.bar))"
        let left = Wording.left(heard.left, of: heard.duration)
        return [place, bar.saidNumber, localized("\(left) s left"), elapsed(heard)]
    }

    package func fields(_ heard: Moment.Bar, _ status: Status) -> [(String, JSON)] { [] }

    /// The bar that begins and its length, then its cue and the time played so far.
    package func notification(_ heard: Moment.Bar, _ status: Status) -> (title: String, text: String) {
        let bar = heard.bar
        let name = bar.label.isEmpty ? localized("Line \(bar.line), bar \(bar.bar)") : bar.label
        let length = heard.duration.clock(decimals: heard.duration.attoseconds % 1_000_000_000_000_000_000 == 0 ? 0 : 1)
        let cue = bar.cue.isEmpty ? "" : bar.cue.printable + "\n"
        return ([name, bar.saidNumber].joinedNonempty(", ") + ", \(length)", cue + elapsed(heard))
    }

    package func stopped(_ heard: Moment.Bar, _ status: Status) -> [String] {
        [localized("stopped at line \(heard.bar.line), bar \(heard.bar.bar)"), heard.bar.saidNumber]
    }

    package func stand(_ heard: Moment.Bar, _ status: Status, isShort: Bool) -> StandWords {
        let passage = status.performance.passage
        let next = passage.has(boundary: heard.boundary + 1) ? passage.bar(of: heard.boundary + 1) : nil
        return ScoreWords.stand(heard, of: passage.timeline, before: next, status)
    }

    /// The same of a voice and its next bar; nil for none.
    static func stand(_ heard: Moment.Bar, of voice: Timeline, before next: TimedBar?, _ status: Status) -> StandWords {
        (
            StandWording.places(heard, voice: voice.voice.name), StandWording.texts(heard.bar),
            StandWording.next(next, after: heard, status)
        )
    }

    /// The time left; at a hold until a cue, the whole seconds that the music has waited.
    package func largeTime(_ heard: Moment.Bar, _ status: Status) -> String {
        if heard.isWaiting { return "\(heard.waited.components.seconds)" }
        let (left, whole) = heard.hold.map { ($0.left, $0.duration) } ?? (heard.left, heard.duration)
        return Wording.left(left, of: whole).padding(before: whole.seconds(decimals: 1).count)
    }

    package func largeNumber(_ heard: Moment.Bar) -> String {
        "\(heard.bar.bar)".padding(before: "\(heard.bar.barsInLine)".count)
    }
}
