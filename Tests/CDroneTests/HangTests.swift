import CDrone
import Foundation
import Glibc
import Shared
import SimulatedCardSupport
import Synchronization
import Testing

/// Devices whose calls do not return, in real time: the end does not wait for them. Each test runs in a separate process.
@Suite("Devices that hang")
struct HangTests {
    /// A device that writes into a FIFO whose reader stands still.
    private struct Pipe {
        let folder = TemporaryFolder()
        let reader: Int32

        init() throws {
            try folder.write(
                "alsa.conf",
                """
                pcm_type.null { }
                pcm.null { type null }
                pcm.fifo { type file; slave.pcm null; file "\(folder("pipe"))"; format raw }
                """)
            setenv("ALSA_CONFIG_PATH", folder("alsa.conf"), 1)
            try #require(mkfifo(folder("pipe"), 0o600) == 0)
            reader = Glibc.open(folder("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0)
        }

        /// Reads until nothing has come for a moment.
        func drain(while isWanted: () -> Bool) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while isWanted() { if read(reader, &bytes, bytes.count) <= 0 { usleep(1000) } }
        }
    }

    private static func open(_ device: String) throws -> OpaquePointer {
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (DRONE_POLICY_AUTO, 48_000, 2, DRONE_F32)
        var (error, grant) = (Int32(0), drone_output_grant())
        return try #require(drone_output_open(device, &request, &grant, &error), "\(error)")
    }

    private static func isThere(_ thread: Int64) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/self/task/\(thread)")
    }

    @Test("an output is destroyed although its thread hangs in a write; the thread frees the rest when it comes back")
    func write() async {
        await #expect(processExitsWith: .success) {
            let pipe = try Pipe()
            let output = try HangTests.open("fifo")
            var engine: EngineUnderTest? = EngineUnderTest(channels: 2)
            let handle = try #require(engine).handle
            try #require(drone_output_start(output, handle) == DRONE_OK)
            drone_commit(handle, .max, .max)
            try wait(for: "a write that hangs") { drone_output_stuck_ns(output) > 200_000_000 }
            let thread = drone_output_snapshot(output).thread_id
            drone_output_destroy(output)
            // It still hangs, and what it uses is still there.
            #expect(HangTests.isThere(thread))
            engine = nil
            pipe.drain { HangTests.isThere(thread) }
            #expect(!HangTests.isThere(thread))
        }
    }

    @Test("an output whose thread does not hang is not stuck")
    func notStuck() async {
        await #expect(processExitsWith: .success) {
            SimulatedCard.configureThisProcess()
            let output = try HangTests.open("null")
            let engine = EngineUnderTest(channels: 2)
            #expect(drone_output_stuck_ns(output) == 0)
            try #require(drone_output_start(output, engine.handle) == DRONE_OK)
            try wait(for: "some rounds") { drone_output_snapshot(output).wakes > 3 }
            try wait(for: "the sleep between two rounds") { drone_output_stuck_ns(output) == 0 }
            drone_output_destroy(output)
        }
    }
}
