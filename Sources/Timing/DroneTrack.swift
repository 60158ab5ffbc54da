internal import Scores

/// The drone as it has been handed out, and what is still to be handed out of it.
struct DroneTrack: Sendable {
    /// What the page has made of the drone.
    var ofPage: DroneChange?
    /// The change that no boundary brings: the drone comes or goes.
    var change: (sounding: Bool, frame: Int64)?
    /// The drone that was handed out last: when it falls silent it is to be told so.
    var last: Score.Drone?
    /// The deviation that the sounding drone is tuned by; nil while it is silent.
    var tuning: Double?
    /// Whether its fade at the end has been handed out.
    var hasEnded = false
}

extension Scheduler {
    /// How long the drone takes to come and to go, in frames, as the page has it by now.
    var fadeFrames: Int {
        let ofPage = performance.followsDroneChanges ? drone.ofPage?.fade : nil
        let fade = ofPage ?? performance.drone?.fade ?? Score.Drone.standardFade
        let held = min(max(fade, .zero), isEnding ? Performance.longestEnd : Performance.longestFade)
        return Int(NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: held))
    }

    /// Where and how fast the drone goes, so that it is gone at the end; nil once that has been handed out.
    var fade: (frame: Int64, frames: Int)? {
        guard !drone.hasEnded, let end = endFrame else { return nil }
        // What has been handed out may have changed how long a fade takes.
        let frame = firstDroneFrame(from: max(end - Int64(fadeFrames), firstWholeFrame))
        return (frame, Int(max(end - frame, 0)))
    }

    /// The drone comes with the count-in, and no earlier.
    func firstDroneFrame(from frame: Int64) -> Int64 { beginFrame.map { max(frame, $0) } ?? frame }

    /// The drone as the page has it from the bar at hand on; nil where that is no change.
    mutating func turnDrone(at position: FramePosition) -> Event? {
        guard let bar, bar.bar.drone != drone.ofPage else { return nil }
        drone.ofPage = bar.bar.drone
        guard performance.followsDroneChanges, !drone.hasEnded else { return nil }
        let frame = FramePosition(frame: position.frame) < floor ? position.frame + 1 : position.frame
        return droneEvent(sounding: true, at: frame, within: fadeFrames)
    }

    /// The drone tuned to the card's rate as it is known by now; nil where that would change nothing.
    mutating func retuned(before horizon: Int64) -> Event? {
        // What sinks know already stays as it is.
        let frame = max(firstWholeFrame, known)
        // 0.2 ppm are a three-thousandth of a cent.
        guard let tuning = drone.tuning, abs(mapping.deviation - tuning) > 0.2e-6, !drone.hasEnded, frame < horizon
        else { return nil }
        return droneEvent(sounding: true, at: frame, within: fadeFrames)
    }

    /// The drone that sounds by what the page has made of it; nil for none.
    private var soundingDrone: Score.Drone? {
        guard !performance.isDroneMuted else { return nil }
        guard performance.followsDroneChanges, let ofPage = drone.ofPage else { return performance.drone }
        return performance.drone(after: ofPage)
    }

    /// The drone coming or going; nil where there is none, and has been none.
    mutating func droneEvent(sounding: Bool, at frame: Int64, within rampFrames: Int) -> Event? {
        let here = soundingDrone.flatMap { $0.level.isSilent ? nil : $0 }
        guard let sounds = here ?? drone.last else { return nil }
        let isHeard = sounding && here != nil
        // Other notes come while those before them go.
        let crossfades = drone.last.map { !performance.glides(from: $0, to: sounds) } ?? false
        if isHeard { drone.last = sounds }
        drone.tuning = isHeard ? mapping.deviation : nil
        return Event(
            FramePosition(frame: frame),
            .drone(
                DroneSound(
                    sounds, tuning: performance.tuning, a4: performance.a4, deviation: mapping.deviation,
                    isSounding: isHeard, crossfades: crossfades), rampFrames: rampFrames))
    }
}
