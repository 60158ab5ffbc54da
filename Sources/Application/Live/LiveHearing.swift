internal import Charts
internal import Hearing
internal import Playback
internal import Scores
internal import Screens
internal import Synchronization
internal import Timing
internal import UserSettings

/// What a microphone hears of a player: `play --listen` and `tune`.
final class LiveHearing: Sendable {
    /// A bar as it was heard. Times are in seconds from the first sound.
    struct Bar {
        var due: DueBar
        /// When it should begin, and how late the player began it; nil if that is unsure.
        var seconds: Double
        var late: Double?
        /// Whether the music did not come from the bar before.
        var isRestart: Bool
    }

    fileprivate struct State {
        var tuner = Tuner()
        var lasting = LastingFrames()
        var setting: Tuner.Setting
        var conductor: Conductor?
        var bars: [Bar] = []
        var far = FarBars()
        var notes: [HeardNote] = []

        /// More bars and notes than these are not kept.
        static let most = 20_000
    }

    /// Guards what is heard: the thread that listens tells it, screens and the conductor ask.
    fileprivate let state: Mutex<State>

    /// `setting` is what the player is set against until the first status.
    init(_ setting: Tuner.Setting = Tuner.Setting()) { state = Mutex(State(setting: setting)) }

    /// Tells a conductor what is heard.
    func conduct(_ conductor: Conductor) { state.withLock { $0.conductor = conductor } }

    /// Follows what the player is set against.
    func listen(to options: inout Conductor.Options) {
        let watch = options.watch
        options.watch = { status in
            watch?(status)
            self.state.withLock { $0.setting = Tuner.Setting(status.performance) }
        }
    }

    /// What is heard now. From any thread.
    var tuner: Tuner { state.withLock { $0.tuner } }

    /// Takes what is heard next; returns what the player is set against. From any thread.
    func hear(_ frames: [PitchTracker.Frame]) -> Tuner.Setting {
        state.withLock { state in
            for frame in state.lasting.add(frames) {
                state.tuner.take(frame.hertz, isSure: frame.isSure, for: PitchTracker.step, state.setting)
            }
            return state.setting
        }
    }

    /// The bars of a session, and its pitches; nil if no bar was heard for certain.
    func session(_ performance: Performance) -> (held: HeldBars, pitch: TakePitch)? {
        let (bars, notes) = state.withLock { ($0.bars, $0.notes) }
        guard bars.contains(where: { $0.late != nil }) else { return nil }
        let heard = bars.enumerated().map { index, bar in
            HeardBar(
                bar: index, seconds: bar.seconds + (bar.late ?? 0), confidence: bar.late == nil ? 0 : 1,
                isRestart: bar.isRestart)
        }
        let held = HeldBars(heard) { (bars[$0].due.bar, bars[$0].due.length.inSeconds) }
        return (held, TakePitch(notes, heard, performance))
    }
}

/// Hears the player on the thread of the recorder.
final class LiveEar: TakeEar {
    private let hearing: LiveHearing
    private var tracker: PitchTracker
    private var setting: Tuner.Setting
    private var bars: LiveBars
    private let shapes: [ClickSound]
    /// Bars that begin and have not been heard yet, by their numbers.
    private var due: [Int: (bar: DueBar, place: Double, isRestart: Bool)] = [:]
    private var (nextDue, count) = (0, 0)
    /// The bar that was expected last, and where it begins.
    private var last: (bar: DueBar, place: Double)?
    private var frames: [PitchTracker.Frame] = []

    /// After so many frames they become notes, as soon as nothing is heard for a while; and at last.
    private static let (enough, pause, most) = (3000, 20, 12_000)

    /// An ear for sound of this rate. `isPlaced` says whether its delay is known. Errors: the sounds of clicks cannot be made.
    init(_ hearing: LiveHearing, rate: Int, isPlaced: Bool) throws(EngineError) {
        self.hearing = hearing
        setting = hearing.hear([])
        tracker = PitchTracker(rate: rate, drone: setting.partials, isSteady: setting.isSteady)
        _ = tracker.takeSound()
        shapes = Array(ClickSound.allCases)
        var sounds: [KnownClicks.Shape] = []
        for shape in shapes {
            sounds.append(try PlayedClicks.samples(of: shape, rate: Int(tracker.soundRate.rounded())))
        }
        bars = LiveBars(rate: tracker.soundRate, shapes: sounds, isPlaced: isPlaced)
    }

    func expect(_ clicks: [(click: DueClick, frame: Double)], before frame: Double) {
        let told = clicks.map { click, frame in
            let place = tracker.place(of: frame)
            var told = LiveBars.Click(place: place, shape: click.sound.flatMap(shapes.firstIndex), bar: nil)
            guard let bar = click.bar else { return told }
            (told.bar, told.isRestart) = (nextDue, isRestart(bar, at: place))
            due[nextDue] = (bar, place, told.isRestart)
            nextDue += 1
            last = (bar, place)
            return told
        }
        bars.expect(told, before: tracker.place(of: frame))
    }

    /// Whether the music did not go on to a bar from the one before.
    private func isRestart(_ bar: DueBar, at place: Double) -> Bool {
        last.map { !bar.follows($0.bar, after: (place - $0.place) / tracker.soundRate) } ?? true
    }

    func hear(_ sound: ArraySlice<Float>) {
        let new = tracker.add(sound)
        let wanted = hearing.hear(new)
        if (wanted.partials, wanted.droneLevel) != (setting.partials, setting.droneLevel) {
            tracker.use(drone: wanted.partials, isSteady: wanted.isSteady)
        }
        setting = wanted
        frames += new
        tell(bars.hear(tracker.takeSound()))
        let isPause = frames.count > LiveEar.enough && frames.suffix(LiveEar.pause).allSatisfy { $0.hertz == nil }
        if isPause || frames.count > LiveEar.most { takeNotes() }
    }

    func finish() {
        tell(bars.finish())
        takeNotes()
    }

    /// Makes notes of the frames so far.
    private func takeNotes() {
        let begins = hearing.state.withLock { state in
            state.bars.suffix(frames.count).compactMap { bar in bar.late.map { bar.seconds + $0 } }
        }
        let from = (frames.first?.seconds ?? 0) - 1
        let notes = HeardNote.all(from: frames, begins: begins.filter { $0 >= from })
        frames = []
        hearing.state.withLock { $0.notes += notes.prefix(max(LiveHearing.State.most - $0.notes.count, 0)) }
    }

    private func tell(_ heard: [LiveBars.Heard]) {
        for heard in heard {
            guard let (bar, place, isRestart) = due.removeValue(forKey: heard.bar) else { continue }
            count += 1
            let (conductor, worth) = hearing.state.withLock { state in
                if state.bars.count < LiveHearing.State.most {
                    state.bars.append(
                        LiveHearing.Bar(
                            due: bar, seconds: place / tracker.soundRate, late: heard.late, isRestart: isRestart))
                }
                if let late = heard.late { state.far.add(bar.bar.index, late: late) }
                return (state.conductor, state.far.farthest)
            }
            conductor?.hear(
                Status.Heard(
                    number: count, bar: bar.bar, late: heard.late.map { Duration(inSeconds: $0) },
                    worth: worth.map { Status.Heard.Worth(bar: $0.bar, late: Duration(inSeconds: $0.late)) }))
        }
    }
}
