internal import Cables
internal import Glibc
internal import Playback
internal import Scores
internal import Screens
internal import Shared
internal import Timing

/// Sends the statuses of a play to the plans of OSC and MIDI and to a screen of lines, and checks what they tell. Each bar that
/// begins must be told once and on time, and nothing else. The threads that tell it are late now and then, and stop when the
/// program is stopped.
struct OracleTold {
    /// A bar that was told.
    private struct Bar {
        var index: Int
        /// When it was sent, and the moment that it was said to have. By the simulated clock, in s.
        var sent: Double
        var moment: Double
        /// Whether the music stands there in a pause: it has its line at once, and none when it goes on.
        var stands = false
    }

    private let play: SimulatedPlay
    private let card: OraclePlay.Card
    private let score: Score
    /// The times in which the threads of the cables do not run, in order. By the simulated clock, in s.
    private let sleeps: [ClosedRange<Double>]
    private let ahead: Int64
    /// The statuses that tell something new: only these wake the threads.
    private let statuses: [(time: Double, status: Status)]
    private let end: Double
    /// When time zero is heard, as the player has told how late that is.
    private let zero: Double

    /// The note of the first bar; each bar that follows has the next one.
    static let firstNote = 36

    init(_ play: SimulatedPlay, _ card: OraclePlay.Card, _ score: Score, seconds: Double, seed: UInt64) {
        (self.play, self.card, self.score) = (play, card, score)
        zero = play.origin + (play.status?.latency.seconds ?? 0)
        var random = Seeded(state: seed ^ 0x7E11)
        var last: Status?
        statuses = play.statuses.filter { _, status in
            defer { last = status }
            return last.map { !status.tells(as: $0) } ?? true
        }
        ahead = random.chance(2) ? 0 : 100_000_000
        var sleeps = card.machine.stalls.filter { $0.thread == nil }.map { stall in
            Simulation.beginning + stall.begin...Simulation.beginning + stall.begin + stall.length
        }
        if random.chance(2) {
            for _ in 0..<4 {
                let begin = Simulation.beginning + .random(in: 1...max(seconds, 2), using: &random)
                sleeps.append(begin...begin + .random(in: 0.01...1.5, using: &random))
            }
        }
        self.sleeps = sleeps.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { all, next in
            guard let last = all.last, last.contains(next.lowerBound) else { return all.append(next) }
            all[all.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
        }
        end = play.overAt ?? Simulation.beginning + seconds
    }

    /// When a thread that something wakes at a time runs.
    private func awake(_ time: Double) -> Double {
        sleeps.first { $0.contains(time) }?.upperBound ?? time
    }

    /// Lets a thread take each status, and look when it is due; `step` returns when that is.
    private func follow(
        take: (Status, Int64) -> Void, step: (Status, Int64) -> Int64
    ) {
        var statuses = statuses[...]
        var newest: Status?
        var due = Double.infinity
        while true {
            let next = min(due, statuses.first?.time ?? .infinity)
            guard next < end else { return }
            let now = awake(next) + 50e-6
            while let status = statuses.first, status.time <= now {
                statuses.removeFirst()
                take(status.status, Int64(now * 1e9))
                newest = status.status
            }
            guard let newest else { return }
            due = max(Double(step(newest, Int64(now * 1e9))) * 1e-9, now)
        }
    }

    /// What OSC tells.
    private func oscBars() -> [Bar] {
        var plan = OSCPlan(ahead: ahead)
        var bars: [Bar] = []
        follow {
            plan.take($0, at: $1)
        } step: { status, now in
            let (packets, next) = plan.step(status, at: now, wall: 0)
            for packet in packets {
                for message in packet.messages where message.address == "/barline/bar" {
                    guard case .int(let index) = message.values[2] else { continue }
                    bars.append(
                        Bar(
                            index: Int(index), sent: Double(now) * 1e-9,
                            moment: Double(packet.time ?? now) * 1e-9))
                }
            }
            return next
        }
        return bars
    }

    /// What a queue of MIDI sends.
    private func notes() -> [Bar] {
        var plan = MIDIPlan(MIDIPlan.Options())
        var queue: [(planned: Int64, event: MIDIEvent)] = []
        var bars: [Bar] = []
        func send(by now: Int64) {
            for (planned, event) in queue where event.time <= now {
                guard case .channel(_, .noteOn(let note, _)) = event.message else { continue }
                bars.append(
                    Bar(
                        index: note - OracleTold.firstNote + 1, sent: Double(planned) * 1e-9,
                        moment: Double(max(event.time, planned)) * 1e-9))
            }
            queue.removeAll { $0.event.time <= now }
        }
        follow {
            plan.take($0, at: $1)
        } step: { status, now in
            send(by: now)
            let step = plan.step(status, at: now)
            if let moment = step.takesBack { queue.removeAll { $0.event.time > moment } }
            queue += step.events.map { (now, $0) }
            return step.next
        }
        send(by: Int64(end * 1e9))
        return bars.sorted { $0.moment < $1.moment }
    }

    /// What a pipe gets: a line for each bar.
    private func lines() -> [Bar] {
        let timeline = Timeline(score)
        var indices: [String: Int] = [:]
        for n in 0..<timeline.barCount { indices["\(timeline[n].line).\(timeline[n].bar)"] = n + 1 }
        let written = Written()
        var bars: [Bar] = []
        func read(at now: Int64, stands: Bool) {
            for line in written.lines where line.hasPrefix(" ") {
                guard let index = line.split(separator: " ").first.flatMap({ indices[String($0)] }) else { continue }
                let time = Double(now) * 1e-9
                bars.append(Bar(index: index, sent: time, moment: time, stands: stands))
            }
            written.lines = []
        }
        var screen = LineScreen { written.lines.append($0) }
        follow { _, _ in
        } step: { status, now in
            defer { read(at: now, stands: status.pause != nil) }
            return screen.show(status, at: now)
        }
        screen.end(play.status)
        read(at: Int64(end * 1e9), stands: false)
        return bars
    }

    private final class Written { var lines: [String] = [] }

    /// A line for each thing that is told.
    var account: [String] {
        func lines(_ bars: [Bar], _ name: String) -> [String] {
            bars.map { "\(name): bar \($0.index) at \($0.moment - zero) s, sent at \($0.sent - zero) s" }
        }
        return sleeps.map { "cables sleep in \($0.lowerBound - zero)...\($0.upperBound - zero)" }
            + lines(oscBars(), "OSC") + lines(notes(), "MIDI") + lines(self.lines(), "lines")
    }

    // MARK: - The judgement

    /// A sentence for each difference from what was heard up to a time after time zero, in s.
    func judge(upTo last: Double) -> [String] {
        guard play.origin > 0 else { return [] }
        let isTagged = ahead > 0
        return judge(oscBars(), "OSC", isTagged: isTagged, upTo: last)
            + (card.voices == 1 ? judge(notes(), "MIDI", isTagged: false, upTo: last) : [])
            + judge(lines(), "a pipe", isTagged: false, upTo: last)
    }

    /// A status that tells of new commands: when the last one takes effect, and when it came.
    private struct News {
        var effect: Double
        var came: Double
        var commands: Int
    }

    private var news: [News] {
        var news: [News] = []
        var count = 0
        for (time, status) in play.statuses where status.commandCount != count {
            let effect = status.effect.map { Double(status.heard(time: $0)) * 1e-9 } ?? time
            news.append(News(effect: effect, came: awake(time), commands: status.commandCount - count))
            count = status.commandCount
        }
        return news
    }

    private func judge(_ told: [Bar], _ name: String, isTagged: Bool, upTo last: Double) -> [String] {
        let news = news
        /// Whether it was told before anybody knew of a command that took it back.
        func isUnknowing(_ bar: Bar) -> Bool {
            news.contains { $0.came > bar.sent && $0.effect < bar.moment + 1e-3 }
        }
        let first = play.statuses.first.map { awake($0.time) } ?? 0
        var wrong: [String] = []
        var rest = told
        let isQueue = name == "MIDI"
        // A screen sees only the newest of the statuses that come while it stands still.
        let unseen = name == "a pipe" ? zip(news, news.dropFirst()).filter { $0.came == $1.came } : []
        /// What was lost, or began too long ago, may be told.
        func isFree(_ row: TimingRow) -> Bool {
            let begin = zero + min(row.nominal.seconds, row.heard?.seconds ?? .infinity)
            return row.flags.contains(.lost) || isOld(begin, isQueue: isQueue)
                || unseen.contains { $0.effect < begin + 1e-3 && begin < $1.effect + 1e-3 }
        }
        for row in play.rows.filter({ !isFree($0) }) + play.rows.filter(isFree) {
            let heard = row.heard?.seconds ?? row.nominal.seconds
            let time = zero + heard
            // The flag `slip` says that its time is not known.
            let slip = row.flags.contains(.slip) ? 0.2 : 0
            // A slow machine is preempted at each twelfth look at its clock: what it believes can be wrong.
            let slow = card.machine.isSlow ? Double(card.machine.preemptedFor) * 1e-9 : 0
            let unsure = card.tolerance + 4e-6 * row.uncertaintyMicroseconds + 2e-3 + slip + slow
            // After a fault of the card, the program has believed for a while that the bar was on time. A start that was moved to the
            // past makes clicks late, but not their bars.
            let isMoved = row.flags.contains(.late) && !news.contains { abs($0.effect - time) < 1e-3 }
            let isPlain = row.flags.isDisjoint(with: [.xrun, .away]) && !isMoved
            let due = isPlain ? time : zero + row.nominal.seconds
            let early = min(time, due)
            // Without a time tag, it is told as soon as the thread runs and knows of it.
            let known = max(awake(time), news.last { $0.effect < time + 1e-3 }?.came ?? first)
            let late = isTagged ? time : row.flags.contains(.lost) ? known + 5 : known + 4e-3
            let candidates = rest.indices.filter {
                // Nobody knew that a command would move it a little.
                let near = unsure + (isUnknowing(rest[$0]) ? 0.06 : 0)
                guard rest[$0].index == row.index, rest[$0].moment < late + near else { return false }
                return rest[$0].moment > early - near || rest[$0].stands
            }
            func distance(_ bar: Bar) -> Double {
                let moments = isTagged ? [time, due] : [time, due, known, awake(due)]
                return (moments.map { abs(bar.moment - $0) }.min() ?? .infinity)
                    + (isUnknowing(bar) ? 5e-3 : 0)
            }
            if let match = candidates.min(by: { distance(rest[$0]) < distance(rest[$1]) }) {
                rest.remove(at: match)
            } else if heard < last, !isFree(row),
                !news.contains(where: { $0.commands > 1 && (-1e-3...1e-3).contains($0.effect - time) })
            {
                // One status can tell of several commands. A bar that the last of them replaced is not in it.
                wrong.append("\(name) does not tell of bar \(row.index) at \(heard) s (\(row.flags.text))")
            }
        }
        func isUnseen(_ bar: Bar) -> Bool {
            unseen.contains { $0.came < bar.sent && bar.sent < max($0.came + 0.01, $1.effect + 1e-3) }
        }
        for bar in rest where bar.moment - zero < last - 0.2 && !isUnknowing(bar) && !bar.stands && !isUnseen(bar) {
            wrong.append("\(name) tells of bar \(bar.index) at \(bar.moment - zero) s, sent at \(bar.sent - zero) s")
        }
        return wrong
    }

    /// Whether it began so long before the thread ran again that it is not told any more. A queue begins anew then.
    private func isOld(_ time: Double, isQueue: Bool) -> Bool {
        awake(time) - time > 4.9
            || isQueue && sleeps.contains { $0.contains(time) && awake(time) - $0.lowerBound > 4.9 }
    }
}

extension Status {
    /// Whether it tells the same music as another one.
    fileprivate func tells(as other: Status) -> Bool {
        commandCount == other.commandCount && zeroHeard == other.zeroHeard && anchor == other.anchor
            && pause == other.pause && held == other.held && stage == other.stage && effect == other.effect
            && begins == other.begins
    }
}
