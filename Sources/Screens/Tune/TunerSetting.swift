internal import Scores
package import Timing

extension Tuner.Setting {
    /// The tuning and the drone of a performance: what its player is in or out of tune with.
    package init(_ performance: Performance) {
        self.init()
        (tuning, a4) = (performance.tuning, performance.a4)
        guard let drone = performance.drone, !performance.isDroneMuted, !drone.level.isSilent else { return }
        isSteady = drone.timbre.isSteady
        droneLevel = drone.level
        drones = drone.notes.map { performance.tuning.frequency(of: $0.pitch, a4: performance.a4) }
        partials = drones.flatMap { hertz in
            (1...max(1, min(drone.timbre.waveform.harmonics, Int(Tuner.Setting.highest / hertz)))).map {
                Double($0) * hertz
            }
        }
    }

    /// No partial above this is looked for, in Hz.
    private static let highest = 12_000.0
}

extension Score.Waveform {
    /// How many harmonics it has at most.
    fileprivate var harmonics: Int { self == .sine ? 1 : 1000 }
}
