internal import Scores
internal import Screens
internal import Timing

/// What decides how the bars of a page sound: a page that clicks and drones by itself gets new sounds when it changes.
struct PageSounds: Equatable {
    private let inner: InnerSettings
    private let barSounds: BarSounds
    private let silence: Performance.Silence?
    private let (warnsOfLast, waits, isMuted): (Bool, Bool, Bool)
    private let level: Level
    private let drone: Score.Drone?
    private let (isDroneMuted, followsDroneChanges): (Bool, Bool)
    private let a4: Double
    private let tuning: Tuning

    init(_ performance: Performance) {
        inner = performance.inner
        barSounds = performance.barSounds
        silence = performance.silence
        (warnsOfLast, waits, isMuted) = (performance.cues.lastBar, performance.waits, performance.isClickMuted)
        level = performance.clickLevel
        drone = performance.drone
        (isDroneMuted, followsDroneChanges) = (performance.isDroneMuted, performance.followsDroneChanges)
        a4 = performance.a4
        tuning = performance.tuning
    }

    /// About how many clicks a message tells, however many there are in the bars of a page.
    static let mostClicks = 50_000

    /// The clicks and the drone of each bar of a window of boundaries from about `n` on, and what other voices play
    /// meanwhile; returns the boundaries that it tells of. Most bars sound like others: each kind is written once, and the
    /// bars refer to it by its number.
    static func message(
        _ window: Range<Int>, from n: Int = 0, _ performance: Performance
    ) -> (text: String, told: Range<Int>) {
        var (patterns, drones) = (Numbered(), Numbered())
        var (bars, count): ([String], Int) = ([], 0)
        let first = max(window.lowerBound, min(n - 8, window.upperBound - 1))
        for boundary in first..<window.upperBound {
            // The next bars are always told.
            guard count < mostClicks || boundary <= n + 2 else { break }
            let moments = performance.clicks(ofBar: boundary).moments
            let drone = performance.drone(underBar: boundary).map { line($0.sound, fade: $0.fade) }
            count += moments.count
            let clicks = patterns.number(of: PageMessage.list(runs(moments).map(line)))
            bars.append("[\(clicks), \(drones.number(of: drone ?? "null"))]")
        }
        let window = first..<first + bars.count
        let isSilent = performance.isClickMuted || performance.clickLevel.isSilent
        let head: [(String, JSON)] = [
            ("first", .number(window.lowerBound)),
            ("level", isSilent ? .null : .number("\(performance.clickLevel.decibels)")),
        ]
        let voices = performance.passage.timeline.voices.map { JSON.text($0.name).line }
        let fields = [
            #""sounds": \#(JSON.line(head))"#, #""patterns": \#(PageMessage.list(patterns.texts))"#,
            #""voices": \#(PageMessage.list(voices.count > 1 ? voices : []))"#,
            #""others": \#(PageMessage.list(voices.count > 1 ? others(window, performance.passage) : []))"#,
            #""drones": \#(PageMessage.list(drones.texts))"#, #""heard": \#(PageMessage.list(bars))"#,
        ]
        return ("{\(fields.joined(separator: ", "))}", window)
    }

    /// The bars of the voices beside the leading one, in the order of their times: the number of the voice, the position
    /// and the duration of the bar, and its texts.
    private static func others(_ window: Range<Int>, _ passage: Passage) -> [String] {
        let numbers = Dictionary(
            passage.timeline.voices.enumerated().map { ($1.name, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        return window.flatMap { passage.companionBars(during: $0) }.map { other in
            let fields: [JSON] = [
                .number(numbers[other.voice.name] ?? 1), .seconds(other.span.lowerBound, decimals: 9),
                .seconds(other.span.upperBound - other.span.lowerBound, decimals: 9),
                .text(PageTexts.place(other)), .text(other.bar.label), .text(other.bar.cue),
            ]
            return PageMessage.list(fields.map(\.line))
        }
    }

    /// The clicks of a count-in, as runs of equal clicks at equal distances: the lead of the first, the distance, how
    /// many, and the sound.
    static func counts(_ clicks: [CountInClick]) -> String {
        var runs: [(lead: Duration, step: Duration, count: Int, sound: ClickSound)] = []
        for click in clicks {
            if let last = runs.last, last.sound == click.sound {
                let next = last.lead - last.step * last.count
                if last.count == 1 || next == click.lead {
                    runs[runs.count - 1].step = last.count == 1 ? last.lead - click.lead : last.step
                    runs[runs.count - 1].count += 1
                    continue
                }
            }
            runs.append((click.lead, .zero, 1, click.sound))
        }
        return PageMessage.list(
            runs.map { run in
                let fields: [JSON] = [
                    .seconds(run.lead, decimals: 9), .seconds(run.step, decimals: 9), .number(run.count),
                    .text(run.sound.rawValue),
                ]
                return PageMessage.list(fields.map(\.line))
            })
    }

    /// Equal clicks at equal distances: a cadence has thousands of them in a bar.
    private struct Run {
        var first: BarClicks.Moment
        var step = Duration.zero
        var count = 1

        /// Takes the next moment in, if it continues the run to the nanosecond.
        mutating func take(_ moment: BarClicks.Moment) -> Bool {
            var expected = first
            expected.offset = moment.offset
            guard moment == expected, moment.sound != nil else { return false }
            let next = first.offset + step * count
            guard count == 1 || abs((next - moment.offset) / .nanoseconds(1)) < 1 else { return false }
            if count == 1 { step = moment.offset - first.offset }
            count += 1
            return true
        }
    }

    private static func runs(_ moments: [BarClicks.Moment]) -> [Run] {
        var runs: [Run] = []
        for moment in moments where runs.isEmpty || !runs[runs.count - 1].take(moment) {
            runs.append(Run(first: moment))
        }
        return runs
    }

    /// A run of clicks: the time of the first in the bar, its sound (null for a hold that waits for the player), dB, voice,
    /// what it marks, 1 if the player plays it, how many there are, and how far apart.
    private static func line(_ run: Run) -> String {
        let moment = run.first
        let fields: [JSON] = [
            .seconds(moment.offset, decimals: 9), .text(orNull: moment.sound?.rawValue),
            .number("\(moment.decibels)"), .number(moment.voice), .number(moment.rank.rawValue),
            .number(moment.isHeard ? 1 : 0), .number(run.count), .seconds(run.step, decimals: 15),
        ]
        return PageMessage.list(fields.map(\.line))
    }

    private static func line(_ drone: DroneSound, fade: Duration) -> String {
        let notes = drone.notes.map { "[\($0.hertz), \($0.amplitude), \($0.pan)]" }
        let fields: [(String, JSON)] = [
            ("notes", .number(PageMessage.list(notes))), ("waveform", .text(drone.voice.waveform.rawValue)),
            ("brightness", .number("\(drone.voice.brightness)")), ("beating", .number("\(drone.voice.beating)")),
            ("fade", .seconds(fade, decimals: 6)),
        ]
        return JSON.line(fields)
    }
}

/// Different texts, numbered from 0 in the order in which they came.
private struct Numbered {
    private(set) var texts: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of text: String) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }
}
