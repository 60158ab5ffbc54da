internal import Languages

/// Suggests the word that was probably meant.
package enum Suggestion {
    /// The word nearest to `word`; nil if none is near enough. A third of the letters may differ, at least one.
    package static func nearest(to word: String, in words: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().unicodeScalars.prefix(41))
        guard (1...40).contains(typed.count) else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().unicodeScalars)
            let allowed = max(1, max(typed.count, letters.count) / 3)
            guard abs(letters.count - typed.count) <= allowed else { continue }
            let distance = distance(typed, letters)
            if distance <= allowed, distance < letters.count, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// The advice "did you mean 'lines'?"; nil if no word is near enough.
    package static func hint(for word: String, in words: some Sequence<String>) -> String? {
        nearest(to: word, in: words).map { localized("did you mean '\($0)'?") }
    }

    /// The edit distance: how many letters must be inserted, deleted, replaced or swapped with their neighbor.
    static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
