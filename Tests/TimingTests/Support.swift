import Scores
import Shared
import Testing

@testable import Timing

typealias Seeded = Shared.Seeded

extension Seeded {
    /// A speed of whole per cent, a round one half of the time.
    mutating func speed() throws -> Speed {
        let percent = chance(2) ? int(5...300) : [5, 10, 25, 50, 100, 200][int(0...5)]
        return try TimingTests.speed(Int64(percent) * 10_000)
    }
}

extension Score {
    /// Lines of bars in milliseconds.
    init(milliseconds lines: [[Int]], passes: Int = 1, drone: Drone? = nil, countIn: Duration = .zero) {
        self.init(
            drone: drone, countIn: countIn,
            lines: lines.map { Line(passes: passes, bars: $0.map { Bar(.milliseconds($0)) }) })
    }

    /// 13 lines of the same 13 bars.
    static let sequenza = Score(
        title: "Sequenza VII (1969)", composer: "Luciano Berio", drone: Drone(), countIn: .seconds(3),
        lines: [Line(passes: 13, bars: sequenzaMilliseconds.map { Bar(.milliseconds($0)) })])
    static let sequenzaMilliseconds = [3000, 2700, 2000, 2000, 2000, 2000, 1800, 1500, 1300, 1300, 1000, 1000, 1000]

    /// Lines of lengths around the timeline's stride, repeats, and durations to the attosecond or of whole `unit`s.
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

    /// The duration of every bar in the order it is played, by no arithmetic at all.
    var played: [Duration] {
        lines.flatMap { line in (0..<line.passes).flatMap { _ in line.bars.map(\.duration) } }
    }
}

/// Where every bar of these durations begins, and the end: the naive sum.
func sums(_ durations: [Duration]) -> [Duration] {
    durations.reduce(into: [.zero]) { $0.append(($0.last ?? .zero) + $1) }
}

func speed(_ millionths: Int64, _ location: SourceLocation = #_sourceLocation) throws -> Speed {
    try #require(Speed(millionths: millionths), sourceLocation: location)
}

extension Duration {
    static let attosecond = Duration(attoseconds: 1)
}

/// A sink that remembers, keeps the engine's rule of order, and has no room now and then if told so.
struct Recorder: EventSink {
    private(set) var events: [Event] = []
    /// Events that came behind a later one in the same transaction: the engine takes none.
    private(set) var disorders: [Event] = []
    /// Every so many-th event finds no room at first, by a seed; nil for none.
    private let refusals: UInt64?
    private var asked: UInt64 = 0
    private var last = FramePosition(frame: .min)

    init(refusals: UInt64? = nil) { self.refusals = refusals }

    var hasRoom: Bool { refusals.map { (($0 &+ asked) &* 0x9E37_79B9_7F4A_7C15) >> 63 == 0 } ?? true }

    mutating func push(_ event: Event) {
        asked += 1
        if event.position < last { disorders.append(event) }
        last = event.position
        events.append(event)
    }

    /// Some time has passed: there may be room again.
    mutating func drain() { asked += 1 }

    /// Takes back every event from `frame` on.
    mutating func cut(at frame: Int64) {
        events.removeAll { $0.position.frame >= frame }
        last = FramePosition(frame: .min)
    }

    var clicks: [(position: FramePosition, sound: ClickSound)] {
        events.compactMap { event in
            if case .click(let sound, _) = event.kind { (event.position, sound) } else { nil }
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
    /// Hands out everything before `horizon`, however often the sink has no room.
    mutating func scheduleAll(before horizon: Int64, into recorder: inout Recorder) {
        while schedule(before: horizon, into: &recorder) < horizon { recorder.drain() }
    }
}

extension FramePosition {
    /// How many frames behind another.
    func distance(from other: FramePosition) -> Double {
        Double(frame - other.frame) + (fraction - other.fraction)
    }
}

/// Everything a performance hands out before `horizon`, in one go.
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
