internal import CDrone
internal import Glibc
internal import Playback
internal import Scores
internal import Shared
internal import SimulatedCardSupport
internal import Timing

/// Runs the real conductor and audio code in simulated time, on alsa-lib and the simulated card, or without a card, with one
/// thread and one clock. The result does not depend on the machine; the scheduling of the two threads is simulated, too.
package final class Simulation {
    /// A clock that advances a little at each reading, and lets the other thread preempt. A call that sleeps lets the
    /// other thread run meanwhile.
    private final class Clock: SimulatedCardClock {
        var time: Int64
        let lookTime: Int64
        /// Called at each reading of the clock, and before the time at which a sleep ends.
        var look: () -> Void = {}
        var pass: (Int64) -> Void = { _ in }
        init(_ time: Int64, lookTime: Int64) { (self.time, self.lookTime) = (time, lookTime) }
        var now: Int64 {
            time += lookTime
            look()
            return time
        }
        func sleep(until nanoseconds: Int64) {
            pass(nanoseconds)
            time = max(time, nanoseconds)
        }
    }

    private let clock: Clock
    private let machine: SimulatedMachine
    /// The device, and the audio code that plays on it; nil if it is played without a card.
    private let device: SimulatedCard?
    private let card: Card?
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
    private let keepsStatuses: Bool
    private var statuses: [(time: Double, status: Status)] = []
    /// What is still to come from the player and the leader.
    private var commands: ArraySlice<(at: Int64, command: Command)>
    private var leads: ArraySlice<(at: Int64, lead: Leader)>
    private let end: Int64
    private var overAt: Int64?
    /// Called every 20 s, with what was heard since the last call still in the card's recording.
    private let watch: ((SimulatedCard, _ origin: Double?) throws -> Void)?
    /// Called some twenty times a second with the time in ns, on the thread of the simulation.
    private let often: ((SimulatedCard, Int64) throws -> Void)?
    private var oftenDue = Int64.min

    /// The simulated second at which the simulation starts.
    package static let beginning = 1000.0

    private init(
        _ device: SimulatedCard?, card: Card?, live: consuming LivePerformance, clock: Clock,
        machine: SimulatedMachine, seconds: Double, commands: [(Double, Command)], leads: [(Double, Leader)],
        keepsStatuses: Bool, watch: ((SimulatedCard, _ origin: Double?) throws -> Void)?,
        often: ((SimulatedCard, Int64) throws -> Void)?
    ) {
        (self.watch, self.often) = (watch, often)
        (self.device, self.card, self.clock, self.machine) = (device, card, clock, machine)
        self.live = live
        random = Seeded(state: machine.seed)
        begin = clock.time
        let begin = clock.time
        end = seconds == .infinity ? Int64.max : begin + Int64(seconds * 1e9)
        self.commands = commands.map { (begin + Int64($0.0 * 1e9), $0.1) }[...]
        self.leads = leads.map { (begin + Int64($0.0 * 1e9), $0.1) }[...]
        self.keepsStatuses = keepsStatuses
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
        leads: [(Double, Leader)], shapes: [ClickSound: ClickShape], keepsStatuses: Bool,
        watch: ((SimulatedCard, _ origin: Double?) throws -> Void)? = nil,
        often: ((SimulatedCard, Int64) throws -> Void)? = nil
    ) throws -> (live: LiveResult, card: SimulatedCard, folder: TemporaryFolder) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, settings)
        let clock = Clock(Int64(beginning * 1e9), lookTime: machine.lookTime)
        let result = try SimulatedCard.withClock(clock) {
            try withDroneClock(clock) {
                // The drone or the timecode has its own channel.
                var format = SoundFormat(rate: 48_000, channels: 2, samples: .float32)
                (format.clickChannels, format.droneChannels) = (ChannelSet(rawValue: 1), ChannelSet(rawValue: 2))
                if performance.linearTimecode != nil { format.timecodeChannels = ChannelSet(rawValue: 2) }
                let card = try Card(simulated.device, format, policy: policy)
                card.hasThread = false
                if !shapes.isEmpty { card.use(shapes) }
                let live = LivePerformance(
                    performance, output: card, sound: .device("simulated"), options: options
                ) { _ in }
                let simulation = Simulation(
                    simulated, card: card, live: live, clock: clock, machine: machine, seconds: seconds,
                    commands: commands, leads: leads, keepsStatuses: keepsStatuses, watch: watch, often: often)
                return try simulation.run()
            }
        }
        return (result, simulated, folder)
    }

    /// The same without a card.
    static func playSilently(
        _ performance: Performance, machine: SimulatedMachine, for seconds: Double, options: Conductor.Options,
        commands: [(Double, Command)], leads: [(Double, Leader)]
    ) throws -> LiveResult {
        let clock = Clock(Int64(beginning * 1e9), lookTime: machine.lookTime)
        return try withDroneClock(clock) {
            let live = LivePerformance(
                performance, output: SilentOutput(), sound: .silent("simulated"), options: options
            ) { _ in }
            let simulation = Simulation(
                nil, card: nil, live: live, clock: clock, machine: machine, seconds: seconds, commands: commands,
                leads: leads,
                keepsStatuses: true, watch: nil, often: nil)
            return try simulation.run()
        }
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
        /// The last reading of the card; nil without one.
        var reading: OutputReading?
        /// When the performance ended, in ns of the clock; nil if it has not.
        var overAt: Int64?
    }

    private func run() throws -> LiveResult {
        clock.look = { [unowned self] in self.look() }
        clock.pass = { [unowned self] in self.runOther(until: $0) }
        defer { (clock.look, clock.pass) = ({}, { _ in }) }
        try live.begin()
        plan()
        controlDue = clock.time
        var watched = clock.time
        while let control = nextOfControl, clock.time < end {
            if let watch, let device, clock.time - watched > 20_000_000_000 {
                watched = clock.time
                try watch(device, live.origin)
            }
            if let often, let device, clock.time >= oftenDue {
                oftenDue = clock.time + 50_000_000
                try often(device, clock.time)
            }
            if let audio = audioDue, audio < control {
                clock.time = max(clock.time, audio)
                runAudio()
                keepStatus()
            } else {
                clock.time = max(clock.time, control)
                runNextOfControl()
            }
        }
        return LiveResult(
            status: live.status, statuses: statuses, origin: live.origin, learnt: live.learnt, reading: card?.reading(),
            overAt: overAt)
    }

    private func keepStatus() {
        if keepsStatuses, let status = live.status { statuses.append((Double(clock.time) * 1e-9, status)) }
    }

    // MARK: - The two threads

    private func woken(_ time: Int64) -> Int64 { time + Int64.random(in: machine.wakeLatency, using: &random) }

    /// When the control thread runs next, or gets something from outside; nil if the performance has ended.
    private var nextOfControl: Int64? {
        controlDue.map { min($0, commands.first?.at ?? .max, leads.first?.at ?? .max) }
    }

    /// Does what is due next on the control thread.
    private func runNextOfControl() {
        guard let due = controlDue, let next = nextOfControl else { return }
        if next == commands.first?.at {
            live.take(LivePerformance.WaitingCommand(commands.removeFirst().command))
            controlDue = min(due, woken(clock.time))
        } else if next == leads.first?.at {
            live.follow(leads.removeFirst().lead)
            controlDue = min(due, woken(clock.time))
        } else {
            runControl()
        }
        keepStatus()
    }

    private func runControl() {
        guard !isStalled(.control) else { return }
        let outer = running
        running = .control
        let pause = live.step()
        running = outer
        controlDue = pause.map { woken(clock.time + Int64($0 / .nanoseconds(1))) }
        if pause == nil { overAt = clock.time }
        if let card, drone_output_is_hurried(card.output) { audioDue = audioDue.map { min($0, woken(clock.time)) } }
    }

    private func runAudio() {
        guard let card, !isStalled(.audio) else { return }
        let outer = running
        running = .audio
        let deadline = listens ? device?.deadline : nil
        drone_output_round(card.output, deadline.map { $0 <= clock.time } ?? false)
        plan()
        running = outer
        hearNews()
    }

    /// Plans when the audio thread runs next.
    private func plan() {
        guard let card else { return }
        let wait = drone_output_next_round(card.output)
        guard !wait.ended else {
            (audioDue, listens) = (nil, false)
            return
        }
        listens = wait.listens
        let due = min(wait.until_ns, wait.listens ? device?.deadline ?? .max : .max)
        audioDue = woken(max(drone_output_is_hurried(card.output) ? clock.time : due, clock.time))
    }

    /// Wakes the conductor if the audio thread has news.
    private func hearNews() {
        guard let descriptor = card?.news, let due = controlDue else { return }
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
        runOther(until: until)
        clock.time = max(clock.time, until)
    }

    /// Runs the other thread until a time, while the running thread cannot run: it is stalled or preempted, or waits in
    /// a call. If both wait, none of them runs.
    private func runOther(until time: Int64) {
        guard let running, !isNested else { return }
        isNested = true
        defer { isNested = false }
        while let due = running == .audio ? nextOfControl : audioDue, due <= time, due < end {
            clock.time = max(clock.time, due)
            if running == .audio { runNextOfControl() } else { runAudio() }
        }
    }
}
