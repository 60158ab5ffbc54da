package import Scores

/// The state of the drone: what has been handed out, and what still has to be.
struct DroneTrack: Sendable {
    /// The changes of the drone that the page has made up to here.
    var ofPage: DroneChange?
    /// A change that does not belong to a boundary: the drone fades in or out.
    var change: (sounding: Bool, frame: Int64)?
    /// The drone that was handed out last; it is needed again to fade it out.
    var last: Score.Drone?
    /// The deviation of the card's rate for which the sounding drone is tuned; nil while it is silent.
    var tuning: Double?
    /// Whether the fade-out at the end has been handed out.
    var hasEnded = false
}

extension Scheduler {
    /// The length of the drone's fades in frames, at the current place of the page.
    package var fadeFrames: Int {
        let fade = performance.droneFade(drone.ofPage)
        let clamped = isEnding ? min(fade, Performance.longestEnd) : fade
        return Int(NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: clamped))
    }

    /// The drone is as the page has it in the bar of boundary `n`.
    mutating func takeDrone(ofBar n: Int) { drone.ofPage = performance.droneChange(inBarOf: n) }

    /// The music goes on at `frame`, and the drone sounds again, even if its fade-out at the end had begun.
    mutating func beginDrone(at frame: Int64) {
        drone.hasEnded = false
        drone.change = (true, firstDroneFrame(from: frame))
    }

    /// The music stops at `frame`: the drone fades out, if it has begun.
    mutating func stopDrone(at frame: Int64, hasBegun: Bool) { drone.change = hasBegun ? (false, frame) : nil }

    /// The drone's fade-out before the end: its first frame and its length; nil once it has been handed out.
    var fade: (frame: Int64, frames: Int)? {
        guard !drone.hasEnded, let end = endFrame else { return nil }
        // A drone change that has been handed out may have changed the length of the fade.
        let frame = firstDroneFrame(from: max(end - Int64(fadeFrames), firstWholeFrame))
        return (frame, Int(max(end - frame, 0)))
    }

    /// The event by which the drone fades out before the end; nil if that is later than the next click, or has been handed out.
    mutating func endDrone(before click: FramePosition?, _ horizon: Int64) -> Event? {
        guard let fade, fade.frame < horizon, click.map({ FramePosition(frame: fade.frame) <= $0 }) ?? true else {
            return nil
        }
        drone.hasEnded = true
        return droneEvent(sounding: false, at: fade.frame, within: fade.frames)
    }

    /// The first frame at or after `frame` at which the drone may sound: not before the count-in.
    private func firstDroneFrame(from frame: Int64) -> Int64 { beginFrame.map { max(frame, $0) } ?? frame }

    /// The event by which the bar at hand changes the drone; nil if it does not.
    mutating func turnDrone(at position: FramePosition) -> Event? {
        guard let bar, bar.bar.drone != drone.ofPage else { return nil }
        drone.ofPage = bar.bar.drone
        guard performance.followsDroneChanges, !drone.hasEnded else { return nil }
        let frame = FramePosition(frame: position.frame) < floor ? position.frame + 1 : position.frame
        return droneEvent(sounding: true, at: frame, within: fadeFrames)
    }

    /// The drone retuned to the latest estimate of the card's rate; nil if that would change nothing.
    mutating func retuned(before horizon: Int64) -> Event? {
        // The events up to `known` are in the sinks and stay as they are.
        let frame = max(firstWholeFrame, known)
        // 0.2 ppm is a three-thousandth of a cent.
        guard let tuning = drone.tuning, abs(mapping.deviation - tuning) > 0.2e-6, !drone.hasEnded, frame < horizon
        else { return nil }
        return droneEvent(sounding: true, at: frame, within: fadeFrames)
    }

    /// The event that fades the drone in or out, or changes it; nil if there is no drone and none sounded before.
    mutating func droneEvent(sounding: Bool, at frame: Int64, within rampFrames: Int) -> Event? {
        let here = performance.soundingDrone(drone.ofPage)
        guard let sounds = here ?? drone.last else { return nil }
        let isHeard = sounding && here != nil
        // New notes fade in while the old ones fade out.
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

extension Performance {
    /// The drone in the bar of boundary `n`, even if it is muted: as the page has changed it, if the drone follows the page.
    /// Nil means no drone, or one that is silent.
    package func drone(inBarOf n: Int) -> Score.Drone? { audibleDrone(droneChange(inBarOf: n)) }

    /// The drone that is heard in the bar of boundary `n`, with the length of its fades; nil if there is none, or it is muted.
    package func drone(underBar n: Int) -> (sound: DroneSound, fade: Duration)? {
        let ofPage = droneChange(inBarOf: n)
        return soundingDrone(ofPage).map { (DroneSound($0, tuning: tuning, a4: a4), droneFade(ofPage)) }
    }

    /// The changes of the drone that the page has made up to the bar of boundary `n`; nil if there are none.
    package func droneChange(inBarOf n: Int) -> DroneChange? { passage.bar(of: n).drone }

    /// Whether the drone can be another one in another bar.
    package var changesDrone: Bool { followsDroneChanges && passage.timeline.layout.droneChange != nil }

    private func audibleDrone(_ ofPage: DroneChange?) -> Score.Drone? {
        let here = followsDroneChanges ? ofPage.map(drone(after:)) ?? drone : drone
        return here?.level.isSilent == true ? nil : here
    }

    /// The drone that is heard after the changes of the page, if it follows these; nil for silence.
    fileprivate func soundingDrone(_ ofPage: DroneChange?) -> Score.Drone? {
        isDroneMuted ? nil : audibleDrone(ofPage)
    }

    /// How long the drone's fades take after the changes of the page, if it follows these.
    fileprivate func droneFade(_ ofPage: DroneChange?) -> Duration {
        let fade = (followsDroneChanges ? ofPage?.fade : nil) ?? drone?.fade ?? Score.Drone.standardFade
        return min(max(fade, .zero), Performance.longestFade)
    }
}
