internal import Score
public import Timing

/// The one owner of a running performance: commands go in, status comes out.
///
/// It keeps the output supplied with events up to a horizon, and sleeps in between.
public actor Conductor {
    /// What the performance is doing, the newest only: who is slow skips, and delays nothing.
    public nonisolated let statuses: AsyncStream<Status>

    private var output: any Output
    private var scheduler: Scheduler
    private let publisher: AsyncStream<Status>.Continuation
    private var sound: Status.Sound
    private var pausedPosition: Duration?
    /// The frame at which all will be silent, once a stop has been asked for.
    private var stopFrame: Int64?
    private var isOver = false
    private var nap: Task<Void, Never>?

    /// How far ahead events are handed out, and how often that is looked after.
    private static let horizon = Duration.seconds(3)
    private static let wake = Duration.seconds(1)
    /// How soon to look again when the engine's queue was full.
    private static let retry = Duration.milliseconds(20)
    /// A command takes effect this far behind what has been rendered.
    private static let margin = Duration.milliseconds(5)

    /// A conductor for a performance that goes to `output`. `sound` says in a status where that is.
    public init(_ performance: Performance, output: sending any Output, sound: Status.Sound) {
        scheduler = Scheduler(performance, rate: output.rate)
        self.output = output
        self.sound = sound
        (statuses, publisher) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Plays until the end or a stop, and returns once all is silent. Call it once.
    public func run() async throws(EngineError) {
        supply()
        try output.start()
        while true {
            let hasRoom = supply()
            let left = publish()
            if isOver { break }
            let nap = Task { _ = try? await Task.sleep(for: hasRoom ? left : Conductor.retry) }
            self.nap = nap
            await nap.value
        }
        publisher.finish()
        // The device is let go now, with all that it still holds back, whoever keeps the conductor.
        output = SilentOutput()
    }

    /// Carries out a command, as soon as what has not been rendered allows.
    public func perform(_ command: Command) {
        guard stopFrame == nil else { return }
        let frame = output.reading().nextFrame + frames(Conductor.margin)
        let wasPaused = scheduler.isPaused
        // What stands still has nothing to take back but its own fade.
        if !wasPaused {
            do throws(QueueFull) { try output.cut(at: frame) } catch { return }
        }
        switch command {
        case .togglePause where wasPaused:
            pausedPosition = nil
            scheduler.resume(at: frame)
        case .togglePause:
            pausedPosition = max(position(at: frame), .zero)
            scheduler.pause(at: frame)
        case .nextBar, .previousBar, .nextLine, .previousLine:
            let target = scheduler.target(of: command, from: pausedPosition ?? position(at: frame))
            scheduler.jump(to: target, at: frame)
            if wasPaused { pausedPosition = scheduler.anchor.position }
        case .speed(let change):
            scheduler.change(speed: scheduler.anchor.speed.adding(percentagePoints: change), at: frame)
        case .stop:
            stopFrame = scheduler.stop(at: frame)
        }
        supply()
        publish()
        nap?.cancel()
    }

    /// Whether the music stands still.
    public var isPaused: Bool { scheduler.isPaused }

    // MARK: - What goes on

    private func frames(_ duration: Duration) -> Int64 {
        NominalMapping(rate: output.rate, zero: 0).frame(atOrAfter: duration)
    }

    private func position(at frame: Int64) -> Duration {
        scheduler.anchor.position(at: scheduler.mapping.time(of: frame))
    }

    /// The frame at which all is silent; nil as long as that is not in sight.
    private var lastFrame: Int64? {
        if let stopFrame { return stopFrame }
        return scheduler.isPaused ? nil : scheduler.endFrame
    }

    /// Hands out events up to the horizon; false when the queue was full first.
    @discardableResult
    private func supply() -> Bool {
        let until = output.reading().nextFrame + frames(Conductor.horizon)
        output.end(at: lastFrame ?? .max)
        do throws(QueueFull) {
            try scheduler.schedule(before: until, into: &output)
        } catch {
            // The horizon stays: a device that waits for it waits on.
            return false
        }
        output.setHorizon(until)
        return true
    }

    /// Publishes a status; returns how long nothing needs to be done.
    @discardableResult
    private func publish() -> Duration {
        let reading = output.reading()
        isOver = reading.hasEnded
        if let failure = reading.failure, case .device(let name) = sound { sound = .lost(name, reason: failure) }
        let heard = scheduler.mapping.time(of: reading.heardFrame)
        publisher.yield(
            Status(
                performance: scheduler.performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo,
                pausedPosition: pausedPosition,
                zeroHeard: reading.time - Int64(heard.attoseconds / 1_000_000_000), sound: sound,
                xruns: reading.xruns, lostClicks: reading.lostClicks, hasEnded: isOver))
        guard let lastFrame else { return Conductor.wake }
        let left = scheduler.mapping.time(of: lastFrame) - heard
        return min(max(left, .milliseconds(5)), Conductor.wake)
    }
}
