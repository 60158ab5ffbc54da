// What a key does that steps through a choice, on the stand and in the calculators.
extension CaseIterable where Self: Equatable {
    /// The next case; after the last one, the first.
    package var next: Self {
        let all = Array(Self.allCases)
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
