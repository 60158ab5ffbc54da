internal import Files
internal import Glibc
internal import Synchronization

/// The one thread for what is asked of a performance from outside: keys, signals, requests of other terminals.
///
/// It waits for descriptors and for times, and calls what was given for them, one after the other. Nothing on it may wait for
/// anything else: a key would be late. What takes time belongs to a task, or to a thread of its own.
package final class ControlLoop: SerialExecutor, TaskExecutor {
    package static let shared = ControlLoop()

    /// A value that only the loop's thread touches, so it needs no lock.
    package actor Kept<Value: Sendable> {
        private var value: Value

        package nonisolated var unownedExecutor: UnownedSerialExecutor {
            ControlLoop.shared.asUnownedSerialExecutor()
        }

        package init(_ value: Value) { self.value = value }

        /// Reads or changes the value. Only on the loop.
        package nonisolated func use<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
            assumeIsolated { body(&$0.value) }
        }
    }

    /// Something that the loop waits for.
    package struct Watch: Sendable {
        fileprivate let number: Int
        fileprivate let loop: ControlLoop

        /// Ends it. A call that is under way on the loop may still end after this; none begins.
        package func cancel() { loop.cancel(number) }
    }

    /// What is called for a descriptor.
    package typealias Ready = @Sendable () -> Next

    /// What becomes of a watch after a call.
    package enum Next: Sendable, Equatable {
        /// It goes on.
        case goesOn
        /// It goes on after a while: until then, the descriptor would be ready for nothing.
        case rests(Duration)
        /// It ends, as if it were cancelled.
        case ends
    }

    private struct Watched {
        var descriptor: Int32
        var ready: Ready
        var end: @Sendable () -> Void
        /// When it is looked at again, if not at once.
        var rests: ContinuousClock.Instant?
    }

    private struct State {
        var watched: [Int: Watched] = [:]
        var timers: [Int: (due: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
        var calls: [@Sendable () -> Void] = []
        var last = 0
    }

    /// Guards what the loop waits for: any thread adds to it and cancels.
    private let state = Mutex(State())
    /// A pipe; a byte in it wakes the thread. nil if no descriptor was left: then the thread looks around by itself.
    private let bell: (reader: Int32, writer: Int32)?
    /// How often it looks around without a bell, in ms.
    private static let look: Int32 = 10
    private let thread: pthread_t

    /// The loop lives as long as the process, which cannot be played without it.
    private init() {
        var ends: [Int32] = [-1, -1]
        bell = pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { _ in
                ControlLoop.shared.run()
                return nil
            }, nil)
        if failure != 0 { Threads.areRefused(failure) }
        pthread_detach(thread)
        self.thread = thread
    }

    /// Calls `ready` whenever a descriptor can be read, or its other end is gone, until the watch is cancelled; then `end`, after
    /// which the descriptor may be closed. From any thread.
    package func watch(
        _ descriptor: Int32, end: @escaping @Sendable () -> Void = {}, _ ready: @escaping Ready
    ) -> Watch {
        add { $0.watched[$1] = Watched(descriptor: descriptor, ready: ready, end: end) }
    }

    /// The same with a value that only the calls of `ready` see.
    package func watch<Value: Sendable>(
        _ descriptor: Int32, keeping value: Value, end: @escaping @Sendable () -> Void = {},
        _ ready: @escaping @Sendable (inout Value) -> Next
    ) -> Watch {
        let kept = Kept(value)
        return watch(descriptor, end: end) { kept.use(ready) }
    }

    /// Calls `body` once, after a while. From any thread.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Watch {
        let due = ContinuousClock.now + delay
        return add { $0.timers[$1] = (due, body) }
    }

    /// Calls `body` once with an actor of the loop, as soon as the loop is free, after what came before. From any thread.
    package func call<Owner: Actor>(_ owner: Owner, _ body: @escaping @Sendable (isolated Owner) -> Void) {
        add { owner.assumeIsolated(body) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    /// Watches and timers are called outside of any job, but on the loop all the same.
    package func checkIsolated() { precondition(thread == pthread_self(), "not on the control loop") }

    private func add(_ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.calls.append(call) }
        ring()
    }

    private func add(_ change: (inout State, Int) -> Void) -> Watch {
        let number = state.withLock { state in
            state.last += 1
            change(&state, state.last)
            return state.last
        }
        ring()
        return Watch(number: number, loop: self)
    }

    private func cancel(_ number: Int) {
        state.withLock { state in
            state.timers[number] = nil
            if let ended = state.watched.removeValue(forKey: number) { state.calls.append(ended.end) }
        }
        ring()
    }

    private func ring() {
        var one: UInt8 = 1
        // A full pipe wakes the thread just as well.
        if let bell { _ = write(bell.writer, &one, 1) }
    }

    private func run() {
        while true {
            let now = ContinuousClock.now
            let (calls, watched, next) = state.withLock { state in
                var calls = state.calls
                state.calls = []
                for (number, timer) in state.timers.sorted(by: { $0.value.due < $1.value.due }) where timer.due <= now {
                    state.timers[number] = nil
                    calls.append(timer.body)
                }
                let looked = state.watched.filter { ($0.value.rests ?? now) <= now }
                let rests = state.watched.values.compactMap(\.rests).filter { $0 > now }
                return (calls, looked, (state.timers.values.map(\.due) + rests).min())
            }
            calls.forEach { $0() }
            // A call may have changed everything.
            guard calls.isEmpty else { continue }
            wait(for: watched, until: next)
        }
    }

    private func wait(for watched: [Int: Watched], until time: ContinuousClock.Instant?) {
        let numbers = Array(watched.keys)
        var descriptors = [pollfd(fd: bell?.reader ?? -1, events: Int16(POLLIN), revents: 0)]
        descriptors += numbers.map { pollfd(fd: watched[$0]?.descriptor ?? -1, events: Int16(POLLIN), revents: 0) }
        // Rounded up to whole milliseconds, so that the thread is not woken too early.
        let left = time.map { max(ContinuousClock.now.duration(to: $0) / .milliseconds(1), 0).rounded(.up) }
        var timeout = left.map { Int32(clamping: Int($0)) } ?? -1
        if bell == nil { timeout = timeout < 0 ? ControlLoop.look : min(timeout, ControlLoop.look) }
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return }
        var rung = [UInt8](repeating: 0, count: 64)
        if descriptors[0].revents != 0, let bell { _ = read(bell.reader, &rung, rung.count) }
        for (number, seen) in zip(numbers, descriptors.dropFirst()) where seen.revents != 0 {
            guard seen.revents & Int16(POLLNVAL) == 0 else {
                cancel(number)
                continue
            }
            // One of the others may have cancelled it.
            guard let ready = state.withLock({ $0.watched[number]?.ready }) else { continue }
            switch ready() {
            case .goesOn: break
            case .rests(let pause): state.withLock { $0.watched[number]?.rests = .now + pause }
            case .ends: cancel(number)
            }
        }
    }
}
