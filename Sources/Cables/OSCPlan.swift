package import Playback
internal import Scores
internal import Timing

/// What is told of a performance by OSC, and when. A value that follows the statuses: it has no clock and no socket.
package struct OSCPlan {
    /// How long before its moment a boundary is told, in ns; 0 to tell it at its moment, without a time tag.
    package let ahead: Int64
    /// The boundaries that were told last, and their moments.
    private var told: [(boundary: Int, moment: Int64)] = []
    private var state: String?
    private var speed: Float?

    /// How late a boundary is still told, in ns: a jump is heard a little before its status is read.
    private static let latest: Int64 = 150_000_000
    /// Two moments of one boundary that are nearer than this are the same, in ns.
    private static let same: Int64 = 60_000_000
    /// The longest pause between looks, in ns.
    private static let nap: Int64 = 100_000_000

    package init(ahead: Int64) { self.ahead = ahead }

    /// What is to be sent at `now` (CLOCK_MONOTONIC, ns), and when to look again. `wall` is CLOCK_REALTIME minus that clock.
    package mutating func step(
        _ status: Status, at now: Int64, wall: Int64
    ) -> (packets: [OSCPacket], next: Int64) {
        var packets = changes(status, at: now)
        guard case .going = status.stage, status.pause == nil else { return (packets, .max) }
        let passage = status.performance.passage
        told.removeAll { $0.moment < now - 2_000_000_000 }
        let from = status.anchor.position(at: .nanoseconds(now - OSCPlan.latest - status.zeroHeard))
        let first = passage.boundary(at: max(from, status.anchor.position, .zero))
        var next = now + OSCPlan.nap
        for boundary in first..<first + 1000 {
            guard passage.has(boundary: boundary) else { break }
            let position = passage.position(of: boundary)
            // The bar in which the music has stopped, or begun again, does not begin.
            guard position >= status.anchor.position else { continue }
            if let held = status.held, position > held.position { break }
            let moment = status.heard(boundary: boundary)
            guard moment > now - OSCPlan.latest else { continue }
            guard moment - ahead <= now else {
                next = min(next, moment - ahead)
                break
            }
            let isTold = told.contains { $0.boundary == boundary && abs($0.moment - moment) < OSCPlan.same }
            guard !isTold else { continue }
            told.append((boundary, moment))
            packets.append(OSCPacket(messages(boundary, status), at: ahead > 0 ? moment + wall : nil))
        }
        return (packets, next)
    }

    /// The message for the end of the performance; none if it was sent already.
    package mutating func end() -> [OSCPacket] {
        defer { (state, told) = (nil, []) }
        return state == "ended" ? [] : [OSCPacket([OSCMessage("/barline/state", [.string("ended")])])]
    }

    /// The state and the speed, if they have changed.
    private mutating func changes(_ status: Status, at now: Int64) -> [OSCPacket] {
        var messages: [OSCMessage] = []
        let state =
            switch status.moment(at: now) {
            case _ where status.stage != .going: "ended"
            case .waiting: "waiting"
            case .countIn(_, let isPaused): isPaused ? "paused" : "count-in"
            case .bar(let bar): bar.isPaused ? "paused" : bar.isWaiting ? "holding" : "playing"
            case .end: "ended"
            }
        if state != self.state { messages.append(OSCMessage("/barline/state", [.string(state)])) }
        self.state = state
        let speed = Float(status.speed.percent)
        if speed != self.speed { messages.append(OSCMessage("/barline/speed", [.float(speed)])) }
        self.speed = speed
        return messages.isEmpty ? [] : [OSCPacket(messages)]
    }

    /// What a boundary tells: its bar, and what begins with it.
    private func messages(_ boundary: Int, _ status: Status) -> [OSCMessage] {
        let bar = status.performance.passage.bar(of: boundary)
        let seconds = Float(status.speed.realDuration(of: bar.duration) / .seconds(1))
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
        return messages
    }
}
