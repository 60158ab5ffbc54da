internal import Shared

/// How a machine treats the two threads of a performance, in simulated time: when it wakes them, how long their work takes,
/// and when it leaves them alone. The same for the same seed.
package struct SimulatedMachine: Sendable {
    /// The two threads.
    package enum Thread: Sendable { case audio, control }

    /// A while in which a thread does not run.
    package struct Stall: Sendable {
        /// Seconds since the beginning.
        package var begin: Double
        /// Seconds.
        package var length: Double
        /// Whom it holds up; nil for both.
        package var thread: Thread?

        package init(at begin: Double, for length: Double, _ thread: Thread? = nil) {
            (self.begin, self.length, self.thread) = (begin, length, thread)
        }
    }

    package var seed: UInt64
    /// How late a thread is woken, in ns.
    package var wakeLatency: ClosedRange<Int64>
    /// How much time each look at the clock takes, in ns: the measure of all work.
    package var lookTime: Int64
    /// At one look in so many the other thread comes in between, for at most so many ns; 0 for never.
    package var (preemption, preemptedFor): (Int, Int64)
    package var stalls: [Stall]

    /// A machine that has nothing else to do.
    package static let idle = SimulatedMachine()

    /// A slow or busy one: thirty times slower, threads come in between each other, and late.
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

    /// Stalls of random lengths at random times, so many a second on the average.
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
