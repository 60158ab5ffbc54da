internal import Languages
package import Playback
package import Scores
package import Timing

extension [String] {
    /// The texts that are not empty, with a separator between them.
    func joinedNonempty(_ separator: String) -> String { filter { !$0.isEmpty }.joined(separator: separator) }
}

/// The texts that screens share.
package enum Wording {
    /// A time in seconds to a tenth, rounded up so that the time left never shows zero too early: `3.0`.
    package static func left(_ duration: Duration) -> String {
        let tenth = Int128(100_000_000_000_000_000)
        let up = (max(duration, .zero).attoseconds + tenth - 1) / tenth * tenth
        return Duration(attoseconds: up).seconds(decimals: 1)
    }

    /// The time left of something whose whole length is shown, too: `1.6`. As lengths are rounded to the nearest tenth, a
    /// bar of 1.62 s begins with 1.6 s left.
    static func left(_ left: Duration, of whole: Duration) -> String {
        let tenth = Int128(100_000_000_000_000_000)
        return Wording.left(min(left, Duration(attoseconds: (whole.attoseconds + tenth / 2) / tenth * tenth)))
    }

    package static func clock(_ duration: Duration) -> String { max(duration, .zero).clock(decimals: 1) }

    /// The bars without clicks: `silent 2 of 8`, or for a line of text `silent 2 of 8 bars`; `silent random 30% 42`.
    static func silence(_ silence: Performance.Silence, isLong: Bool = false) -> String {
        switch silence.choice {
        case .last(let bars, let group):
            isLong ? localized("silent \(bars) of \(group) bars") : localized("silent \(bars) of \(group)")
        case .random(let percent, let seed): localized("silent random \(percent)% \(seed)")
        }
    }

    /// The title, and who composed it.
    package static func title(_ performance: Performance) -> String {
        [performance.title, performance.composer].joinedNonempty(" · ")
    }

    /// A drone of a performance: `drone B4 493.88 Hz`, or `drone E3, B3`, with the waveform unless it is a sine.
    package static func drone(_ drone: Score.Drone?, _ performance: Performance) -> String {
        let waveform = drone?.timbre.waveform ?? .sine
        return tone(drone, performance) + (waveform == .sine ? "" : " \(waveform)")
    }

    /// The same of the bar of boundary `n` with the level, or `drone off`.
    static func droneAndLevel(_ performance: Performance, at n: Int) -> String {
        if performance.isDroneMuted { return localized("drone off") }
        let drone = performance.drone(inBarOf: n)
        return Wording.drone(drone, performance) + (drone.map { " \(decibels($0.level))" } ?? "")
    }

    /// `clicks -6 dB`, or `clicks off`.
    static func clicks(_ performance: Performance) -> String {
        performance.clicksAreOff
            ? localized("clicks off") : localized("clicks \(decibels(performance.clickLevel))")
    }

    /// The notes of the drone without a word: `B4`, `E3, B3`, or its frequency.
    static func droneName(_ drone: Score.Drone) -> String {
        if drone.notes.count > 1 { return drone.notes.names }
        if case .frequency(let hertz) = drone.pitch { return "\(hundredths(hertz)) Hz" }
        return "\(drone.pitch)"
    }

    private static func tone(_ drone: Score.Drone?, _ performance: Performance) -> String {
        guard let drone else { return localized("no drone") }
        let name = droneName(drone)
        if case .frequency = drone.pitch { return localized("drone \(name)") }
        guard drone.notes.count == 1 else { return localized("drone \(name)") }
        let hertz = performance.tuning.frequency(of: drone.pitch, a4: performance.a4)
        return localized("drone \(name) \(hundredths(hertz)) Hz")
    }

    /// A frequency in Hz to a hundredth: `493.88`.
    private static func hundredths(_ hertz: Double) -> String {
        Duration.milliseconds(Int((hertz * 100).rounded()) * 10).seconds(decimals: 2)
    }

    /// A number that is not negative, to a tenth: `440.0`.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A level in dB to a tenth: `-24 dB`, `-1.5 dB`.
    static func decibels(_ level: Level) -> String {
        let tenths = Int((level.decibels * 10).rounded())
        return tenths % 10 == 0
            ? "\(tenths / 10) dB" : "\(level.decibels < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
    }

    /// How much later than reported the sound is heard: `latency 400 ms`; nil if it is not.
    static func latency(_ status: Status) -> String? {
        let milliseconds = Int((status.latency / .milliseconds(1)).rounded())
        return milliseconds == 0 ? nil : localized("latency \(milliseconds) ms")
    }

    /// The problems with the sound; nil if there are none. In little room (`isShort`), without the name of the device.
    package static func trouble(_ status: Status, isShort: Bool = false) -> String? {
        let parts = troubles(status, isShort: isShort)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The same, one by one.
    static func troubles(_ status: Status, isShort: Bool = false) -> [String] {
        var parts: [String] = []
        switch status.sound {
        case .device: break
        case .silent: parts.append(localized("no sound: counting silently"))
        case .lost(let device, let reason):
            parts.append(
                isShort
                    ? localized("sound device lost: \(reason)") : localized("sound device '\(device)' lost: \(reason)"))
        }
        if let network = status.network { parts.append(network) }
        if status.xruns == 1 {
            parts.append(localized("1 dropout (xrun)"))
        } else if status.xruns > 1 {
            parts.append(localized("\(status.xruns) dropouts (xruns)"))
        }
        if status.lostClicks > 0 { parts.append(lost(clicks: status.lostClicks)) }
        return parts
    }

    static func lost(clicks: UInt64) -> String {
        clicks == 1 ? localized("1 click lost") : localized("\(clicks) clicks lost")
    }

    /// The problems without their counts, by which one that has only grown is told from another.
    static func kindOfTrouble(_ status: Status) -> String? {
        var uncounted = status
        uncounted.xruns = min(status.xruns, 1)
        uncounted.lostClicks = min(status.lostClicks, 1)
        return trouble(uncounted)?.filter { !$0.isNumber }
    }

    /// `5.7: 40 ms late`.
    static func late(_ name: String, _ late: Duration) -> String {
        let milliseconds = Int((late / .milliseconds(1)).rounded())
        return milliseconds < 0
            ? localized("\(name): \(-milliseconds) ms early") : localized("\(name): \(milliseconds) ms late")
    }
}
