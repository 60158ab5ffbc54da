package import Scores

/// How a drone sounds, as far as it is wanted otherwise than the score and the settings have it.
package struct DroneSoundRequest: Sendable {
    private var changes: [@Sendable (inout Score.Drone) -> Void] = []

    package init() {}

    /// Wants a value for a property of the drone; nil changes nothing.
    package mutating func set<Value: Sendable>(
        _ property: any WritableKeyPath<Score.Drone, Value> & Sendable, _ value: Value?
    ) {
        if let value { changes.append { $0[keyPath: property] = value } }
    }

    /// Whether anything is wanted, which needs a drone.
    var isGiven: Bool { !changes.isEmpty }

    func apply(to drone: inout Score.Drone) {
        for change in changes { change(&drone) }
    }
}
