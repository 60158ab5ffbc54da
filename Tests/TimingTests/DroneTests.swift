import Scores
import Testing
import Timing

@Suite("The drone's fades and chords")
struct DroneTests {
    private static let rate = 48_000
    private static var drone: Score.Drone {
        var drone = Score.Drone()
        drone.fade = .seconds(2)
        return drone
    }

    private static func performance(
        bars: [Score.Bar] = Array(repeating: Score.Bar(.seconds(2)), count: 5), _ drone: Score.Drone = drone
    ) -> Performance {
        let score = Score(drone: drone, lines: [Score.Line(bars: bars)])
        return Performance(of: score, passage: Passage(Timeline(score)))
    }

    @Test("the drone fades in and out over its fade time, and is silent at the end")
    func fade() {
        let drones = events(Self.performance(), rate: Self.rate).drones
        let end: Int64 = 8 * 48_000
        #expect(drones.map(\.frame) == [0, end])
        #expect(drones.map(\.rampFrames) == [96_000, 96_000])
        #expect(drones.map { $0.amplitude > 0 } == [true, false])
        // A fade longer than the piece turns back at once.
        var slow = Self.drone
        slow.fade = .seconds(60)
        let never = events(Self.performance(slow), rate: Self.rate).drones
        #expect(never.map(\.frame) == [0, 0])
        #expect(never.last?.rampFrames == 480_000)
    }

    @Test("after a level of off, on and new notes bring the drone back at the level that it had")
    func back() {
        let second = Score.Drone.Note(.note(45, cents: 0))
        for (before, level) in [(DroneChange?.none, -24.0), (DroneChange(level: Level(decibels: -12)), -12)] {
            for change in [DroneChange(), DroneChange(notes: [second]), DroneChange(fade: .seconds(1))] {
                let off = DroneChange(level: .off, fade: .seconds(1))
                let changes = [before, off, nil, change, DroneChange(isOff: true)]
                let bars = changes.map { change in
                    var bar = Score.Bar(.seconds(2))
                    bar.details.drone = change
                    return bar
                }
                let performance = Self.performance(bars: bars)
                let levels = (0..<5).map { performance.drone(inBarOf: $0)?.level.decibels }
                #expect(levels == [level, nil, nil, level, nil])
                let heard = events(performance, rate: 1000).drones.filter { $0.frame >= 2000 && $0.frame < 8000 }
                #expect(heard.map(\.frame) == [2000, 6000] && heard.map { $0.amplitude > 0 } == [false, true])
            }
        }
    }

    /// A card whose frames follow its nominal rate, but which reports a deviation.
    private struct Deviating: FrameMapping {
        var deviation: Double
        private let nominal = NominalMapping(rate: DroneTests.rate, zero: 0)
        init(_ deviation: Double) { self.deviation = deviation }
        var rate: Int { nominal.rate }
        func position(at time: Duration) -> FramePosition { nominal.position(at: time) }
        func frame(atOrAfter time: Duration) -> Int64 { nominal.frame(atOrAfter: time) }
        func time(of frame: Int64) -> Duration { nominal.time(of: frame) }
    }

    @Test("when the card's rate is known better, the drone is retuned from the first frame that is not yet scheduled")
    func tuning() throws {
        var scheduler = Scheduler(Self.performance(), mapping: Deviating(0), from: 0)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 48_000, into: &recorder)
        // A deviation of 0.0002 cent is inaudible, and gives no event.
        scheduler.refine(Deviating(0.1e-6))
        scheduler.scheduleAll(before: 96_000, into: &recorder)
        #expect(recorder.drones.map(\.frame) == [0])
        scheduler.refine(Deviating(50e-6))
        scheduler.scheduleAll(before: 96_000, into: &recorder)
        #expect(recorder.drones.map(\.frame) == [0])
        scheduler.scheduleAll(before: 144_000, into: &recorder)
        #expect(recorder.drones.map(\.frame) == [0, 96_000])
        let hertz: [Double] = recorder.events.compactMap { event in
            guard case .drone(let sound, _) = event.kind else { return nil }
            return sound.notes.first?.hertz
        }
        let (nominal, tuned) = (try #require(hertz.first), try #require(hertz.last))
        #expect(abs(tuned * (1 + 50e-6) - nominal) < 1e-9)
    }

    @Test(
        "a drone's level varies downward by as many decibels as the score says",
        arguments: [(0, 0), (20, 0.9), (40, 0.99)])
    func variation(decibels: Double, share: Double) {
        var drone = Self.drone
        drone.variation = decibels
        let performance = Self.performance(drone)
        let sound = DroneSound(drone, tuning: performance.tuning, a4: performance.a4)
        #expect(abs(sound.timbre.wanderedShare - share) < 1e-12)
    }

    /// Takes only so many events.
    private struct NarrowSink: EventSink {
        var room: Int
        var events: [Event] = []
        var hasRoom: Bool { events.count < room }
        mutating func push(_ event: Event) -> Bool {
            events.append(event)
            return true
        }
    }

