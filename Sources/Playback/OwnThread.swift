#if canImport(Glibc)
    internal import Glibc
#endif
internal import Synchronization

/// A thread that runs one actor and nothing else: a wake-up costs one switch, where a pool of threads takes several.
///
/// It ends with its owner.
public final class OwnThread: Sendable {
    private let core: Core

    /// Starts a thread. Without one the process cannot go on.
    public init() {
        core = Core()
        core.start()
    }

    deinit { core.finish() }

    /// What the actor runs on.
    public var executor: UnownedSerialExecutor { core.asUnownedSerialExecutor() }

    /// Sleeps as long, or until `wake`; the actor that sleeps here runs other jobs meanwhile.
    public func sleep(for duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { core.add($0, until: monotonicNanoseconds() + duration.nanoseconds) }
    }

    /// Ends every sleep. From any thread.
    public func wake() { core.wake() }

    private final class Core: SerialExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var sleepers: [(until: Int64, continuation: CheckedContinuation<Void, Never>)] = []
            var isOver = false
        }

        private let state = Mutex(State())
        /// A pipe: a byte in it is something to look at.
        private let bell: (reader: Int32, writer: Int32)

        init() {
            var ends: [Int32] = [-1, -1]
            precondition(pipe(&ends) == 0, "no pipe: \(errno)")
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            bell = (ends[0], ends[1])
        }

        deinit {
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
            precondition(failure == 0, "no thread: \(failure)")
            pthread_detach(thread)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            state.withLock { $0.jobs.append(job) }
            ring()
        }

        func add(_ continuation: CheckedContinuation<Void, Never>, until moment: Int64) {
            state.withLock { $0.sleepers.append((moment, continuation)) }
            ring()
        }

        func wake() {
            state.withLock { state in
                for i in state.sleepers.indices { state.sleepers[i].until = .min }
            }
            ring()
        }

        func finish() {
            state.withLock { $0.isOver = true }
            ring()
        }

        private func ring() {
            var one: UInt8 = 1
            // A full pipe rings just as well.
            _ = write(bell.writer, &one, 1)
        }

        private func run() {
            while true {
                let now = monotonicNanoseconds()
                let (jobs, due, next, isOver) = state.withLock { state in
                    let due = state.sleepers.filter { $0.until <= now }
                    state.sleepers.removeAll { $0.until <= now }
                    defer { state.jobs = [] }
                    return (state.jobs, due, state.sleepers.map(\.until).min(), state.isOver)
                }
                for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
                for sleeper in due { sleeper.continuation.resume() }
                guard jobs.isEmpty, due.isEmpty else { continue }
                if isOver { return }
                rest(next.map { max($0 - now, 0) })
            }
        }

        /// Waits for the bell, as long at most; without end for nil.
        private func rest(_ nanoseconds: Int64?) {
            var descriptor = pollfd(fd: bell.reader, events: Int16(POLLIN), revents: 0)
            // A millisecond is waited to its end: nobody is woken for nothing.
            let timeout = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
            guard poll(&descriptor, 1, timeout) > 0 else { return }
            var rung = [UInt8](repeating: 0, count: 64)
            _ = read(bell.reader, &rung, rung.count)
        }
    }
}

extension Duration {
    /// Whole nanoseconds, the rest cut off.
    var nanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }
}
