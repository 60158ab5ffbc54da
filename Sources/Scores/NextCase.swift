// Some keys of the stand and of the calculators step through a choice, one case at a time.
extension CaseIterable where Self: Equatable {
    /// The next case; after the last one, the first.
    package var next: Self {
        let all = Array(Self.allCases)
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
