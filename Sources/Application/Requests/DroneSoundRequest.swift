package import Scores

/// How a drone sounds, as far as it is wanted otherwise than the score and the settings have it.
package struct DroneSoundRequest: Sendable {
    private var changes: [Score.Drone.Property.Change] = []

    package init() {}

    /// Wants one more value for a property of the drone.
    package mutating func add(_ change: @escaping Score.Drone.Property.Change) { changes.append(change) }

    /// Whether anything is wanted, which needs a drone.
    var isGiven: Bool { !changes.isEmpty }

    func apply(to drone: inout Score.Drone) {
        for change in changes { change(&drone) }
    }
}
