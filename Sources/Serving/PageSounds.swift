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

    /// The clicks and the drone of each bar of a window of boundaries, and what other voices play meanwhile. Most bars sound like others: each kind is written
    /// once, and the bars refer to it by its number.
    static func message(_ window: Range<Int>, _ performance: Performance) -> String {
        var (patterns, drones) = (Numbered(), Numbered())
        let bars = window.map { n in
            let clicks = performance.clicks(ofBar: n).moments.map(line)
            let drone = performance.drone(underBar: n).map { line($0.sound, fade: $0.fade) }
            return "[\(patterns.number(of: PageMessage.list(clicks))), \(drones.number(of: drone ?? "null"))]"
        }
        let isSilent = performance.isClickMuted || performance.clickLevel.isSilent
        let head: [(String, JSON)] = [
            ("first", .number(window.lowerBound)),
            ("level", isSilent ? .null : .number("\(performance.clickLevel.decibels)")),
        ]
        let voices = performance.passage.timeline.voices.map { JSON.text($0.name).line }
        let fields = [
            #""voices": \#(PageMessage.list(voices.count > 1 ? voices : []))"#,
            #""others": \#(PageMessage.list(voices.count > 1 ? others(window, performance.passage) : []))"#,
            #""sounds": \#(JSON.line(head))"#, #""patterns": \#(PageMessage.list(patterns.texts))"#,
            #""drones": \#(PageMessage.list(drones.texts))"#, #""heard": \#(PageMessage.list(bars))"#,
        ]
        return "{\(fields.joined(separator: ", "))}"
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

    /// A click: its time in the bar, its sound (null for a hold that waits for the player), dB, voice, what it marks, and
    /// 1 if the player plays it.
    private static func line(_ moment: BarClicks.Moment) -> String {
        let fields: [JSON] = [
            .seconds(moment.offset, decimals: 9), .text(orNull: moment.sound?.rawValue),
            .number("\(moment.decibels)"), .number(moment.voice), .number(moment.rank.rawValue),
            .number(moment.isHeard ? 1 : 0),
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
