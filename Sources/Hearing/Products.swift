/// The sum of the products of two stretches of samples, eight at a time: one after the other, each sum would wait for the one
/// before it, and take ten times as long.
enum Products {
    /// The sum of `first[n] * second[n]` for the first `count` values, which both must have.
    static func sum(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ count: Int) -> Float {
        let (one, other) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        var (even, odd) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
        var n = 0
        while n + 16 <= count {
            even += eight(one, n) * eight(other, n)
            odd += eight(one, n + 8) * eight(other, n + 8)
            n += 16
        }
        if n + 8 <= count {
            even += eight(one, n) * eight(other, n)
            n += 8
        }
        var sum = (even + odd).sum()
        while n < count {
            sum += first[n] * second[n]
            n += 1
        }
        return sum
    }

    private static func eight(_ values: UnsafeRawPointer, _ n: Int) -> SIMD8<Float> {
        values.loadUnaligned(fromByteOffset: 4 * n, as: SIMD8<Float>.self)
    }
}
