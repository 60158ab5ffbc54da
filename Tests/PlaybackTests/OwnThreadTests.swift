import Foundation
import Glibc
import Playback
import Shared
import Synchronization
import Testing

@Suite("Own threads") struct OwnThreadTests {
    /// Set by the watched thread when it ends.
    private final class End: Sendable {
        let hasCome = Atomic(false)
    }

    private final class Steps: Sendable {
        let count = Atomic(0)
    }

    /// Makes a thread set `end` when it ends, by the destructor of a thread-specific value.
    private func watch(_ thread: OwnThread, _ end: End) async {
        await withCheckedContinuation { done in
            thread.call {
                var key = pthread_key_t()
                pthread_key_create(&key) { value in
                    guard let value else { return }
                    Unmanaged<End>.fromOpaque(value).takeRetainedValue().hasCome.store(true, ordering: .releasing)
                }
                pthread_setspecific(key, Unmanaged.passRetained(end).toOpaque())
                done.resume()
            }
        }
    }

    @Test(
        "a thread has ended when its owner is released, so that no descriptor is left open", arguments: [true, false])
    func ends(hasBell: Bool) async {
        for _ in 0..<20 {
            let end = End()
            var thread: OwnThread? = OwnThread(isUrgent: false, hasBell: hasBell)
            if let thread { await watch(thread, end) }
            thread = nil
            let hasEnded = end.hasCome.load(ordering: .acquiring)
            #expect(hasEnded)
        }
    }

    @Test("a thread that the system refuses ends the program with a message, not with a trap") func refused() async {
        let result = await #expect(processExitsWith: .exitCode(69), observing: [\.standardErrorContent]) {
            // Room for the stacks of some threads more.
            let pages = try #require(
                UInt(String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }))
            let bytes = pages * UInt(getpagesize()) + (64 << 20)
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            var threads: [OwnThread] = []
            while threads.count < 10_000 { threads.append(OwnThread(isUrgent: false, hasBell: false)) }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.hasSuffix("barline: error: the system starts no thread: Resource temporarily unavailable\n"))
    }

    @Test("an owner that is released on its own thread does not wait for itself")
    func endsByItself() async throws {
        let (end, isAlone) = (End(), End())
        var thread: OwnThread? = OwnThread()
        if let thread {
            await watch(thread, end)
            thread.call { [thread] in
                while !isAlone.hasCome.load(ordering: .acquiring) { sched_yield() }
                withExtendedLifetime(thread) {}
            }
        }
        thread = nil
        isAlone.hasCome.store(true, ordering: .releasing)
        try wait(for: "the end of the thread, which waits for itself") { end.hasCome.load(ordering: .acquiring) }
    }

    @Test("a loop runs when it is woken, even without a descriptor for that", arguments: [true, false])
    func steps(hasBell: Bool) async {
        let thread = OwnThread(isUrgent: false, hasBell: hasBell)
        let steps = Steps()
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: nil) {
                // Without being woken, it would sleep for days.
                steps.count.add(1, ordering: .relaxed).newValue < 5 ? .seconds(1_000_000) : nil
            }
            Task {
                while steps.count.load(ordering: .relaxed) < 5 {
                    thread.wake()
                    await Task.yield()
                }
            }
        }
        let count = steps.count.load(ordering: .relaxed)
        #expect(count == 5)
    }
}
