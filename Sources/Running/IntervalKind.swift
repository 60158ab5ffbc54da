internal import Languages
internal import Scores

extension Interval {
    /// The activity of an interval.
    public enum Kind: String, Sendable, CaseIterable {
        /// Running.
        case run
        /// Walking.
        case walk
        /// Standing still.
        case rest
        /// Warming up, before all repeats.
        case warmUp = "warm-up"
        /// Cooling down, after all repeats.
        case coolDown = "cool-down"
    }
}

extension Interval.Kind {
    /// The traits of a kind, in one place.
    ///
    /// `name`, and `word` inside a sentence, are in the language of the process; a voice reads `spoken`. An interval
    /// begins with `click`. Formats that do not have the kind write it as its `likeness`. `speed` is the usual speed in
    /// m/s, and `tolerance` how far it may be off, as a logarithm.
    func traits(in voice: Language = .ofMessages) -> (
        name: String, word: String, spoken: String, click: ClickSound, likeness: Self, speed: Double,
        tolerance: Double
    ) {
        switch self {
        case .run: (localized("Run"), localized("run"), voice.spoken("Run"), .run, .run, 3.2, 0.35)
        case .walk: (localized("Walk"), localized("walk"), voice.spoken("Walk"), .walk, .walk, 1.5, 0.3)
        case .rest: (localized("Rest"), localized("rest"), voice.spoken("Rest"), .walk, .rest, 0.8, 0.9)
        case .warmUp:
            (localized("Warm-up"), localized("warm-up"), voice.spoken("Warm-up"), .warmUp, .warmUp, 2.5, 0.4)
        case .coolDown:
            (localized("Cool-down"), localized("cool-down"), voice.spoken("Cool-down"), .coolDown, .coolDown, 2.5, 0.4)
        }
    }

    /// The words for kinds in plans, beside their names, and the label of a word that means more than its kind.
    static let typed: [String: (kind: Self, label: String)] = [
        "running": (.run, ""), "jog": (.run, "Jog"), "easy": (.run, "Easy"), "long": (.run, "Long"),
        "tempo": (.run, "Tempo"), "hard": (.run, "Hard"), "fast": (.run, "Fast"), "sprint": (.run, "Sprint"),
        "walking": (.walk, ""), "stand": (.rest, "Stand"), "recover": (.rest, "Recover"),
        "recovery": (.rest, "Recover"), "warmup": (.warmUp, ""), "warm": (.warmUp, ""), "cooldown": (.coolDown, ""),
        "cool": (.coolDown, ""),
    ].merging(allCases.map { ($0.rawValue, ($0, "")) }) { typed, _ in typed }

    /// The name in scores and files, such as "Warm-up".
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    package var localizedName: String { traits().name }

    /// The word inside a sentence, in the language of the process.
    package var word: String { traits().word }

    /// The kind as which formats write it that do not have it.
    package var likeness: Self { traits().likeness }

    /// Whether it has the cadence of a plan.
    package var isRunning: Bool { self == .run || self == .warmUp || self == .coolDown }

    /// Advice about a word that is not a kind.
    package static var hint: String { localized("write \(WordText.list(allCases.map(\.rawValue)))") }
}
