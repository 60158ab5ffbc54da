import Foundation
import SimulatedCardSupport
import Synchronization

extension TimingBench {
    /// Wake-ups, processor time and memory of the whole process, measured from sixteen seconds after its start.
    func idle(_ table: inout Table) throws {
        floor(table)
        if !isMoment { try yardstick(table) }
        let bounds: [(String, String, Double, Double)] = [
            ("rewinding", "rewind", 5, 0.15), ("fallback", "small", 105, 0.4),
        ]
        // A sine, and three notes of a voice with many partials: B3 has up to ninety-six.
        let drones = [
            ("drone", ["--drone", "B4"]), ("chord", ["--drone", "B3, F#4, B4", "--waveform", "reed-organ"]),
        ]
        for ((name, policy, wakes, share), (drone, options)) in bounds.flatMap({ bound in drones.map { (bound, $0) } })
        {
            var looks: [Child.Use] = []
            _ = try PlayedScore(
                "idle", card: Self.quiet, policy: policy, seconds: isMoment ? 6 : 90,
                bars: isMoment ? PlayedScore.dense : PlayedScore.sequenza,
                drone: options, in: folder
            ) { child, _ in
                looks = try child.looks(after: isMoment ? 5 : 16, every: isMoment ? 0.5 : 11)
            }
            guard let last = looks.last else { continue }
            let woken = Double(last.wakes - looks[0].wakes) / (last.time - looks[0].time)
            table.row("\(name), \(drone): wake-ups", woken, "/s", .atMost(wakes))
            table.row("\(name), \(drone): processor", looks.share, "%", .atMost(share))
            table.row("\(name), \(drone): resident", last.memory, "MB", .atMost(22))
        }
    }

    /// A card that costs the player no more processor time than a real one: it records nothing, and another process
    /// sends its interrupts.
    static let quiet = fine.with("skew_ppm", 100).with("interrupts", "process").with("pause", false)

    /// For comparison, the cost of the metronome klick (clicks only) on this machine, if klick and JACK are installed.
    private func yardstick(_ table: Table) throws {
        guard let server = try? Child.other("jackd", ["-r", "-d", "dummy", "-r", "48000", "-p", "1024"]) else { return }
        defer { server.kill() }
        Thread.sleep(forTimeInterval: 2)
        guard let klick = try? Child.other("klick", ["-P", "120"]) else { return }
        defer { klick.kill() }
        Thread.sleep(forTimeInterval: 5)
        let first = try klick.use()
        Thread.sleep(forTimeInterval: 30)
        let last = try klick.use()
        let time = last.time - first.time
        let share = Table.short((last.busy - first.busy) / time * 100)
        let wakes = Table.short(Double(last.wakes - first.wakes) / time)
        guard last.wakes > first.wakes else { return }
        table.note("klick, clicks alone: \(share) % of a core, \(wakes) wake-ups/s, \(Table.short(last.memory)) MB")
    }

    /// The cost of timer wake-ups alone on this machine: a thread that wakes a hundred times a second and does nothing.
    private func floor(_ table: Table) {
        let share = Mutex(0.0)
        let done = DispatchSemaphore(value: 0)
        Thread {
            var next = timespec()
            clock_gettime(CLOCK_MONOTONIC, &next)
            let begin = Self.threadTime()
            let wakes = isMoment ? 200 : 2000
            for _ in 0..<wakes {
                next.tv_nsec += 10_000_000
                if next.tv_nsec >= 1_000_000_000 {
                    (next.tv_sec, next.tv_nsec) = (next.tv_sec + 1, next.tv_nsec - 1_000_000_000)
                }
                clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &next, nil)
            }
            let used = Self.threadTime() - begin
            share.withLock { $0 = used / Double(wakes) * 10_000 }
            done.signal()
        }.start()
        done.wait()
        let percent = (share.withLock { $0 } * 1000).rounded() / 1000
        table.note("100 wake-ups a second and nothing else take \(percent) % of a core of this machine")
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
