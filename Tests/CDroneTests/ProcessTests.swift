import CDrone
import Foundation
import Glibc
import Shared
import SimulatedCardSupport
import Testing

/// Properties of a whole process: each test runs in a separate one.
@Suite("Process")
struct ProcessTests {
    @Test("every device that can play is visited once")
    func devices() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            try folder.write(
                "alsa.conf",
                """
                pcm.first { type null; hint { show on; description "Speakers" } }
                pcm.second { type null; hint { show on; description "Phones" } }
                pcm.absent { type hw; card 7; hint { show on; description "Gone" } }
                pcm.phones { type null }
                pcm.microphone { type null }
                namehint.pcm [ "phones|Only plays|IOIDOutput" "microphone|Only records|IOIDInput" ]
                """)
            setenv("ALSA_CONFIG_PATH", folder("alsa.conf"), 1)
            var visited: [String] = []
            withUnsafeMutablePointer(to: &visited) { list in
                drone_visit_devices(
                    { name, description, list in
                        guard let name, let description, let list else { return }
                        list.assumingMemoryBound(to: [String].self).pointee
                            .append(String(cString: name) + " " + String(cString: description))
                    }, list)
            }
            #expect(visited.sorted() == ["first Speakers", "phones Only plays", "second Phones"])
        }
    }

    @Test("SIGXCPU makes a prepared thread give up its priority, but not a forgotten one")
    func priority() async {
        await #expect(processExitsWith: .success) {
            // Any policy that a thread may give itself stands in for real time. RealtimeKit sets SCHED_RESET_ON_FORK with it,
            // which an unprivileged thread cannot clear.
            let (batch, resets): (Int32, Int32) = (3, 0x4000_0000)
            var none = sched_param()
            none.sched_priority = 0
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            let thread = try #require(path.split(separator: "/").last.flatMap { Int64($0) })
            try #require(drone_prepare_realtime(thread))
            // Threads of a pool block signals by default.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGXCPU)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            try #require(sched_setscheduler(0, batch | resets, &none) == 0)
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            errno = ENOTTY
            raise(SIGXCPU)
            #expect(sched_getscheduler(0) == SCHED_OTHER | resets && errno == ENOTTY)
            drone_forget_realtime(thread)
            try #require(sched_setscheduler(0, batch | resets, &none) == 0)
            raise(SIGXCPU)
            #expect(sched_getscheduler(0) == batch | resets)
            // A thread that never pauses is first warned, and then killed.
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(15), &limit)
            #expect(limit.rlim_cur == 100_000 && limit.rlim_max == 200_000)
        }
    }

    @Test("sixteen threads can be prepared for priority, and another once one of them is forgotten")
    func threads() async {
        await #expect(processExitsWith: .success) {
            for thread in Int64(1)...16 { #expect(drone_prepare_realtime(thread)) }
            #expect(!drone_prepare_realtime(17))
            drone_forget_realtime(17)
            #expect(!drone_prepare_realtime(17))
            drone_forget_realtime(5)
            #expect(drone_prepare_realtime(17) && !drone_prepare_realtime(18))
            drone_forget_realtime(16)
            #expect(drone_prepare_realtime(18))
        }
    }

    @Test("if ALSA's configuration cannot be read, no devices are listed")
    func noConfiguration() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            try folder.write("alsa.conf", "pcm.first { type")
            setenv("ALSA_CONFIG_PATH", folder("alsa.conf"), 1)
            drone_visit_devices({ _, _, _ in Issue.record("there is a device") }, nil)
        }
    }

    @Test("all of the engine's memory is resident before the thread renders, and locked as far as the system allows")
    func memory() async {
        await #expect(processExitsWith: .success) {
            SimulatedCard.configureThisProcess()
            let folder = TemporaryFolder()
            let card = try SimulatedCard(in: folder.path, ["format": "FLOAT_LE"], records: false)
            var request = drone_output_request()
            (request.policy, request.rate, request.channels, request.format) = (
                DRONE_POLICY_SMALL, 48_000, 1, DRONE_F32
            )
            var (error, grant) = (Int32(0), drone_output_grant())
            let output = try #require(drone_output_open(card.device, &request, &grant, &error))
            let engine = EngineUnderTest()
            defer { drone_output_destroy(output) }
            // Its room for 4096 events takes at least 300 kB.
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            let first = (Int(bitPattern: engine.handle) + page - 1) / page * page
            func present() throws -> [UInt8] {
                var pages = [UInt8](repeating: 0, count: 300_000 / page)
                let status = mincore(UnsafeMutableRawPointer(bitPattern: first), pages.count * page, &pages)
                try #require(status == 0)
                return pages.map { $0 & 1 }
            }
            func lockedKilobytes() throws -> Int {
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmLck:") })
                return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
            }
            // The sound of a click has 90 kB: one is made before the start, and one after it.
            engine.push(click(0))
            let before = try lockedKilobytes()
            try #require(drone_output_start(output, engine.handle) == DRONE_OK)
            #expect(try !present().contains(0))
            let started = try lockedKilobytes()
            engine.push(click(0, 0, DRONE_SOUND_LINE))
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(8), &limit)
            if limit.rlim_cur > 8_000_000 {
                #expect(started >= before + 300 + 90)
                #expect(try lockedKilobytes() >= started + 90)
            }
        }
    }

    @Test("the audio thread's stack is resident before it is needed")
    func stack() async {
        await #expect(processExitsWith: .success) {
            SimulatedCard.configureThisProcess()
            var request = drone_output_request()
            (request.policy, request.rate, request.channels, request.format) = (
                DRONE_POLICY_SMALL, 48_000, 1, DRONE_F32
            )
            var (error, grant) = (Int32(0), drone_output_grant())
            let output = try #require(drone_output_open("null", &request, &grant, &error))
            let engine = EngineUnderTest()
            defer { drone_output_destroy(output) }
            try #require(drone_output_start(output, engine.handle) == DRONE_OK)
            try wait(for: "the audio thread") { drone_output_snapshot(output).thread_id != 0 }
            let path = "/proc/self/task/\(drone_output_snapshot(output).thread_id)/syscall"
            // For a sleeping thread, the last number but one is its stack pointer.
            var top: Int?
            try wait(for: "the thread to sleep") {
                let words = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isWhitespace)
                if words.count > 2 { top = Int(words[words.count - 2].dropFirst(2), radix: 16) }
                return top != nil
            }
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            let end = try #require(top) / page * page
            var pages = [UInt8](repeating: 0, count: 48 * 1024 / page)
            let first = UnsafeMutableRawPointer(bitPattern: end - pages.count * page)
            try #require(mincore(first, pages.count * page, &pages) == 0)
            #expect(pages.allSatisfy { (page: UInt8) -> Bool in page & 1 == 1 })
        }
    }

    /// A sanitizer's allocator ends the program if there is no memory, instead of returning an error.
    private static let canLackMemory = ["__asan_init", "__tsan_init"].allSatisfy { (name: String) in
        dlsym(nil, name) == nil
    }

    /// The virtual memory of the process in bytes.
    private static func size() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
        return try #require(pages.flatMap { Int($0) }) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Limits the memory of the process to `bytes` more than it has now.
    private static func allow(_ bytes: Int) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(9), &limit)
        limit.rlim_cur = rlim_t(try size() + bytes)
        try #require(setrlimit(__rlimit_resource_t(9), &limit) == 0)
    }

    @Test("a tone for which there is no memory is refused, and leaks none", .enabled(if: ProcessTests.canLackMemory))
    func toneWithoutMemory() async {
        await #expect(processExitsWith: .success) {
            let engine = EngineUnderTest(rate: 384_000)
            var low = tone(0, hertz: 1, DRONE_SAWTOOTH)
            // Its table takes 4 MB, and 8 more while it is made: there is room only for the first.
            let room = 5_000_000
            let mapped = mmap(nil, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            var blocks: [UnsafeMutableRawPointer] = []
            blocks.reserveCapacity(100_000)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(9), &limit)
            try ProcessTests.allow(0)
            while blocks.count < blocks.capacity, let block = malloc(1 << 16) { blocks.append(block) }
            munmap(mapped, room)
            let status = Int(drone_push(engine.handle, &low))
            let again = mmap(nil, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            setrlimit(__rlimit_resource_t(9), &limit)
            try #require(blocks.count < blocks.capacity)
            #expect(status == DRONE_ERR_MEMORY)
            #expect(again != MAP_FAILED)
        }
    }

    @Test(
        "an output without memory for its device's name is refused with ENOMEM",
        .enabled(if: ProcessTests.canLackMemory))
    func nameWithoutMemory() async {
        await #expect(processExitsWith: .success) {
            let name = [CChar](repeating: 0x61, count: 100_000_000) + [0]
            try ProcessTests.allow(50_000_000)
            var (request, grant, error) = (drone_output_request(), drone_output_grant(), Int32(0))
            #expect(drone_output_open(name, &request, &grant, &error) == nil)
            #expect(error == -ENOMEM)
        }
    }
}
