internal import Languages
package import Playback
package import Scores
internal import Timing

/// The answers of a session to a status request.
package enum StatusText {
    /// The shortest command delay that the answer mentions.
    private static let longDelay = Duration.milliseconds(150)

    /// The status as one line: the title, the place and the time left, and what is wrong with the sound or the network. Nobody
    /// can go on from a hold here if another machine leads (`isLed`). With `part`, the place is that of this voice.
    package static func line(
        _ status: Status?, _ words: any PieceWords = ScoreWords(), isLed: Bool = false, part: String? = nil,
        at now: Int64
    ) -> String {
        guard let status else { return localized("starting") }
        let own = OwnPart(part, status)
        var parts = [status.performance.title, own?.timeline.voice.name ?? ""]
        let moment = status.moment(at: now)
        switch own?.moment(moment, status) ?? moment {
        case .waiting(let left, _): parts.append(localized("begins in \(Wording.clock(left))"))
        case .countIn(let left, _): parts.append(localized("count-in, \(Wording.left(left)) s"))
        case .end: parts.append(localized("at the end"))
        case .bar(let heard):
            parts += words.phrases(heard, status)
            let stands = status.ending != nil || heard.isPaused
            if heard.isWaiting, !stands {
                parts.append(isLed ? localized("holding") : localized("holding (`barline continue` to go on)"))
            } else if let hold = heard.hold, !stands {
                parts.append(localized("holding, \(Wording.left(hold.left, of: hold.duration)) s left"))
            }
            parts.append(Wording.latency(status) ?? "")
            if status.commandDelay >= StatusText.longDelay {
                parts.append(localized("command delay \(Wording.left(status.commandDelay)) s"))
            }
        }
        if status.isStopping {
            parts.append(status.hasEnded ? "" : localized("stopping"))
        } else if let pause = status.pause {
            parts.append(
                pause.isBySuspend ? localized("paused, because the machine was suspended") : localized("paused"))
        }
        if !status.hasEnded { parts.append(Wording.trouble(status) ?? "") }
        return parts.joinedNonempty(", ")
    }

    /// The same for programs, with the name of that voice; with `guests`, also who is connected, with `cables`, their signs of life, and with a `tuner` what a
    /// microphone heard last.
    package static func json(
        _ status: Status?, _ words: any PieceWords = ScoreWords(), guests: [Guest]? = nil, cables: [CableSign] = [],
        tuner: Tuner? = nil, part: String? = nil, at now: Int64
    ) -> String {
        guard let status else { return JSON.line([("state", "beginning")]) }
        func object(_ state: String, _ rest: (String, JSON)..., more: [(String, JSON)] = []) -> String {
            let state = status.isStopping && !status.hasEnded ? "stopping" : status.pause != nil ? "paused" : state
            let head: [(String, JSON)] = [
                ("state", .text(state)), ("title", .text(status.performance.title)),
                ("command_delay_s", .seconds(status.commandDelay, decimals: 3)),
                ("latency_s", .seconds(status.latency, decimals: 3)),
                ("trouble", .text(orNull: Wording.trouble(status))),
                ("heard", tuner.map { heard(status, $0.last) } ?? .null),
            ]
            return JSON.line(head + rest + more + connections(cables, guests: guests, at: now))
        }
        let (own, moment) = (OwnPart(part, status), status.moment(at: now))
        switch own?.moment(moment, status) ?? moment {
        case .waiting(let left, _): return object("waiting", ("left_s", .seconds(left, decimals: 3)))
        case .countIn(let left, _): return object("count-in", ("left_s", .seconds(left, decimals: 3)))
        case .end: return object("end")
        case .bar(let heard):
            let isOpen = words.isOpen(heard.boundary, status)
            return object(
                heard.isHolding ? "holding" : "playing",
                ("line", .number(heard.bar.line)), ("bar", .number(heard.bar.bar)),
                ("number", .number(heard.bar.number)),
                ("label", .text(heard.bar.label)),
                ("left_s", .seconds(isOpen ? nil : heard.left, decimals: 3)),
                ("elapsed_s", .seconds(heard.elapsed, decimals: 3)),
                ("total_s", .seconds(words.hasOpenEnds ? nil : heard.total, decimals: 3)),
                ("hold_left_s", .seconds(heard.hold?.left, decimals: 3)),
                ("waited_s", .seconds(heard.isWaiting ? heard.waited : nil, decimals: 3)),
                more: words.fields(heard, status) + (part.map { [("voice", .text($0))] } ?? []))
        }
    }

    /// The fields of cables, unless there are none, and with `guests` of who is connected.
    package static func connections(
        _ cables: [CableSign], guests: [Guest]?, at now: Int64
    ) -> [(String, JSON)] {
        let cables = cables.isEmpty ? [] : [("cables", JSON.list(cables.map { $0.json(at: now) }))]
        return cables + (guests.map { [("connected", JSON.list($0.map { $0.json(at: now) }))] } ?? [])
    }

    /// The last bar that a microphone heard, and the last pitch; null where there was none. The fields of a pitch are those of a
    /// note in `barline listen --json`.
    private static func heard(_ status: Status, _ pitch: HeardPitch?) -> JSON {
        func number(_ value: Double?, _ decimals: Int) -> JSON { value.map { .number($0.fixed(decimals)) } ?? .null }
        let (heard, interval) = (status.heard, pitch?.interval)
        let drones = status.performance.drone?.notes.map(\.pitch.description) ?? []
        return .object([
            "line": heard.map { .number($0.bar.line) } ?? .null, "bar": heard.map { .number($0.bar.bar) } ?? .null,
            "late_s": .seconds(heard?.late, decimals: 4), "note": .text(orNull: pitch?.name),
            "hertz": number(pitch?.hertz, 4), "cents": number(pitch?.cents, 2),
            "interval": .text(orNull: interval.map { "\($0.over):\($0.under)" }),
            "over": .text(orNull: interval.flatMap { drones.indices.contains($0.note) ? drones[$0.note] : nil }),
            "interval_cents": number(interval?.cents, 2), "is_sure": pitch.map { .bool($0.isSure) } ?? .null,
        ])
    }

    /// The time now: CLOCK_MONOTONIC in ns.
    package static var now: Int64 { monotonicNanoseconds() }
}
