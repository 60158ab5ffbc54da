import Scores
import Testing
import Timing

/// A command that a user can give at any moment.
private enum Step {
    case pauseOrResume
    case jump(Int)
    case speed(Speed)
}

/// An independent, exact model of a performance with commands: positions are whole numbers of attoseconds / rate.
private struct Model {
    let passage: Passage
    let rate: Int128
    /// Frames at which counts come, exact for whole seconds.
    var counts: [Int64]
    /// The frame at which the music is or was at `position`.
    var frame: Int64
    var position: Int128 = 0
    var millionths: Int128
    var next = 0
    var pausedAt: Int64?
    /// The frame at which the count-in or the first bar begins. Commands before it do not make the music begin earlier.
    var begin: Int64 = 0
    var hasBegun = false
    var sounded: [FramePosition] = []

    init(_ performance: Performance, rate: Int) {
        passage = performance.passage
        self.rate = Int128(rate)
        let seconds = performance.countInLength.components.seconds
        frame = seconds * Int64(rate)
        counts = (0..<seconds).map { $0 * Int64(rate) }
        millionths = Int128(performance.speed.millionths)
    }

    /// One frame at 100 % is 10^18 / rate attoseconds, and so 10^18 units.
    private var unitsPerFrame: Int128 { millionths * 1_000_000_000_000 }

    private var nextClick: FramePosition? {
        if let count = counts.first { return FramePosition(frame: count) }
        guard passage.has(boundary: next) else { return nil }
        let (whole, rest) = (passage.position(of: next).attoseconds * rate - position)
            .quotientAndRemainder(dividingBy: unitsPerFrame)
        return FramePosition(frame: frame + Int64(whole), fraction: Double(rest) / Double(unitsPerFrame))
    }

    private mutating func sound(_ click: FramePosition) {
        sounded.append(click)
        if counts.isEmpty { next += 1 } else { counts.removeFirst() }
    }

    /// Plays all clicks before `end`. A click exactly at `end` is played only if the scheduler, which has played
    /// `heard` clicks, rounded it to just before.
    mutating func play(until end: Int64, heard: Int) {
        guard pausedAt == nil else { return }
        while let click = nextClick,
            click.frame < end || click == FramePosition(frame: end) && sounded.count < heard
        {
            sound(click)
        }
    }

    mutating func perform(_ step: Step, at now: Int64) {
        let at = pausedAt ?? now
        if pausedAt == nil, now > begin { hasBegun = true }
        switch step {
        case .pauseOrResume:
            guard let stopped = pausedAt else { return pausedAt = now }
            let shift = hasBegun ? now - stopped : max(now - begin, 0)
            frame += shift
            begin += shift
            counts = counts.map { $0 + shift }
            pausedAt = nil
        case .jump(let n):
            next = n
            position = passage.position(of: n).attoseconds * rate
            guard hasBegun else { return }
            counts = []
            frame = at
        case .speed(let speed):
            if at > frame {
                position += Int128(at - frame) * unitsPerFrame
                frame = at
            }
            millionths = Int128(speed.millionths)
        }
    }
}

/// A performance with random commands, carried out as a conductor does.
private struct Rehearsal {
    var random: Seeded
    let performance: Performance
    let rate: Int
    var scheduler: Scheduler
    var recorder: Recorder
    var model: Model
    var now: Int64
    /// Events that came too late or too early: before `now`, or at or after the horizon.
    var late: [Event] = []

    init(seed: UInt64, rate: Int) throws {
        random = Seeded(state: seed)
        let score = Score.random(&random, unit: .milliseconds([1, 10, 25, 100][random.int(0...3)]), bars: 1...9)
        let timeline = Timeline(score)
        let first = random.int(0...timeline.barCount - 1)
        let bars = random.chance(2) ? first..<random.int(first + 1...timeline.barCount) : nil
        let passage = Passage(timeline, bars: bars, passes: random.chance(3) ? nil : random.int(1...3))
        var performance = Performance(of: score, passage: passage)
        performance.countIn = .seconds(random.int(0...2))
        performance.drone = random.chance(2) ? Score.Drone() : nil
        performance.speed = try random.speed()
        self.performance = performance
        self.rate = rate
        scheduler = Scheduler(performance, rate: rate)
        recorder = Recorder(refusals: random.chance(3) ? random.next() : nil)
        model = Model(performance, rate: rate)
        // A card starts before frame 0.
        now = -Int64(random.int(0...rate / 8))
    }

    /// Advances to frames close together, far apart, and exactly at a click.
    private mutating func wait() {
        switch random.int(1...8) {
        case 1, 2: return
        case 3: now += Int64(random.int(1...4))
        case 4, 5:
            if let click = recorder.clicks.first(where: { $0.position.frame > now }) {
                now = click.position.frame + Int64(random.int(0...1))
            }
        case 6: now += Int64(random.int(1...rate / 20))
        default: now += Int64(random.int(1...rate))
        }
    }

    private mutating func step() throws -> Step {
        switch random.int(1...6) {
        case 1, 2, 3: return .pauseOrResume
        case 4, 5: return .speed(try random.speed())
        default: return .jump(random.int(0...min(performance.passage.count ?? 200, 200) - 1))
        }
    }

    /// Schedules everything before `horizon`; no new event may lie before `now`, or at or after the horizon.
    private mutating func supply(before horizon: Int64) {
        let known = recorder.events.count
        scheduler.scheduleAll(before: horizon, into: &recorder)
        late += recorder.events[known...].filter { $0.position.frame < now || $0.position.frame >= horizon }
    }

    mutating func run(steps: Int) throws {
        supply(before: now + Int64(random.int(0...3 * rate)))
        for _ in 0..<steps {
            let handedOut = now
            wait()
            // The horizon is never before the rendered frame: everything before `now` has been scheduled.
            let rendered = now
            now = handedOut
            supply(before: rendered + Int64(random.int(0...2 * rate)))
            now = rendered
            if !scheduler.isPaused { recorder.cut(at: now) }
            model.play(until: now, heard: recorder.clicks.count)
            let step = try step()
            model.perform(step, at: now)
            switch step {
            case .pauseOrResume where scheduler.isPaused: scheduler.resume(at: now)
            case .pauseOrResume: scheduler.pause(at: now)
            case .jump(let n): scheduler.jump(to: n, at: now)
            case .speed(let speed): scheduler.change(speed: speed, at: now)
            }
            supply(before: now + Int64(random.int(0...3 * rate)))
        }
        let end = now + Int64(10 * rate)
        supply(before: end)
        model.play(until: end, heard: recorder.clicks.count)
    }
}

@Suite("Random commands")
struct RandomCommandTests {
    /// At 8000, 16000 and 32000 a frame is a whole number of attoseconds; at the others it is not.
    @Test(
        "no sequence of commands loses, repeats or moves a click", arguments: [8000, 16000, 32000, 44100, 48000, 96000])
    func modeled(rate: Int) throws {
        for seed in 0..<400 {
            var rehearsal = try Rehearsal(seed: UInt64(seed) &* 7919 &+ UInt64(rate), rate: rate)
            try rehearsal.run(steps: 25)
            let clicks = rehearsal.recorder.clicks.map(\.position)
            let expected = rehearsal.model.sounded
            let moved = zip(clicks, expected).first { abs($0.distance(from: $1)) > 1e-9 }
            #expect(moved == nil, "seed \(seed)")
            #expect(clicks.count == expected.count, "seed \(seed)")
            #expect(rehearsal.late == [], "seed \(seed)")
            #expect(rehearsal.recorder.disorders == [], "seed \(seed)")
        }
    }
}
