import CDrone
import Foundation
import Shared
import Synchronization
import Testing

@Suite("Snapshots of an output")
struct SnapshotTests {
    /// The parts of a snapshot that tests compare, from its first to its last word.
    private struct Seen: Equatable {
        let numbers: [Int64]

        init(_ seen: drone_snapshot) {
            numbers = [
                seen.heard.time_ns, seen.heard.frame, seen.next_frame, seen.changeable_frame, seen.refill_frame,
                seen.slack_frames,
                Int64(seen.xruns), Int64(seen.wakes), seen.late_ns, Int64(seen.epoch),
            ]
        }
    }

    /// Reads snapshots on a separate thread, as fast as it can.
    private final class Reader: Sendable {
        private let isOver = Atomic(false)
        private let reads = Atomic(0)
        private let found = Mutex<[UInt64: [Seen]]>([:])
        private let hasEnded = DispatchSemaphore(value: 0)

        init(_ output: OpaquePointer) {
            nonisolated(unsafe) let output = output
            Thread.detachNewThread { [self] in
                var read: [UInt64: [Seen]] = [:]
                repeat {
                    let snapshot = drone_output_snapshot(output)
                    let seen = Seen(snapshot)
                    if read[snapshot.wakes]?.contains(seen) != true { read[snapshot.wakes, default: []].append(seen) }
                    reads.add(1, ordering: .relaxed)
                } while !isOver.load(ordering: .acquiring)
                found.withLock { $0 = read }
                hasEnded.signal()
            }
        }

        /// Waits until a snapshot has been read since the call began.
        func waitForRead() throws {
            let before = reads.load(ordering: .relaxed)
            try wait(for: "a snapshot that the other thread has read") { reads.load(ordering: .relaxed) > before }
        }

        /// Stops the thread and returns the snapshots, by the number of their round. Call it once.
        func end() -> [UInt64: [Seen]] {
            isOver.store(true, ordering: .releasing)
            hasEnded.wait()
            return found.withLock { $0 }
        }
    }

    @Test("a snapshot that is read while another is written is consistent")
    func whole() throws {
        var written: [UInt64: Seen] = [:]
        var reader: Reader?
        var read: [UInt64: [Seen]] = [:]
        _ = try SimulatedOutput.play(milliseconds: 60_000) { output, time in
            let seen = output.snapshot
            written[seen.wakes] = Seen(seen)
            if reader == nil { reader = Reader(output.handle) }
            if written.count % 100 == 0, read.isEmpty { try reader?.waitForRead() }
            // Stops the reader before the output is destroyed.
            if time >= 59_000, read.isEmpty { read = reader?.end() ?? [:] }
        }
        #expect(written.count > 4000 && !read.isEmpty)
        for (wakes, seen) in read { #expect(seen == [written[wakes]], "round \(wakes)") }
    }
}
