internal import Languages

/// What a reader leaves out of a file because plans do not have it: each kind with the number of times.
struct LeftOut {
    private var found: [(what: String, count: Int)] = []

    /// Notes something that is left out, such as "targets of power".
    mutating func note(_ what: String) {
        if let index = found.firstIndex(where: { $0.what == what }) {
            found[index].count += 1
        } else {
            found.append((what, 1))
        }
    }

    /// The message, such as `left out: the author, targets of power (3 times)`; nil if nothing is left out.
    var message: String? {
        guard !found.isEmpty else { return nil }
        let all = found.map { $0.count > 1 ? localized("\($0.what) (\($0.count) times)") : $0.what }
        return localized("left out: \(all.joined(separator: ", "))")
    }
}
