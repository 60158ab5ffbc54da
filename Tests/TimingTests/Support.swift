import Scores
import Shared
import Testing
import Timing

typealias Seeded = Shared.Seeded

extension Seeded {
    /// A random speed in whole percent, a round one half of the time.
    mutating func speed() throws -> Speed {
        let percent = chance(2) ? int(5...300) : [5, 10, 25, 50, 100, 200][int(0...5)]
        return try TimingTests.speed(Int64(percent) * 10_000)
    }
}

extension Score {
    /// Lines of bars in milliseconds.
    init(milliseconds lines: [[Int]], passes: Int = 1, drone: Drone? = nil, countIn: Lead = .off) {
        self.init(
            drone: drone, countIn: countIn,
            lines: lines.map { Line(passes: passes, bars: $0.map { Bar(.milliseconds($0)) }) })
    }

    /// 13 lines of the same 13 bars.
    static let sequenza = Score(
        title: "Sequenza VII (1969)", composer: "Luciano Berio", drone: Drone(), countIn: .seconds(3),
        lines: [Line(passes: 13, bars: sequenzaMilliseconds.map { Bar(.milliseconds($0)) })])
    static let sequenzaMilliseconds = [3000, 2700, 2000, 2000, 2000, 2000, 1800, 1500, 1300, 1300, 1000, 1000, 1000]

    /// Random lines, with lengths around the timeline's stride, repeats, and durations to the attosecond or in whole
    /// `unit`s.
    static func random(_ random: inout Seeded, unit: Duration? = nil, bars: ClosedRange<Int>? = nil) -> Score {
        let lines = (0..<random.int(1...5)).map { _ in
            let lengths = [1, 2, 3, 13, 15, 16, 17, 31, 32, 33, 47, 48, 49, 65]
            let count = bars.map { random.int($0) } ?? lengths[random.int(0...lengths.count - 1)]
            return Line(
                passes: random.int(1...4),
                bars: (0..<count).map { _ in
                    Bar(
                        unit.map { $0 * random.int(1...60) }
                            ?? Duration(
                                secondsComponent: Int64(random.int(0...20)),
                                attosecondsComponent: Int64(random.int(1...999_999_999_999_999_999))))
                })
        }
        return Score(lines: lines)
    }

    /// The durations of all bars in playing order, without any arithmetic.
    var played: [Duration] {
        lines.flatMap { line in (0..<line.passes).flatMap { _ in line.bars.map(\.duration) } }
    }
}

/// The start of every bar and the end, by naive summation.
func sums(_ durations: [Duration]) -> [Duration] {
    durations.reduce(into: [.zero]) { $0.append(($0.last ?? .zero) + $1) }
}

func speed(_ millionths: Int64, _ location: SourceLocation = #_sourceLocation) throws -> Speed {
    try #require(Speed(millionths: millionths), sourceLocation: location)
}

extension Duration {
    static let attosecond = Duration(attoseconds: 1)
}

/// A sink that records events, checks the engine's rule of order, and has no room now and then if it is told to.
struct Recorder: EventSink {
    private(set) var events: [Event] = []
    /// Events that came after a later one in the same transaction, which the engine refuses.
    private(set) var disorders: [Event] = []
    /// The seed of a random choice of events that find no room at first; nil if there is always room.
    private let refusals: UInt64?
    private var asked: UInt64 = 0
    private var last = FramePosition(frame: .min)

    init(refusals: UInt64? = nil) { self.refusals = refusals }

    var hasRoom: Bool { refusals.map { (($0 &+ asked) &* 0x9E37_79B9_7F4A_7C15) >> 63 == 0 } ?? true }

    @discardableResult
    mutating func push(_ event: Event) -> Bool {
        asked += 1
        if event.position < last { disorders.append(event) }
        last = event.position
        events.append(event)
        return true
    }

    /// Lets time pass, so that there may be room again.
    mutating func drain() { asked += 1 }

    /// Takes back every event from `frame` on.
    mutating func cut(at frame: Int64) {
        events.removeAll { $0.position.frame >= frame }
        last = FramePosition(frame: .min)
    }

    var clicks: [(position: FramePosition, sound: ClickSound)] {
        events.compactMap { event in
            if case .click(let sound, _, _) = event.kind { (event.position, sound) } else { nil }
        }
    }

    var drones: [(frame: Int64, amplitude: Double, rampFrames: Int)] {
        events.compactMap { event in
            if case .drone(let sound, let ramp) = event.kind {
                (event.position.frame, sound.amplitude, ramp)
            } else {
                nil
            }
        }
    }
}

extension Scheduler {
    /// Schedules everything before `horizon`, however often the sink has no room.
    mutating func scheduleAll(before horizon: Int64, into recorder: inout Recorder) {
        while schedule(before: horizon, into: &recorder) < horizon { recorder.drain() }
    }
}

extension FramePosition {
    /// How many frames this position is after another.
    func distance(from other: FramePosition) -> Double {
        Double(frame - other.frame) + (fraction - other.fraction)
    }
}

/// All events of a performance before `horizon`, scheduled in one call.
func events(_ performance: Performance, rate: Int, before horizon: Int64 = .max) -> Recorder {
    var scheduler = Scheduler(performance, rate: rate)
    var recorder = Recorder()
    scheduler.scheduleAll(before: horizon, into: &recorder)
    return recorder
}

extension MusicState {
    /// Whether the music waits for the player.
    var isHolding: Bool { if case .holding = self { true } else { false } }
}

extension DroneSound {
    /// The loudest note's peak; 0 for silence.
    var amplitude: Double { notes.map(\.amplitude).max() ?? 0 }
}
