package import Scores

/// The properties of a score, or of its drone, that are wanted otherwise than the score and the settings have them.
package struct PropertyChanges<Whole>: Sendable {
    private var changes: [ScoreProperty<Whole>.Change] = []

    package init() {}

    /// Wants one more value for a property.
    package mutating func add(_ change: @escaping ScoreProperty<Whole>.Change) { changes.append(change) }

    /// Whether anything is wanted.
    var isGiven: Bool { !changes.isEmpty }

    func apply(to whole: inout Whole) {
        for change in changes { change(&whole) }
    }
}
