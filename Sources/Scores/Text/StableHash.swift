extension String {
    /// A hash that is the same on every machine and in every version: 64-bit FNV-1a (Fowler, Noll, Vo) of its UTF-8, in base 16
    /// without leading zeros.
    package var stableHash: String {
        let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
