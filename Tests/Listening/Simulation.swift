internal import CDrone
internal import Glibc
internal import Playback
internal import Scores
internal import Shared
internal import SimulatedCardSupport
internal import Timing

/// Runs the real conductor and audio code in simulated time, on alsa-lib and the simulated card, with one thread and
/// one clock. The result does not depend on the machine; the scheduling of the two threads is simulated, too.
package final class Simulation {
    /// A clock that advances a little at each reading, and lets the other thread preempt.
    private final class Clock: SimulatedCardClock {
        var time: Int64
        let lookTime: Int64
        /// Called at each reading of the clock.
        var look: () -> Void = {}
        init(_ time: Int64, lookTime: Int64) { (self.time, self.lookTime) = (time, lookTime) }
        var now: Int64 {
            time += lookTime
            look()
            return time
        }
        func sleep(until nanoseconds: Int64) { time = max(time, nanoseconds) }
    }

    private let clock: Clock
    private let machine: SimulatedMachine
    private let simulated: SimulatedCard
    private let card: Card
    private var live: LivePerformance
    private var random: Seeded
    private let begin: Int64
    /// When each thread runs next; nil if never again.
    private var audioDue: Int64?
    private var controlDue: Int64?
    /// Whether the audio thread also waits for the device.
    private var listens = false
    /// The thread that is running, and whether the other one has preempted it.
    private var running: SimulatedMachine.Thread?
    private var isNested = false
    private var stalls: [(range: Range<Int64>, thread: SimulatedMachine.Thread?)]
    private(set) var statuses: [(time: Double, status: Status)] = []

    /// The simulated second at which the simulation starts.
    package static let beginning = 1000.0

    private init(
        _ simulated: SimulatedCard, card: Card, live: consuming LivePerformance, clock: Clock, machine: SimulatedMachine
    ) {
        (self.simulated, self.card, self.clock, self.machine) = (simulated, card, clock, machine)
        self.live = live
        random = Seeded(state: machine.seed)
        begin = clock.time
        let begin = clock.time
        stalls = machine.stalls.map { stall in
            let first = begin + Int64(stall.begin * 1e9)
            return (first..<first + Int64(stall.length * 1e9), stall.thread)
        }
    }

    /// Plays on a card with these settings until the performance ends, at most `seconds`. Each command comes with its
    /// time in seconds since the start.
    static func play(
        _ performance: Performance, on settings: [String: SimulatedCard.Value], policy: Card.Policy,
        machine: SimulatedMachine, for seconds: Double, options: Conductor.Options, commands: [(Double, Command)],
        leads: [(Double, Leader)], shapes: [ClickSound: ClickShape], keepsStatuses: Bool
    ) throws -> (live: LiveResult, card: SimulatedCard, folder: TemporaryFolder) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, settings)
        let clock = Clock(Int64(beginning * 1e9), lookTime: machine.lookTime)
        let result = try SimulatedCard.withClock(clock) {
            try withDroneClock(clock) {
                // The drone has its own channel.
                var format = SoundFormat(rate: 48_000, channels: 2, samples: .float32)
                (format.clickChannels, format.droneChannels) = (ChannelSet(rawValue: 1), ChannelSet(rawValue: 2))
                let card = try Card(simulated.device, format, policy: policy)
                card.hasThread = false
                if !shapes.isEmpty { card.use(shapes) }
                let live = LivePerformance(
                    performance, output: card, sound: .device("simulated"), options: options
                ) { _ in }
                let simulation = Simulation(simulated, card: card, live: live, clock: clock, machine: machine)
                return try simulation.run(seconds, commands, leads, keepsStatuses)
            }
        }
        return (result, simulated, folder)
    }

    /// Makes the audio code of this thread follow a clock while `body` runs.
    private static func withDroneClock<Result>(_ clock: Clock, _ body: () throws -> Result) rethrows -> Result {
        try withExtendedLifetime(clock) {
            var own = drone_clock(
                now_ns: { $0.map { Unmanaged<Clock>.fromOpaque($0).takeUnretainedValue().now } ?? 0 },
                context: Unmanaged.passUnretained(clock).toOpaque())
            return try withUnsafePointer(to: &own) { pointer in
                drone_use_clock(pointer)
                defer { drone_use_clock(nil) }
                return try body()
            }
        }
    }

    /// The state of the performance at the end of the simulation.
    struct LiveResult {
        var status: Status?
        var statuses: [(time: Double, status: Status)]
        var origin: Double?
        var learnt: CardMemory.Entry?
        var reading: OutputReading
        /// Whether the performance has ended.
        var isOver: Bool
    }

    private func run(
        _ seconds: Double, _ commands: [(Double, Command)], _ leads: [(Double, Leader)], _ keepsStatuses: Bool
    ) throws -> LiveResult {
        clock.look = { [unowned self] in self.look() }
        defer { clock.look = {} }
        try live.begin()
        plan()
        controlDue = clock.time
        var (rest, news) = (commands[...], leads[...])
        let end = seconds == .infinity ? Int64.max : begin + Int64(seconds * 1e9)
        while let control = controlDue, clock.time < end {
            let command = rest.first.map { begin + Int64($0.0 * 1e9) } ?? .max
            let audio = audioDue ?? .max
            let lead = news.first.map { begin + Int64($0.0 * 1e9) } ?? .max
            let next = min(control, command, lead, audio)
            clock.time = max(clock.time, next)
            if next == command {
                live.take(LivePerformance.WaitingCommand(rest.removeFirst().1))
                controlDue = min(control, woken(clock.time))
            } else if next == lead {
                live.follow(news.removeFirst().1)
                controlDue = min(control, woken(clock.time))
            } else if next == audio {
                runAudio()
            } else {
                runControl()
            }
            if keepsStatuses, let status = live.status { statuses.append((Double(clock.time) * 1e-9, status)) }
        }
        return LiveResult(
            status: live.status, statuses: statuses, origin: live.origin, learnt: live.learnt, reading: card.reading(),
            isOver: controlDue == nil)
    }

    // MARK: - The two threads

    private func woken(_ time: Int64) -> Int64 { time + Int64.random(in: machine.wakeLatency, using: &random) }

    private func runControl() {
        guard !isStalled(.control) else { return }
        let outer = running
        running = .control
        let pause = live.step()
        running = outer
        controlDue = pause.map { woken(clock.time + Int64($0 / .nanoseconds(1))) }
        if drone_output_is_hurried(card.output) { audioDue = audioDue.map { min($0, woken(clock.time)) } }
    }

    private func runAudio() {
        guard !isStalled(.audio) else { return }
        let outer = running
        running = .audio
        let deadline = listens ? simulated.deadline : nil
        drone_output_round(card.output, deadline.map { $0 <= clock.time } ?? false)
        plan()
        running = outer
        hearNews()
    }

    /// Plans when the audio thread runs next.
    private func plan() {
        let wait = drone_output_next_round(card.output)
        guard !wait.ended else {
            (audioDue, listens) = (nil, false)
            return
        }
        listens = wait.listens
        let due = min(wait.until_ns, wait.listens ? simulated.deadline ?? .max : .max)
        audioDue = woken(max(drone_output_is_hurried(card.output) ? clock.time : due, clock.time))
    }

    /// Wakes the conductor if the audio thread has news.
    private func hearNews() {
        guard let descriptor = card.news, let due = controlDue else { return }
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, 0) > 0 else { return }
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        controlDue = min(due, woken(clock.time))
    }

    // MARK: - What the machine does to them

    /// Whether a thread is stalled now; if so, plans it for the end of the stall.
    private func isStalled(_ thread: SimulatedMachine.Thread) -> Bool {
        guard let end = stallEnd(thread) else { return false }
        if thread == .audio { audioDue = end } else { controlDue = end }
        return true
    }

    private func stallEnd(_ thread: SimulatedMachine.Thread) -> Int64? {
        stalls.removeAll { $0.range.upperBound < clock.time }
        return stalls.first { $0.range.contains(clock.time) && ($0.thread ?? thread) == thread }?.range.upperBound
    }

    /// Called at each reading of the clock, where the running thread may be stalled or preempted.
    private func look() {
        guard let running, !isNested else { return }
        var until = stallEnd(running)
        if machine.preemption > 0, random.chance(machine.preemption) {
            let end = clock.time + Int64.random(in: 0...machine.preemptedFor, using: &random)
            until = max(until ?? end, end)
        }
        guard let until else { return }
        isNested = true
        let other = running == .audio ? SimulatedMachine.Thread.control : .audio
        while let due = other == .audio ? audioDue : controlDue, due <= until {
            clock.time = max(clock.time, due)
            if other == .audio { runAudio() } else { runControl() }
        }
        isNested = false
        clock.time = max(clock.time, until)
    }
}
