package import Playback
internal import Scores
internal import Timing

/// What is told of a performance by OSC, and when. A value that follows the statuses: it has no clock and no socket.
package struct OSCPlan {
    /// How long before its moment a boundary is told, in ns; 0 to tell it at its moment, without a time tag.
    package let ahead: Int64
    private var beginnings = Beginnings()
    private var state: String?
    private var speed: Float?

    /// The longest pause between looks, in ns.
    private static let nap: Int64 = 100_000_000

    package init(ahead: Int64) { self.ahead = ahead }

    /// Takes up a status as soon as it comes: what is heard before the next one is told, however late `step` is called.
    package mutating func take(_ status: Status, at now: Int64) { beginnings.take(status, at: now) }

    /// What is to be sent at `now` (CLOCK_MONOTONIC, ns), and when to look again. `wall` is CLOCK_REALTIME minus that clock.
    package mutating func step(
        _ status: Status, at now: Int64, wall: Int64
    ) -> (packets: [OSCPacket], next: Int64) {
        let changes = changes(status, at: now)
        var packets = state == "ended" ? [] : changes
        let (begun, next) = beginnings.step(status, at: now, ahead: ahead)
        for beginning in begun {
            let messages = messages(beginning)
            guard !messages.isEmpty else { continue }
            packets.append(OSCPacket(messages, at: ahead > 0 ? beginning.moment + wall : nil))
        }
        // Nothing follows the end.
        if state == "ended" { packets += changes }
        guard case .going = status.stage, status.pause == nil else { return (packets, next ?? .max) }
        let edge: Int64? =
            switch status.moment(at: now) {
            case .bar(let bar): status.nextHoldEdge(inBar: bar.boundary, after: now)
            case .waiting(let left, _), .countIn(let left, _): now + Int64(left / .nanoseconds(1)) + 1
            case .end: nil
            }
        return (packets, min(next ?? .max, edge ?? .max, now + OSCPlan.nap))
    }

    /// The message for the end of the performance; none if it was sent already.
    package mutating func end() -> [OSCPacket] {
        defer { (state, beginnings) = (nil, Beginnings()) }
        return state == "ended" ? [] : [OSCPacket([OSCMessage("/barline/state", [.string("ended")])])]
    }

    /// The state and the speed, if they have changed.
    private mutating func changes(_ status: Status, at now: Int64) -> [OSCPacket] {
        var messages: [OSCMessage] = []
        let state =
            switch status.moment(at: now) {
            case _ where status.stage != .going: "ended"
            case .waiting(_, let isPaused): isPaused ? "paused" : "waiting"
            case .countIn(_, let isPaused): isPaused ? "paused" : "count-in"
            case .bar(let bar): bar.isPaused ? "paused" : bar.isHolding ? "holding" : "playing"
            case .end: "ended"
            }
        if state != self.state { messages.append(OSCMessage("/barline/state", [.string(state)])) }
        self.state = state
        let speed = Float(status.speed.percent)
        if speed != self.speed { messages.append(OSCMessage("/barline/speed", [.float(speed)])) }
        self.speed = speed
        return messages.isEmpty ? [] : [OSCPacket(messages)]
    }

    /// What a bar tells: itself and what begins with it, if it is one of the leading voice, and the messages of the score.
    private func messages(_ beginning: Beginnings.Beginning) -> [OSCMessage] {
        let bar = beginning.bar
        let own = bar.written.isPlain ? [] : bar.written.details.sends.compactMap(OSCMessage.init)
        guard beginning.voice == 0 else { return own }
        let seconds = Float(beginning.speed.realDuration(of: bar.duration) / .seconds(1))
        var messages = [
            OSCMessage(
                "/barline/bar",
                [
                    .int(Int32(clamping: bar.line)), .int(Int32(clamping: bar.bar)),
                    .int(Int32(clamping: bar.index + 1)), .float(seconds),
                ])
        ]
        if bar.isSectionStart, !bar.section.isEmpty {
            messages.append(OSCMessage("/barline/section", [.string(bar.section)]))
        }
        if bar.bar == 1 { messages.append(OSCMessage("/barline/line", [.int(Int32(clamping: bar.line))])) }
        if !bar.label.isEmpty { messages.append(OSCMessage("/barline/label", [.string(bar.label)])) }
        if !bar.cue.isEmpty { messages.append(OSCMessage("/barline/cue", [.string(bar.cue)])) }
        return messages + own
    }
}

extension OSCMessage {
    /// A message of a score; nil if it is none of OSC.
    fileprivate init?(_ message: StageMessage) {
        guard case .osc(let address, let values) = message else { return nil }
        self.init(
            address,
            values.map { value in
                switch value {
                case .int(let number): .int(number)
                case .float(let number): .float(number)
                case .text(let text): .string(text)
                }
            })
    }
}
