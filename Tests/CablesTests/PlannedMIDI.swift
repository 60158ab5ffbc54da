import Cables
import Listening
import Playback
import Scores
import SimulatedCardSupport
import Timing

/// What a plan sends of a performance on a simulated card that is 300 ppm fast.
struct PlannedMIDI: CustomStringConvertible {
    let play: SimulatedPlay
    /// What left the queue, and when, in s since the origin of the timing log.
    var sent: [(time: Double, message: MIDIMessage)] = []

    /// Plays a performance. The thread of the cable is late by `stall` ms at every second of its wake-ups.
    init(
        _ performance: Performance, _ options: MIDIPlan.Options, commands: [(Double, Command)] = [], stall: Int64 = 0
    ) throws {
        play = try SimulatedPlay.run(
            performance, on: ["skew_ppm": 300, "jitter_us": 50], policy: .rewind, commands: commands,
            keepsStatuses: true)
        var plan = MIDIPlan(options)
        var queue: [MIDIEvent] = []
        var statuses = play.statuses[...]
        var newest: Status?
        var (now, next, count) = (Int64(Simulation.beginning * 1e9), Int64.min, 0)
        let end = Int64((play.overAt ?? .nan) * 1e9)
        while now < end {
            while let status = statuses.first, status.time * 1e9 <= Double(now) {
                (newest, next) = (status.status, min(next, now + (count.isMultiple(of: 2) ? stall * 1_000_000 : 0)))
                statuses.removeFirst()
            }
            send(&queue, by: now)
            if let newest, now >= next {
                let step = plan.step(newest, at: now)
                if let moment = step.takesBack { queue.removeAll { $0.time > moment } }
                // A queue that keeps the order of what is due at the same time.
                queue = (queue + step.events).enumerated()
                    .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
                count += 1
                next = step.next + (count.isMultiple(of: 2) ? stall * 1_000_000 : 0)
            }
            now += 1_000_000
        }
        send(&queue, by: end)
        for message in plan.end(at: end) { sent.append((Double(end) * 1e-9 - play.origin, message)) }
    }

    private mutating func send(_ queue: inout [MIDIEvent], by now: Int64) {
        let due = queue.prefix { $0.time <= now }
        sent += due.map { (Double($0.time) * 1e-9 - play.origin, $0.message) }
        queue.removeFirst(due.count)
    }

    /// The messages of a score on the channels.
    var notes: [(time: Double, message: MIDIMessage)] {
        sent.filter { if case .channel = $0.message { true } else { false } }
    }

    /// The ticks as a machine counts them that follows start, stop, continue and song position. nil if what it gets is out of
    /// order.
    var ticks: [(time: Double, number: Int)]? { PlannedMIDI.ticks(of: sent) }

    /// The same of what has been sent.
    static func ticks(of sent: [(time: Double, message: MIDIMessage)]) -> [(time: Double, number: Int)]? {
        var (ticks, position, isGoing) = ([(time: Double, number: Int)](), 0, false)
        for (time, message) in sent {
            switch message {
            case .start where !isGoing: (position, isGoing) = (0, true)
            case .continue where !isGoing: isGoing = true
            case .songPosition(let sixteenths) where !isGoing: position = 6 * sixteenths
            case .stop where isGoing: isGoing = false
            case .clock where isGoing:
                ticks.append((time, position))
                position += 1
            case .start, .continue, .songPosition, .stop, .clock: return nil
            default: continue
            }
        }
        return ticks
    }

    /// The timecodes as a machine puts them together of quarter frames, each with the time of its first one. nil if what it
    /// gets is out of order.
    func timecodes(_ rate: Timecode.Rate) throws -> [(time: Double, timecode: Timecode)]? {
        let rates: [Int: Timecode.Rate] = [0: .fps24, 1: .fps25, 2: .fps29_97DropFrame, 3: .fps30]
        var found: [(time: Double, timecode: Timecode)] = []
        var (nibbles, begin) = ([Int](), 0.0)
        for (time, message) in sent {
            // A whole timecode begins anew.
            if case .fullFrame = message { nibbles = [] }
            guard case .quarterFrame(let byte) = message else { continue }
            let (part, nibble) = (Int(byte >> 4), Int(byte & 15))
            if part == 0 { (nibbles, begin) = ([], time) }
            guard part == nibbles.count else { return nil }
            nibbles.append(nibble)
            guard part == 7 else { continue }
            guard rates[nibbles[7] >> 1] == rate else { return nil }
            let timecode = try Timecode(
                hours: nibbles[6] + (nibbles[7] & 1) << 4, minutes: nibbles[4] + nibbles[5] << 4,
                seconds: nibbles[2] + nibbles[3] << 4, frames: nibbles[0] + nibbles[1] << 4, rate: rate)
            found.append((begin, timecode))
            nibbles = []
        }
        return found
    }

    /// Short, for the message of a test that fails.
    var description: String { "\(sent.count) messages" }

    var isInOrder: Bool { zip(sent, sent.dropFirst()).allSatisfy { $0.time <= $1.time } }
}
