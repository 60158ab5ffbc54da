/// A random number generator that gives the same numbers for the same seed on every machine (SplitMix64).
package struct Seeded: RandomNumberGenerator, Sendable {
    package private(set) var state: UInt64

    /// Creates a generator with a seed.
    package init(state: UInt64) { self.state = state }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A uniformly distributed integer in a range.
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True with a probability of 1 / `oneIn`.
    package mutating func chance(_ oneIn: Int) -> Bool { int(1...oneIn) == 1 }
}
