internal import Languages
internal import Playback
internal import Running
package import Scores
package import Screens
package import Timing

/// The music of a page that plays by itself: all that its conductor cannot compute, as JSON.
package enum SentMusic {
    /// The most bars of a piece.
    package static let barLimit = 100_000

    /// The music of a performance, in the words of its piece.
    ///
    /// If the performance has a speaker, of words at `SentPage.wordRate`, its words are in the music, too.
    ///
    /// Errors: it has no end, or too many bars, or its words are too long.
    package static func json(_ performance: Performance, _ words: any PieceWords) throws(TextError) -> JSON {
        let timeline = performance.passage.timeline
        guard performance.passage.count != nil else {
            throw TextError(
                localized("the score repeats forever, and a page that plays by itself needs an end"),
                hint: localized("write a part of it"))
        }
        guard timeline.barCount <= barLimit else {
            throw TextError(
                localized(
                    "the piece has \(timeline.barCount) bars as it is played; a page that plays by itself takes at most 100 000"
                ), hint: localized("make the score shorter, for example with fewer repeats"))
        }
        let status = whole(performance)
        return try .fields(
            head(performance, words) + settings(performance) + bars(status, words)
                + [
                    ("brackets", PageMessage.brackets(0..<timeline.barCount, status.performance, most: .max)),
                    ("hits", .fields(hits(timeline))), ("speech", SentSpeech.json(performance)),
                    ("places", .fields(places(timeline))), ("numbers", numbers(timeline)),
                    ("isNumbered", flag(timeline.isNumbered)),
                    ("numberWord", .text(BarNumber.named("").said.trimmingBlanks)),
                    ("texts", .fields(SentTexts.all.map { ($0.name, .text($0.text)) })),
                ])
    }

    /// All bars of the piece once, without what a player changes.
    private static func whole(_ performance: Performance) -> Status {
        var whole = performance
        whole.passage = Passage(performance.passage.timeline)
        (whole.first, whole.silence) = (0, nil)
        return Status(
            performance: whole, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device(""))
    }

    private static func head(_ performance: Performance, _ words: any PieceWords) -> [(String, JSON)] {
        let passage = performance.passage
        let stretches = passage.stretches.map { stretch in
            JSON.list([
                .number(stretch.bars.lowerBound), .number(stretch.bars.upperBound),
                .number((stretch.speed.factor * 1e6).plainText), flag(stretch.goesOn),
            ])
        }
        return [
            ("title", .text(Wording.title(performance))), ("total", .seconds(passage.timeline.total, decimals: 9)),
            ("parts", .text(words.parts.rawValue)), ("countsPasses", .number(performance.countsPasses ? 1 : 0)),
            ("countsIn", .number(performance.countIn == .off ? 0 : 1)),
            ("stretches", .list(stretches)), ("passes", passage.passes.map { .number($0) } ?? .null),
            ("first", .number(performance.first)),
            ("unit", words.unit.map(PageMessage.unit) ?? .null), ("isTimed", .number(words.hasOpenEnds ? 1 : 0)),
            ("ending", .text(localized("the end"))),
        ]
    }

    /// How the music sounds at the start, and what signals it has.
    private static func settings(_ performance: Performance) -> [(String, JSON)] {
        let cues = performance.cues
        let tunings = (-36...163).map { note in
            let hertz = performance.tuning.frequency(of: .note(note, cents: 0), a4: Score.standardA4)
            return JSON.number("\(hertz / Score.standardA4)")
        }
        return [
            (
                "sound",
                .object([
                    "speed": .number(performance.speed.millionths),
                    "clickLevel": PageDrone.level(performance.clickLevel),
                    "isClickMuted": flag(performance.isClickMuted), "a4": .number("\(performance.a4)"),
                    "drone": performance.drone.map(PageDrone.json) ?? .null,
                    "isDroneMuted": flag(performance.isDroneMuted),
                    "followsDroneChanges": flag(performance.followsDroneChanges),
                    "countsInJumps": flag(performance.countsInJumps),
                    "silence": performance.silence.map(silence) ?? .null,
                ])
            ),
            ("waits", flag(performance.waits)), ("warning", lead(performance.warning)),
            (
                "cues",
                .object([
                    "countdown": .number(cues.countdown), "to": .text(cues.countdownTo.rawValue),
                    "holdEnd": holdEnd(cues.holdEnd), "halfTime": flag(cues.halfTime),
                    "minuteLeft": flag(cues.minuteLeft), "end": flag(cues.end),
                ])
            ),
            ("keys", .list(Pitch.keys.map { .text($0) })), ("lowest", .number(-36)), ("tunings", .list(tunings)),
            ("waveforms", .list(Score.Waveform.allCases.map { .text($0.rawValue) })),
        ]
    }

    /// Bars without clicks: how many of how many, or `random`, how many per cent, and the seed.
    private static func silence(_ silence: Performance.Silence) -> JSON {
        switch silence.choice {
        case .last(let bars, let group): .list([.number(bars), .number(group)])
        case .random(let percent, let seed): .list([.text("random"), .number(percent), .text("\(seed)")])
        }
    }

    /// The bars, and for each the numbers of its clicks, its count-in, its signals and its change of the drone, how many beats
    /// its meter has, and what a run calls it.
    private static func bars(_ status: Status, _ words: any PieceWords) -> [(String, JSON)] {
        let (performance, timeline) = (status.performance, status.performance.passage.timeline)
        var (patterns, counts, signals, changes) = (Numbered(), Numbered(), Numbered(), Numbered())
        var waits: [(String, JSON)] = []
        var others: [(within: Int, bar: CompanionBar)] = []
        let voices = timeline.voices.map(\.name)
        let bars = JSON.table(0..<timeline.barCount) { n in
            let interval = words.row(n, status).map { row in
                let pace = row.metersPerSecond.map { JSON.number("\($0)") } ?? .null
                let demands = [row.demands, row.demandsAtOtherSpeeds].map { JSON.text($0 ?? "") }
                return [("interval", .text(row.name)), ("pace", pace), ("demands", .list(demands))]
            }
            let held = performance.waits(inBar: n)
            if !held.isEmpty {
                let places = held.map { place in
                    JSON.list([.seconds(place.offset, decimals: 9), .seconds(place.length, decimals: 9)])
                }
                waits.append(("\(n)", .list(places)))
            }
            others += performance.passage.companionBars(during: n).map { (n, $0) }
            return PageMessage.bar(n, status, words) + [
                ("pattern", .number(patterns.number(of: PageSounds.pattern(performance.moments(ofBar: n))))),
                ("count", .number(counts.number(of: count(to: n, performance)))),
                ("signal", .number(signals.number(of: signal(timeline.cues(ofBar: n, performance))))),
                ("change", .number(changes.number(of: PageDrone.json(performance.droneChange(inBarOf: n))))),
                ("beats", .number(timeline[n].written.meter?.beats.count ?? 0)),
            ] + (interval ?? [])
        }
        let companions = JSON.table(others) { n, bar in
            let number = (voices.firstIndex(of: bar.voice.name) ?? 0) + 1
            let start = bar.span.lowerBound - performance.passage.position(of: n)
            let cues = timeline.companions[max(number - 2, 0)].cues(ofBar: bar.bar.index, performance)
            return [("within", .number(n)), ("signal", .number(signals.number(of: signal(cues))))]
                + PageSounds.bar(bar, number, start: start, n, performance)
        }
        return [
            ("bars", bars), ("patterns", PageSounds.patterns(patterns.values)), ("counts", .list(counts.values)),
            ("signals", .list(signals.values)), ("changes", .list(changes.values)), ("held", .fields(waits)),
            ("others", companions),
            (
                "clicks",
                .list(
                    ([timeline] + timeline.companions).map(\.voice.click).map {
                        .list([.number("\($0.decibels)"), flag($0.isSilent)])
                    })
            ),
            ("voices", .list(voices.count > 1 ? voices.map { .text($0) } : [])),
        ]
    }

    /// The count-in to boundary `n` at 100 %: its length, whether it follows the speed, the leads of its beats, and its
    /// clicks. Those that sound less than an hour before at the fastest speed are all there.
    private static func count(to n: Int, _ performance: Performance) -> JSON {
        let fastest = Speed(millionths: Speed.range.upperBound) ?? .asWritten
        let countIn = CountIn(performance, to: n, at: fastest)
        func lead(_ time: Duration) -> JSON {
            .seconds(countIn.followsSpeed ? fastest.scoreDuration(of: time) : time, decimals: 9)
        }
        return .object([
            "length": lead(countIn.length), "follows": flag(countIn.followsSpeed),
            "beats": .list(countIn.beats.map(lead)),
            "clicks": .list(countIn.heard.map { .list([lead($0.lead), .text($0.sound.rawValue)]) }),
        ])
    }

    private static func signal(_ cues: BarCues) -> JSON {
        .object([
            "isPlan": flag(cues.isPlan), "isSection": flag(cues.isSectionStart), "isRest": flag(cues.isRest),
            "decibels": .number("\(cues.decibels.isFinite ? cues.decibels : PageDrone.silent)"),
            "warning": cues.warning.map(lead) ?? .null,
            "holds": .list(
                cues.holds.map {
                    .object([
                        "begin": .seconds($0.begin, decimals: 9), "end": .seconds($0.end, decimals: 9),
                        "endsBar": flag($0.endsBar), "waits": flag($0.waits),
                    ])
                }),
            "beats": .list(cues.beats.map { .seconds($0, decimals: 9) }),
        ])
    }

    private static func lead(_ lead: Score.Lead) -> JSON {
        switch lead {
        case .time(let time): .list(["time", .seconds(time, decimals: 9)])
        case .bars(let count): .list(["bars", .number(count)])
        case .beats(let count): .list(["beats", .number(count)])
        }
    }

    /// The ticks before the end of a hold; null for no announcement.
    private static func holdEnd(_ end: CueSettings.HoldEnd) -> JSON {
        switch end {
        case .off: .null
        case .click: .number(0)
        case .countdown(let ticks): .number(ticks)
        }
    }

    // MARK: - Places

    /// The offsets of the hits in the bars that have some.
    private static func hits(_ timeline: Timeline) -> [(String, JSON)] {
        guard !timeline.hits.isEmpty else { return [] }
        return (0..<timeline.barCount).compactMap { n in
            let hits = timeline.hits(inBar: n)
            return hits.isEmpty ? nil : ("\(n)", .list(hits.map { .seconds($0.offset, decimals: 9) }))
        }
    }

    /// The bar at which each label begins, and several labels as that bar shows them.
    private static func places(_ timeline: Timeline) -> [(String, JSON)] {
        let labels = timeline.labels
        let shown = labels.compactMap { timeline.bars(labeled: $0) }.map { timeline[$0.lowerBound].label }
        let (known, partsOfLabels) = (Set(labels), timeline.partsOfLabels)
        let parts = partsOfLabels.keys.sorted().filter { !known.contains($0) }.compactMap { part in
            (try? Place(part, in: timeline, partsOfLabels: partsOfLabels)).map { (part, $0.bars.lowerBound) }
        }
        let whole = (Set(shown).subtracting(labels).sorted() + labels).compactMap { label in
            timeline.bars(labeled: label).map { (label, $0.lowerBound) }
        }
        return (parts + whole).map { ($0, .number($1)) }
    }

    /// The bars with each number on the page, in the order in which they are played; null if they only count what is played.
    private static func numbers(_ timeline: Timeline) -> JSON {
        let numbers = (0..<timeline.barCount).map { timeline[$0].number }
        guard !numbers.enumerated().allSatisfy({ $1 == .counted($0 + 1) }) else { return .null }
        var found: [BarNumber: [JSON]] = [:]
        for (bar, number) in numbers.enumerated() { found[number, default: []].append(.number(bar)) }
        return .fields(found.map { ($0.key.description, .list($0.value)) }.sorted { $0.0 < $1.0 })
    }

    private static func flag(_ isSet: Bool) -> JSON { .number(isSet ? 1 : 0) }
}
