extension Array {
    /// The last index whose element satisfies a predicate, which holds for 0 and up to some index: a binary search. 0 if the array
    /// is empty. Inlined, because it is asked for each bar.
    @inlinable package func lastIndexByHalving(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(self[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
