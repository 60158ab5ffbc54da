package import Scores

/// How a drone sounds, as far as it is wanted otherwise than the score and the settings have it.
package struct DroneSoundRequest: Sendable {
    package var level: Level?
    package var waveform: Score.Waveform?
    package var brightness: Double?
    package var variation: Double?
    package var beating: Double?
    package var seed: UInt32?
    package var fade: Duration?

    package init() {}

    /// Whether anything is wanted, which needs a drone.
    var isGiven: Bool {
        level != nil || waveform != nil || brightness != nil || variation != nil || beating != nil || seed != nil
            || fade != nil
    }

    func apply(to drone: inout Score.Drone) {
        if let level { drone.level = level }
        if let waveform { drone.waveform = waveform }
        if let brightness { drone.brightness = brightness }
        if let variation { drone.variation = variation }
        if let beating { drone.beating = beating }
        if let seed { drone.seed = seed }
        if let fade { drone.fade = fade }
    }
}
