internal import Files
internal import Glibc
internal import Synchronization

/// A thread that runs one actor, with those that belong to it, and nothing else: a wake-up costs one thread switch, with a pool
/// of threads several.
///
/// The thread ends with its owner, which waits for that, so that threads and descriptors do not pile up.
package final class OwnThread: Sendable {
    private let core: Core

    /// Starts a thread. An urgent one has real-time priority, below that of the audio thread, if the system allows it.
    /// If the thread cannot be started, the process ends.
    package convenience init(isUrgent: Bool = false) { self.init(isUrgent: isUrgent, hasBell: true) }

    /// A thread without a bell behaves as if no descriptor had been left.
    package init(isUrgent: Bool, hasBell: Bool) {
        core = Core(isUrgent: isUrgent, hasBell: hasBell)
        core.start()
    }

    deinit { core.end() }

    package var executor: UnownedSerialExecutor { core.asUnownedSerialExecutor() }

    /// The executor for a task that would otherwise switch between the actor and a pool, each time with a wake-up.
    public var taskExecutor: any TaskExecutor { core }

    /// Calls `step` on the thread again and again: after the duration that it returned last, at `wake`, or when
    /// `descriptor` is readable, from which eight bytes are then read. `step` may assume its actor. Resumes `end` once
    /// `step` has returned nil. One loop at a time.
    package func loop(
        _ end: CheckedContinuation<Void, Never>, alsoAt descriptor: Int32?, _ step: @escaping @Sendable () -> Duration?
    ) {
        core.begin(Loop(step: step, end: end, descriptor: descriptor))
    }

    private struct Loop: Sendable {
        var step: @Sendable () -> Duration?
        var end: CheckedContinuation<Void, Never>
        var descriptor: Int32?
    }

    /// Calls `body` on the thread as soon as that is free. `body` may assume its actor. From any thread.
    package func call(_ body: @escaping @Sendable () -> Void) { core.call(body) }

    /// Makes the loop step now. From any thread.
    package func wake() { core.wake() }

    private final class Core: SerialExecutor, TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var calls: [@Sendable () -> Void] = []
            var loop: Loop?
            /// When to step next.
            var due: Int64 = 0
            var thread: pthread_t?
            var isOver = false
        }

        /// Guards what the thread is to do next: any thread gives it something.
        private let state = Mutex(State())
        /// A pipe; a byte in it wakes the thread. nil if no descriptor was left: then the thread polls.
        private let bell: (reader: Int32, writer: Int32)?
        /// How often it polls, in ms.
        private static let look: Int32 = 5

        private let isUrgent: Bool
        /// The priority of an urgent thread, below the audio thread's.
        private static let urgency: Int32 = 5

        init(isUrgent: Bool, hasBell: Bool) {
            self.isUrgent = isUrgent
            var ends: [Int32] = [-1, -1]
            guard hasBell, pipe(&ends) == 0 else {
                bell = nil
                return
            }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            bell = (ends[0], ends[1])
        }

        deinit {
            guard let bell else { return }
            close(bell.reader)
            close(bell.writer)
        }

        func start() {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self).toOpaque()
            let failure = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Core>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context)
            if failure != 0 { Threads.areRefused(failure) }
            state.withLock { $0.thread = thread }
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            state.withLock { $0.jobs.append(job) }
            ring()
        }

        /// A step runs outside of any job, but is on the actor's thread all the same.
        func checkIsolated() {
            precondition(state.withLock { $0.thread } == pthread_self(), "not on the actor's own thread")
        }

        func begin(_ loop: Loop) {
            state.withLock { state in
                precondition(state.loop == nil, "one loop at a time")
                state.loop = loop
                state.due = .min
            }
            ring()
        }

        func call(_ body: @escaping @Sendable () -> Void) {
            state.withLock { $0.calls.append(body) }
            ring()
        }

        func wake() {
            state.withLock { $0.due = .min }
            ring()
        }

        /// Ends the thread, and waits for that unless its own last job released the owner.
        func end() {
            state.withLock { $0.isOver = true }
            ring()
            guard let thread = state.withLock({ $0.thread }) else { return }
            if thread == pthread_self() { pthread_detach(thread) } else { pthread_join(thread, nil) }
        }

        private func ring() {
            guard let bell else { return }
            var one: UInt8 = 1
            // A full pipe wakes the thread just as well.
            _ = write(bell.writer, &one, 1)
        }

        private func run() {
            // `start` may not have set it yet.
            state.withLock { $0.thread = pthread_self() }
            if isUrgent {
                var priority = sched_param(sched_priority: Core.urgency)
                // Most users are refused, which does no harm.
                pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
            }
            while true {
                let now = monotonicNanoseconds()
                let (jobs, calls, loop, due, isOver) = state.withLock { state in
                    defer { (state.jobs, state.calls) = ([], []) }
                    return (state.jobs, state.calls, state.loop, state.due, state.isOver)
                }
                for call in calls { call() }
                for job in jobs {
                    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                }
                if let loop, due <= now { step(loop) }
                guard jobs.isEmpty, calls.isEmpty, loop == nil || due > now else { continue }
                if isOver { return }
                rest(loop == nil ? nil : due - now, loop?.descriptor)
            }
        }

        private func step(_ loop: Loop) {
            // Set before the step, so that a wake-up during the step is not lost.
            state.withLock { $0.due = .max }
            let pause = loop.step()
            let next = monotonicNanoseconds() + (pause ?? .zero).nanoseconds
            state.withLock { state in
                state.due = min(state.due, next)
                if pause == nil { state.loop = nil }
            }
            if pause == nil { loop.end.resume() }
        }

        /// Waits for the bell or the descriptor, for at most this time; nil waits without end.
        private func rest(_ nanoseconds: Int64?, _ descriptor: Int32?) {
            var descriptors = [bell?.reader ?? -1, descriptor ?? -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            // Rounded up to whole milliseconds, so that the thread is not woken too early.
            let pause = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) }
            let timeout = bell != nil ? pause ?? -1 : min(pause ?? Core.look, Core.look)
            guard poll(&descriptors, 2, timeout) > 0 else { return }
            var rung = [UInt8](repeating: 0, count: 64)
            if descriptors[0].revents != 0, let bell { _ = read(bell.reader, &rung, rung.count) }
            if descriptors[1].revents != 0, let descriptor {
                _ = read(descriptor, &rung, 8)
                state.withLock { $0.due = .min }
            }
        }
    }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero.
    var nanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }
}
