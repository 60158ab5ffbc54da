import Glibc
import Session
import Synchronization
import Testing

@Suite("Control loop")
struct ControlLoopTests {
    /// What was called, in order, and a way to wait for so many of it.
    private final class Calls: Sendable {
        private let state = Mutex<(names: [String], wanted: Int, waiting: CheckedContinuation<Void, Never>?)>(
            ([], 0, nil))

        func add(_ name: String) {
            let done = state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.names.append(name)
                guard state.names.count >= state.wanted else { return nil }
                defer { state.waiting = nil }
                return state.waiting
            }
            done?.resume()
        }

        func wait(for count: Int) async -> [String] {
            await withCheckedContinuation { waiting in
                let isDone = state.withLock { state in
                    guard state.names.count < count else { return true }
                    (state.wanted, state.waiting) = (count, waiting)
                    return false
                }
                if isDone { waiting.resume() }
            }
            return state.withLock { $0.names }
        }
    }

    /// A pipe that does not block.
    private func pipeEnds() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return (ends[0], ends[1])
    }

    private func send(_ text: String, _ writer: Int32) { _ = write(writer, text, text.utf8.count) }

    @Test("a descriptor is read as often as something comes, until its watch is cancelled; then its end is told, once")
    func watch() async throws {
        let (ends, calls) = (try pipeEnds(), Calls())
        defer { close(ends.writer) }
        let watch = ControlLoop.shared.watch(
            ends.reader,
            end: {
                close(ends.reader)
                calls.add("end")
            }
        ) {
            var byte: UInt8 = 0
            if read(ends.reader, &byte, 1) == 1 { calls.add(String(UnicodeScalar(byte))) }
            return .goesOn
        }
        send("ab", ends.writer)
        #expect(await calls.wait(for: 2) == ["a", "b"])
        send("c", ends.writer)
        #expect(await calls.wait(for: 3) == ["a", "b", "c"])
        watch.cancel()
        watch.cancel()
        #expect(await calls.wait(for: 4) == ["a", "b", "c", "end"])
        // After another round of the loop, it has not been told again.
        ControlLoop.shared.after(.zero) { calls.add("later") }
        #expect(await calls.wait(for: 5).last == "later")
    }

    @Test("times come in their order, whatever the order in which they were given; a cancelled one does not come")
    func timers() async {
        let calls = Calls()
        let now = ContinuousClock.now
        // None of them can come while the loop is in this call.
        ControlLoop.shared.after(.zero) {
            ControlLoop.shared.after(.seconds(2)) { calls.add("late") }
            ControlLoop.shared.after(.milliseconds(1)) { calls.add("cancelled") }.cancel()
            ControlLoop.shared.after(.milliseconds(1)) { calls.add("early") }
        }
        #expect(await calls.wait(for: 2) == ["early", "late"])
        #expect(.now - now >= .seconds(2))
    }

    @Test("a descriptor that is known to stay ready rests meanwhile, and others are still served")
    func rests() async throws {
        let (busy, other, calls) = (try pipeEnds(), try pipeEnds(), Calls())
        // What is in this pipe is never read.
        send("x", busy.writer)
        let watches = [
            ControlLoop.shared.watch(busy.reader) {
                calls.add("busy")
                return .rests(.seconds(3600))
            },
            ControlLoop.shared.watch(other.reader) {
                var byte: UInt8 = 0
                if read(other.reader, &byte, 1) == 1 { calls.add("other") }
                return .goesOn
            },
        ]
        #expect(await calls.wait(for: 1) == ["busy"])
        send("123", other.writer)
        #expect(await calls.wait(for: 4) == ["busy", "other", "other", "other"])
        watches.forEach { $0.cancel() }
        ControlLoop.shared.after(.zero) { calls.add("over") }
        #expect(await calls.wait(for: 5).last == "over")
        for end in [busy.reader, busy.writer, other.reader, other.writer] { close(end) }
    }

    @Test("a descriptor whose other end is gone is told as ready; one that was closed ends its watch")
    func gone() async throws {
        let (ends, calls) = (try pipeEnds(), Calls())
        close(ends.writer)
        let watch = ControlLoop.shared.watch(ends.reader) {
            var byte: UInt8 = 0
            calls.add("\(read(ends.reader, &byte, 1))")
            return .rests(.seconds(3600))
        }
        #expect(await calls.wait(for: 1) == ["0"])
        watch.cancel()
        // No descriptor has such a number.
        _ = ControlLoop.shared.watch(1_000_000, end: { calls.add("ended") }) {
            calls.add("ready")
            return .goesOn
        }
        #expect(await calls.wait(for: 2) == ["0", "ended"])
        close(ends.reader)
    }

    /// Owned by the loop.
    private actor Owner {
        var names: [String] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { ControlLoop.shared.asUnownedSerialExecutor() }
        func add(_ name: String) { names.append(name) }
    }

    @Test("an actor of the loop gets its calls in their order, and may be assumed in what the loop waits for")
    func actors() async throws {
        let (ends, calls, owner) = (try pipeEnds(), Calls(), Owner())
        for name in ["a", "b", "c"] { ControlLoop.shared.call(owner) { $0.add(name) } }
        #expect(await owner.names == ["a", "b", "c"])
        let watch = ControlLoop.shared.watch(ends.reader, keeping: 0) { count in
            var byte: UInt8 = 0
            guard read(ends.reader, &byte, 1) == 1 else { return .goesOn }
            count += 1
            owner.assumeIsolated { [count] in $0.add("\(count)") }
            calls.add("read")
            return .goesOn
        }
        send("xyz", ends.writer)
        _ = await calls.wait(for: 3)
        #expect(await owner.names == ["a", "b", "c", "1", "2", "3"])
        watch.cancel()
        for end in [ends.reader, ends.writer] { close(end) }
    }

    @Test("a task that prefers the loop runs on it, and so does nothing else meanwhile")
    func tasks() async {
        let thread = Mutex<pthread_t?>(nil)
        let calls = Calls()
        ControlLoop.shared.after(.zero) {
            thread.withLock { $0 = pthread_self() }
            calls.add("known")
        }
        _ = await calls.wait(for: 1)
        let isThere = await Task(executorPreference: ControlLoop.shared) {
            let here = pthread_self()
            return thread.withLock { $0 } == here
        }.value
        #expect(isThere)
    }
}
