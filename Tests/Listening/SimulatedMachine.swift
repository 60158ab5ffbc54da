internal import Shared

/// How a machine schedules the two threads of a performance in simulated time: when it wakes them, how long their work
/// takes, and when it stops them. The same for the same seed.
package struct SimulatedMachine: Sendable {
    /// The two threads of a performance.
    package enum Thread: Sendable { case audio, control }

    /// A time in which a thread does not run.
    package struct Stall: Sendable {
        /// Seconds since the start of the simulation.
        package var begin: Double
        /// The length in seconds.
        package var length: Double
        /// The thread that is stopped; nil for both.
        package var thread: Thread?

        package init(at begin: Double, for length: Double, _ thread: Thread? = nil) {
            (self.begin, self.length, self.thread) = (begin, length, thread)
        }
    }

    package var seed: UInt64
    /// The wake-up latency of a thread in ns.
    package var wakeLatency: ClosedRange<Int64>
    /// The time in ns that each reading of the clock takes; it stands for all work.
    package var lookTime: Int64
    /// Preemption by the other thread: at one in `preemption` readings of the clock (0 = never), for at most
    /// `preemptedFor` ns.
    package var (preemption, preemptedFor): (Int, Int64)
    package var stalls: [Stall]

    /// A fast machine without other load.
    package static let idle = SimulatedMachine()

    /// Whether no thread ever waits for another one, or is stopped.
    package var isIdle: Bool { preemption == 0 && stalls.isEmpty }

    /// Whether its work takes much longer than usual.
    package var isSlow: Bool { lookTime > 10_000 }

    /// A slow or busy machine: work takes almost forty times as long, and threads preempt each other and wake late.
    package static func slow(seed: UInt64) -> SimulatedMachine {
        SimulatedMachine(
            seed: seed, wakeLatency: 50_000...3_000_000, lookTime: 30_000, preemption: 12, preemptedFor: 20_000_000)
    }

    package init(
        seed: UInt64 = 1, wakeLatency: ClosedRange<Int64> = 5000...40_000, lookTime: Int64 = 800, preemption: Int = 0,
        preemptedFor: Int64 = 200_000, stalls: [Stall] = []
    ) {
        self.seed = seed
        self.wakeLatency = wakeLatency
        self.lookTime = lookTime
        (self.preemption, self.preemptedFor) = (preemption, preemptedFor)
        self.stalls = stalls
    }

    /// Stalls of random lengths at random times. The gaps between them are 1 / `perSecond` seconds on average.
    package static func stalls(
        _ lengths: ClosedRange<Double>, perSecond: Double, until seconds: Double, thread: Thread?, seed: UInt64
    ) -> [Stall] {
        var random = Seeded(state: seed)
        var stalls: [Stall] = []
        var time = 0.0
        while time < seconds {
            time += Double.random(in: 0...2 / perSecond, using: &random)
            let length = Double.random(in: lengths, using: &random)
            stalls.append(Stall(at: time, for: length, thread))
            time += length
        }
        return stalls
    }
}
