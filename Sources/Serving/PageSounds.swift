package import Scores
internal import Screens
package import Timing

/// The messages about how the bars of a page sound, for pages that click and drone by themselves.
package enum PageSounds {
    /// Whether the bars sound alike in two performances of the same passage.
    package static func areSame(_ one: Performance, _ other: Performance) -> Bool {
        one.inner == other.inner && one.barSounds == other.barSounds && one.silence == other.silence
            && one.cues.lastBar == other.cues.lastBar && one.waits == other.waits
            && one.isClickMuted == other.isClickMuted && one.clickLevel == other.clickLevel
            && one.drone == other.drone && one.isDroneMuted == other.isDroneMuted
            && one.followsDroneChanges == other.followsDroneChanges && one.a4 == other.a4 && one.tuning == other.tuning
    }

    /// About how many clicks a message tells, however many there are in the bars of a page.
    package static let mostClicks = 50_000

    /// The clicks and the drone of each bar of a window of boundaries from about `n` on, and what other voices play
    /// meanwhile; returns the boundaries that it tells of. Most bars sound like others: each kind is written once, and the
    /// bars refer to it by its number.
    package static func message(
        _ window: Range<Int>, from n: Int = 0, _ performance: Performance
    ) -> (text: String, told: Range<Int>) {
        var (patterns, drones) = (Numbered(), Numbered())
        var (bars, count): ([JSON], Int) = ([], 0)
        let first = max(window.lowerBound, min(n - 8, window.upperBound - 1))
        for boundary in first..<window.upperBound {
            // The next bars are always told.
            guard count < mostClicks || boundary <= n + 2 else { break }
            let moments = performance.moments(ofBar: boundary)
            let drone = performance.drone(underBar: boundary).map { PageDrone.json($0.sound, fade: $0.fade) }
            count += moments.count
            let clicks = patterns.number(of: pattern(moments))
            bars.append(.list([.number(clicks), .number(drones.number(of: drone ?? .null))]))
        }
        let window = first..<first + bars.count
        let isSilent = performance.clicksAreOff
        let voices = performance.passage.timeline.voices.map { JSON.text($0.name) }
        let text = JSON.object([
            "sounds": .object([
                "first": .number(window.lowerBound),
                "level": isSilent ? .null : .number("\(performance.clickLevel.decibels)"),
            ]),
            "patterns": PageSounds.patterns(patterns.values), "voices": .list(voices.count > 1 ? voices : []),
            "others": others(voices.count > 1 ? window : first..<first, performance),
            "drones": .list(drones.values), "heard": .list(bars),
        ]).line
        return (text, window)
    }

    /// The bars of the voices beside the leading one, in the order of their times. Where the music does not come from the bar before,
    /// and in the first bar that is told, bars that began earlier are under way: pages have them from that boundary on.
    private static func others(_ window: Range<Int>, _ performance: Performance) -> JSON {
        let passage = performance.passage
        let numbers = Dictionary(
            passage.timeline.voices.enumerated().map { ($1.name, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        let bars = window.flatMap { n in
            let begins = n == window.lowerBound || n == passage.boundaries(aroundBoundary: n).lowerBound
            return passage.companionBars(during: n, withEarlier: begins).map { (n, $0) }
        }
        return .table(bars) { n, other in
            let (start, from) = (other.span.lowerBound, passage.position(of: n))
            return bar(other, numbers[other.voice.name] ?? 1, start: start, n, performance)
                + [("from", start < from ? .seconds(from, decimals: 9) : .null)]
        }
    }

    /// A bar of the voice with this number, at `start`, that begins in the bar of boundary `n`.
    static func bar(
        _ other: CompanionBar, _ number: Int, start: Duration, _ n: Int, _ performance: Performance
    ) -> [(String, JSON)] {
        let passage = performance.passage
        let voice = passage.timeline.companions.first { $0.voice.name == other.voice.name }
        let holds = voice.map {
            performance.holds(of: other.bar, in: $0, from: .zero, at: passage.stretch(of: n).speed)
        }
        let timed = (holds ?? []).filter { !$0.waits }.map(\.span).map { span in
            JSON.object([
                "begin": .seconds(span.lowerBound, decimals: 9),
                "length": .seconds(span.upperBound - span.lowerBound, decimals: 9),
            ])
        }
        return [
            ("voice", .number(number)), ("start", .seconds(start, decimals: 9)),
            ("duration", .seconds(other.span.upperBound - other.span.lowerBound, decimals: 9)),
            ("place", .text(StandWording.bar(other.bar, voice: other.voice.name))), ("label", .text(other.bar.label)),
            ("cue", .text(other.bar.cue)), ("line", .number(other.bar.line)), ("bar", .number(other.bar.bar)),
            ("barsInLine", .number(other.bar.barsInLine)), ("word", .text(other.voice.name)),
            ("number", .text(other.bar.saidNumber)), ("color", PageMessage.color(of: other.bar)),
            ("holds", .list(timed)),
        ]
    }

    /// The moments of a bar, as runs.
    static func pattern(_ moments: [BarMoment]) -> JSON {
        .list(runs(moments.map(timed)).map { run in .list(click.map { $0.value(run) }) })
    }

    /// Patterns with the names of what each run has.
    static func patterns(_ patterns: [JSON]) -> JSON {
        .object(["fields": .list(click.map { .text($0.name) }), "lists": .list(patterns)])
    }

    /// The clicks of a count-in, as runs of equal clicks at equal distances: the lead of the first, the distance, how
    /// many, and the sound.
    package static func counts(_ clicks: [CountInClick]) -> JSON {
        .list(
            runs(clicks.map { (.zero - $0.lead, $0.sound) }).map { run in
                .list([
                    .seconds(.zero - run.first, decimals: 9), .seconds(run.step, decimals: 9), .number(run.count),
                    .text(run.value.rawValue),
                ])
            })
    }

    /// Equal values at equal distances: a cadence has thousands of clicks in a bar.
    private typealias RunLength<Value> = (first: Duration, step: Duration, count: Int, value: Value)

    /// The runs of values at ascending times, to the nanosecond.
    private static func runs<Value: Equatable>(_ values: [(Duration, Value)]) -> [RunLength<Value>] {
        var runs: [RunLength<Value>] = []
        for (time, value) in values {
            if let last = runs.last, last.value == value {
                let next = last.first + last.step * last.count
                if last.count == 1 || abs((next - time) / .nanoseconds(1)) < 1 {
                    if last.count == 1 { runs[runs.count - 1].step = time - last.first }
                    runs[runs.count - 1].count += 1
                    continue
                }
            }
            runs.append((time, .zero, 1, value))
        }
        return runs
    }

    /// The time of a moment, and what is equal in the moments of a run. Holds form no runs.
    private static func timed(_ moment: BarMoment) -> (Duration, BarMoment) {
        var value = moment
        if moment.sound != nil { value.offset = .zero }
        return (moment.offset, value)
    }

    /// A run of clicks: the first in the bar, how many there are, and how far apart. A hold that waits for the player has no
    /// sound.
    private static let click: [(name: String, value: @Sendable (RunLength<BarMoment>) -> JSON)] = [
        ("offset", { .seconds($0.first, decimals: 9) }), ("sound", { .text(orNull: $0.value.sound?.rawValue) }),
        ("decibels", { .number("\($0.value.decibels)") }), ("voice", { .number($0.value.voice) }),
        ("rank", { .number($0.value.rank.rawValue) }), ("isHeard", { .number($0.value.isHeard ? 1 : 0) }),
        ("count", { .number($0.count) }), ("step", { .seconds($0.step, decimals: 15) }),
    ]
}
