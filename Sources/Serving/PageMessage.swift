internal import Languages
package import Playback
internal import Running
internal import Scores
package import Screens
package import Timing

/// The messages to pages, each a JSON object in a line. All times are in seconds; those of the player's clock count from
/// CLOCK_MONOTONIC's zero.
package enum PageMessage {
    /// How many bars before and after the present one a page knows.
    package static let (barsBefore, barsAfter) = (128, 2048)
    /// With fewer bars ahead than this, a page gets more.
    package static let leastAhead = 1024

    /// The answer to a hello: what the page may do, and the controls with their texts.
    package static func welcome(mayControl: Bool, _ choices: StandChoices, isServed: Bool = true) -> String {
        let keys = StandControls.all.map { JSON.object(["name": .text($0.name), "says": .text($0.says)]) }
        let questions = StandControls.Question.allCases.filter { isServed || !$0.needsProgram }.map {
            ($0.rawValue, JSON.object(["name": .text($0.name), "asks": .text($0.text(hasLog: isServed))]))
        }
        return JSON.object([
            "welcome": .text(mayControl ? "control" : "watch"), "keys": .list(mayControl ? keys : []),
            "questions": .fields(mayControl ? questions : []),
            "words": .fields(StateWord.allCases.map { ("\($0)", .text($0.text)) }),
            "texts": .fields(
                PageWords.music.filter { isServed || !PageWords.served.contains($0.name) }
                    .map { ($0.name, .text($0.text)) }),
            "language": .text(Language.ofMessages.rawValue),
            "flash": .object([
                "how": .text(choices.flash.rawValue), "bar": .text(choices.barColor.style),
                "line": .text(choices.lineColor.style),
            ]),
        ]).line
    }

    /// The player's time `now`, in ns, as the answer to a page's `time`.
    package static func clock(_ time: Int64, now: Int64) -> String {
        JSON.line([("clock", .number(time)), ("at", .seconds(.nanoseconds(now), decimals: 9))])
    }

    /// The answer to a request with its time: whether it came in time, and is carried out.
    package static func arrived(_ time: Int64, inTime: Bool) -> String {
        JSON.line([("arrived", .number(time)), ("inTime", .number(inTime ? 1 : 0))])
    }

    /// The right to send a score, of at most so many bytes.
    package static func mayDrop(_ ticket: PageToken) -> String {
        JSON.line([("send", .text(ticket.text)), ("most", .number(PageTickets.longestBody))])
    }

    /// Who is connected, a line for each.
    package static func guests(_ guests: [Guest], at now: Int64) -> String {
        JSON.line([("guests", .list(guests.map { .text($0.text(at: now)) }))])
    }

    /// A tap or a message of a player, and its time (CLOCK_MONOTONIC, ns), by which a page knows it again. If `isOnlyRead`, a screen
    /// reader reads it, and the page does not show it.
    package static func told(_ text: String, at time: Int64, isOnlyRead: Bool) -> String {
        JSON.line([("told", .text(text)), ("aloud", .number(isOnlyRead ? 1 : 0)), ("at", .number(Int(time)))])
    }

    /// A word to the player.
    package static func note(_ text: String) -> String { JSON.line([("note", .text(text))]) }

    /// The boundaries that a page gets when boundary `n` is heard: from the start of its line at the latest.
    package static func window(around n: Int, _ passage: Passage) -> Range<Int> {
        let first = max(n - barsBefore, 0)
        let last = n + barsAfter
        return first..<max(min(last, passage.count ?? last), first + 1)
    }

    /// The bars of a window of boundaries, by which a page plays on without the network.
    package static func timeline(_ window: Range<Int>, _ status: Status, _ words: any PieceWords) -> String {
        let passage = status.performance.passage
        return JSON.object([
            "timeline": .object([
                "title": .text(Wording.title(status.performance)), "first": .number(window.lowerBound),
                "count": passage.count.map { .number($0) } ?? .null, "total": .seconds(passage.total, decimals: 9),
                "parts": .text(words.parts.rawValue), "unit": words.unit.map(unit) ?? .null,
                "isTimed": .number(words.hasOpenEnds ? 1 : 0),
                "countsPasses": .number(status.performance.countsPasses ? 1 : 0),
                "clockEnd": .seconds(status.performance.clockEnd, decimals: 9),
            ]),
            "bars": .table(window) { bar($0, status, words) }, "brackets": brackets(window, status.performance),
            "hits": .list(hits(window, passage)),
        ]).line
    }

    /// The unit of distances and paces: its meters and its name.
    static func unit(_ unit: DistanceUnit) -> JSON {
        let unit = unit == .miles ? unit : .kilometers
        return .list([.number("\(unit.meters)"), .text(unit.rawValue)])
    }

    /// The positions of the hit points in a window of boundaries, in their order.
    private static func hits(_ window: Range<Int>, _ passage: Passage) -> [JSON] {
        guard !passage.timeline.hits.isEmpty else { return [] }
        return window.flatMap { n in
            let (start, speed) = (passage.position(of: n), passage.stretch(of: n).speed)
            return passage.timeline.hits(inBar: passage.bar(of: n).index)
                .map { JSON.seconds(start + speed.realDuration(of: $0.offset), decimals: 9) }
        }
    }

    /// The bar of boundary `n` as pages have it: they read its properties by these names.
    static func bar(_ n: Int, _ status: Status, _ words: any PieceWords) -> [(String, JSON)] {
        let passage = status.performance.passage
        let (bar, start) = (passage.bar(of: n), passage.position(of: n))
        let holds = status.performance.holds(inBar: n).map { hold in
            JSON.object([
                "begin": .seconds(hold.span.lowerBound - start, decimals: 9),
                "length": .seconds(hold.span.upperBound - hold.span.lowerBound, decimals: 9),
                "waits": .number(hold.waits ? 1 : 0),
            ])
        }
        return [
            ("start", .seconds(start, decimals: 9)), ("duration", .seconds(bar.duration, decimals: 9)),
            ("line", .number(bar.line)), ("bar", .number(bar.bar)), ("barsInLine", .number(bar.barsInLine)),
            ("place", .text(words.pagePlace(n, status))), ("label", .text(bar.label)), ("cue", .text(bar.cue)),
            // As written: `start` and `duration` are those of this pass, at its speed.
            ("written", .seconds(passage.timeline.start(ofBar: bar.index), decimals: 9)),
            ("length", .seconds(passage.timeline[bar.index].duration, decimals: 9)),
            ("name", .text(words.stripName(of: bar, status.loop))),
            ("isOpen", .number(words.isOpen(n, status) ? 1 : 0)), ("holds", .list(words.tellsHolds ? holds : [])),
            ("shown", words.pageTexts(n, status).map { .fields($0.map { ($0.name, .text($0.text)) }) } ?? .null),
            ("color", color(of: bar)),
        ] + measures(n, status, words)
    }

    /// The color of its flash as style sheets have it; null for that of the settings.
    static func color(of bar: TimedBar) -> JSON {
        .text(orNull: bar.written.isPlain ? nil : bar.written.details.flash?.style)
    }

    /// What an interval has besides; nothing for a bar.
    private static func measures(_ n: Int, _ status: Status, _ words: any PieceWords) -> [(String, JSON)] {
        guard let (meters, asks) = words.pageMeasures(n, status) else { return [] }
        let numbers = meters.map { JSON.list([.number("\($0.before)"), .number("\($0.length)")]) }
        return [("meters", numbers ?? .null), ("asks", .text(asks))]
    }

    /// Where the music is, at boundary `n`, and how it goes on: enough to tell what is heard at any moment until the next state comes.
    package static func state(_ status: Status, _ words: any PieceWords, at n: Int) -> String {
        let anchor = status.anchor
        let held = status.held
        return JSON.object([
            "state": .object([
                "zero": .seconds(.nanoseconds(status.zeroHeard), decimals: 9),
                "time": .seconds(anchor.time, decimals: 9), "position": .seconds(anchor.position, decimals: 9),
                "speed": .number("\(anchor.speed.percent / 100)"),
                "paused": .seconds(status.pausedPosition, decimals: 9),
                "pausedAt": .seconds(status.pause?.time, decimals: 9), "resumed": .seconds(status.resumed, decimals: 9),
                "held": .seconds(held?.position, decimals: 9), "heldBar": held.map { .number($0.boundary) } ?? .null,
                "countsTo": .seconds(status.countsTo, decimals: 9), "begins": .seconds(status.begins, decimals: 9),
                "settings": .text(words.settings(status, at: n)),
                "values": .fields(BarTexts.values(status, at: n).map { ($0.name, .text($0.text)) }),
                "trouble": .text(Wording.trouble(status) ?? ""),
                "ended": .text(words.ending(status)), "heard": heard(status, words),
            ]),
            "beats": .list(status.countInBeats.map { .seconds($0, decimals: 6) }),
            "counts": PageSounds.counts(status.countInClicks),
        ]).line
    }

    /// What a microphone has heard of the last bar; null if none listens.
    private static func heard(_ status: Status, _ words: any PieceWords) -> JSON {
        guard let heard = status.heard else { return .null }
        return .object([
            "bar": .text(words.name(ofBar: heard.bar.index, status.performance)),
            "late": .seconds(heard.late, decimals: 3), "says": .text(words.heard(status) ?? ""),
        ])
    }

    /// What a microphone hears of the pitch now: the note and the pure interval over the drone with their cents, and how often
    /// in a second each beats with the player.
    package static func pitch(_ tuner: Tuner) -> String {
        guard let heard = tuner.heard else { return JSON.line([("pitch", .null)]) }
        func text(_ name: String, _ cents: Double) -> JSON {
            .text("\(name) " + (heard.isSure ? cents.fixed(0, signed: true) + " ¢" : "?"))
        }
        var fields: [(String, JSON)] = [
            ("note", text(heard.name, heard.cents)), ("beats", .number((heard.hertz - heard.target).fixed(1))),
        ]
        if let interval = heard.interval {
            fields += [
                ("interval", text("\(interval.over):\(interval.under)", interval.cents)),
                ("intervalBeats", .number((heard.hertz - interval.target).fixed(1))),
            ]
        }
        return JSON.line([("pitch", .fields(fields))])
    }

    /// At most so many brackets of a window are sent.
    private static let mostBrackets = 256

    /// The brackets that are open in a window of boundaries or open there, with the four edges of their windows.
    static func brackets(_ window: Range<Int>, _ performance: Performance, most: Int = mostBrackets) -> JSON {
        guard !performance.brackets.isEmpty else { return .list([]) }
        let passage = performance.passage
        let bars = window.map { passage.bar(of: $0).index }
        guard let first = bars.min(), let last = bars.max() else { return .list([]) }
        let (begin, end) = (passage.timeline.start(ofBar: first), passage.timeline.start(ofBar: last + 1))
        let heard = performance.brackets.enumerated().filter { _, bracket in
            bracket.end.upperBound > begin && bracket.start.lowerBound < end
        }
        .sorted { $0.element.start.lowerBound < $1.element.start.lowerBound }
        return .table(heard.prefix(most)) { number, bracket in
            let edges = [
                bracket.start.lowerBound, bracket.start.upperBound, bracket.end.lowerBound, bracket.end.upperBound,
            ]
            return [
                ("name", .text(bracket.label.isEmpty ? "\(number + 1)" : bracket.label)),
                ("cue", .text(bracket.cue)), ("edges", .list(edges.map { .seconds($0, decimals: 9) })),
            ]
        }
    }
}

extension Color {
    /// The color as style sheets have it: `#ff8000`.
    fileprivate var style: String {
        "#"
            + [red, green, blue].map { part in
                (part < 16 ? "0" : "") + String(part, radix: 16)
            }.joined()
    }
}