    @Test("after a click between two frames, a retuned drone begins at the next whole frame")
    func tuningAfterAClick() {
        let bars = [Score.Bar(.microseconds(1_000_010)), Score.Bar(.seconds(1))]
        var scheduler = Scheduler(Self.performance(bars: bars, Score.Drone()), mapping: Deviating(0), from: 0)
        var sink = NarrowSink(room: 3)
        _ = scheduler.schedule(before: 96_000, into: &sink)
        #expect(sink.events.last?.position.frame == 48_000 && sink.events.last?.position.fraction != 0)
        scheduler.refine(Deviating(50e-6))
        sink.room = 4
        _ = scheduler.schedule(before: 96_000, into: &sink)
        #expect(sink.events.last?.position == FramePosition(frame: 48_001))
    }

    @Test("a stop by the player shortens a long fade to two seconds")
    func stop() {
        var slow = Self.drone
        slow.fade = .seconds(10)
        var scheduler = Scheduler(Self.performance(slow), rate: Self.rate)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 100_000, into: &recorder)
        recorder.cut(at: 50_000)
        #expect(scheduler.stop(at: 50_000) == 50_000 + 96_000)
        scheduler.scheduleAll(before: 1_000_000, into: &recorder)
        #expect(recorder.drones.last?.rampFrames == 96_000)
        #expect(recorder.drones.last?.amplitude == 0)
    }

    @Test("a drone change in the score crossfades to its chord over the score's fade time")
    func chords() throws {
        var bars = Array(repeating: Score.Bar(.seconds(2)), count: 5)
        bars[1].details.drone = DroneChange(notes: [.init(.note(57, cents: 0)), .init(.note(64, cents: 0), pan: 0.5)])
        bars[2].details.drone = DroneChange(level: .off, fade: .milliseconds(500))
        bars[3].details.drone = DroneChange(level: Level(decibels: -20))
        let sounds = events(Self.performance(bars: bars), rate: Self.rate).events.compactMap { event in
            if case .drone(let sound, let ramp) = event.kind { (event.position.frame, sound, ramp) } else { nil }
        }
        #expect(sounds.map(\.0) == [0, 96_000, 192_000, 288_000, 456_000])
        #expect(sounds.map(\.2) == [96_000, 96_000, 24_000, 24_000, 24_000])
        #expect(sounds.map { $0.1.notes.count } == [1, 2, 2, 2, 2])
        #expect(sounds[1].1.crossfades && sounds[1].1.notes[1].pan == 0.5)
        #expect(sounds[2].1.amplitude == 0 && sounds[3].1.amplitude > 0)
    }

    @Test("a command before a drone change in the score takes the change back until its bar begins")
    func takenBack() {
        var bars = Array(repeating: Score.Bar(.seconds(2)), count: 3)
        bars[1].details.drone = DroneChange(notes: [.init(.note(57, cents: 0)), .init(.note(64, cents: 0))])
        var scheduler = Scheduler(Self.performance(bars: bars), rate: Self.rate)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 150_000, into: &recorder)
        recorder.cut(at: 50_000)
        scheduler.nudge(by: .milliseconds(10), at: 50_000)
        scheduler.scheduleAll(before: 150_000, into: &recorder)
        let chords = recorder.events.compactMap { event in
            if case .drone(let sound, _) = event.kind { (event.position.frame, sound.notes.count) } else { nil }
        }
        #expect(chords.map(\.0) == [0, 50_000, 96_480])
        #expect(chords.map(\.1) == [1, 1, 2])
    }

    @Test("a bar that begins during the drone's final fade does not bring it back")
    func late() {
        var bars = Array(repeating: Score.Bar(.seconds(2)), count: 3) + [Score.Bar(.milliseconds(500))]
        bars[3].details.drone = DroneChange(pitch: .note(57, cents: 0))
        let drones = events(Self.performance(bars: bars), rate: Self.rate).drones
        #expect(drones.last?.amplitude == 0)
        #expect(drones.count == 2)
    }

    @Test(
        "a muted drone fades out, stays muted over a command, and comes back the same; the clicks stay")
    func mute() {
        let performance = Self.performance()
        let plain = events(performance, rate: Self.rate)
        var scheduler = Scheduler(performance, rate: Self.rate)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 200_000, into: &recorder)
        recorder.cut(at: 150_000)
        scheduler.change(at: 150_000) { $0.isDroneMuted = true }
        scheduler.scheduleAll(before: 250_000, into: &recorder)
        #expect(recorder.drones.map(\.frame) == [0, 150_000])
        #expect(recorder.drones.last?.amplitude == 0 && recorder.drones.last?.rampFrames == 96_000)
        recorder.cut(at: 230_000)
        scheduler.change(speed: .asWritten, at: 230_000)
        #expect(scheduler.performance.isDroneMuted)
        scheduler.scheduleAll(before: 240_000, into: &recorder)
        #expect(recorder.drones.last?.amplitude == 0)
        recorder.cut(at: 235_000)
        scheduler.change(at: 235_000) { $0.isDroneMuted = false }
        scheduler.scheduleAll(before: .max, into: &recorder)
        #expect(recorder.clicks.map(\.position) == plain.clicks.map(\.position))
        #expect(recorder.drones.suffix(2).map { $0.amplitude > 0 } == [true, false])
        #expect(recorder.disorders.isEmpty)
    }
}
