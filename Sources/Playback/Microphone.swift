internal import CDrone
internal import Glibc
internal import SystemPackage
package import Timing

/// A sound input, with a clock of its own: another crystal than that of the card that plays.
///
/// Its frames count on through faults: what is missing after one counts as recorded, and is silent. It is used by one thread.
package final class Microphone {
    /// Frames per second and channels, as opened.
    package let rate: Int
    package let channels: Int
    private let capture: OpaquePointer
    /// Frames of the recording as a function of CLOCK_MONOTONIC.
    package var model: ClockModel { clock.model }
    private var clock: PatientClock
    /// When the device began to record, CLOCK_MONOTONIC in ns.
    private var began: Int64 = 0
    /// The frame of the recording at which the device's present count began.
    private var base: Int64 = 0
    /// How many frames have been handed out.
    package private(set) var count: Int64 = 0
    /// How often the device ran over, because it was not read in time.
    package private(set) var overruns = 0
    private var hasStarted = false
    private var pauses = 0
    private var samples: [Float]

    /// Opens a device by its ALSA name, with the rate nearest to `rate`.
    package init(_ device: String, rate: Int) throws(CardError) {
        var grant = drone_capture_grant()
        var error: Int32 = 0
        guard let capture = drone_capture_open(device, UInt32(clamping: rate), &grant, &error) else {
            throw CardError(opening: device, status: error, isMicrophone: true)
        }
        self.capture = capture
        (self.rate, channels) = (Int(grant.rate), Int(grant.channels))
        clock = PatientClock(
            nominalRate: Int(grant.rate), noise: grant.estimates ? 0.35e-3 : 10e-6, wanders: grant.estimates)
        samples = [Float](repeating: 0, count: Int(grant.channels) * Microphone.chunk)
    }

    deinit { drone_capture_close(capture) }

    /// Frames that are read at a time.
    private static let chunk = 4096
    /// How often a reading reads at most: a device that is never empty, as `null`, must not keep it for ever.
    private static let mostChunks = 64
    /// The longest gap that is filled with silence, in seconds.
    private static let longestGap = 60.0

    /// What has become of a reading.
    package enum Reading: Equatable {
        /// Everything has been read.
        case all
        /// The device has gone away, or cannot be used any more.
        case gone(String)
    }

    /// Looks at the device's clock, and hands out all that has been recorded, mixed to one channel, in pieces.
    package func read<Failure: Error>(_ take: (ArraySlice<Float>) throws(Failure) -> Void) throws(Failure) -> Reading {
        if !hasStarted {
            hasStarted = true
            let error = drone_capture_start(capture)
            if error < 0 { return .gone(Errno(rawValue: -error).reason) }
            began = drone_now_ns()
        }
        for _ in 0..<Microphone.mostChunks {
            var look = drone_capture_look()
            if drone_capture_observe(capture, &look) {
                clock.observe(ClockObservation(time: look.time_ns, frame: base + look.frame))
            }
            let read = samples.withUnsafeMutableBufferPointer {
                drone_capture_read(capture, $0.baseAddress, Int64(Microphone.chunk))
            }
            if read == -Int64(EPIPE) || read == -Int64(ESTRPIPE) {
                if let reason = try goOn(take) { return .gone(reason) }
                continue
            }
            guard read >= 0 else { return .gone(Errno(rawValue: Int32(-read)).reason) }
            try hand(Int(read), take)
            if read < Int64(Microphone.chunk) { return .all }
        }
        return .all
    }

    /// How long to wait until the next reading, in all `usual` on average: never the same, so that a pointer that a timer moves
    /// every few milliseconds is seen at all places within its steps. Seen at the same one, it would tell a wrong rate.
    package func pause(about usual: Duration) -> Duration {
        pauses += 1
        // Multiples of the golden ratio are spread evenly, however many there are.
        let place = (Double(pauses) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return usual * (0.5 + place)
    }

    /// Hands out frames that have been read, mixed to one channel.
    private func hand<Failure: Error>(_ frames: Int, _ take: (ArraySlice<Float>) throws(Failure) -> Void)
        throws(Failure)
    {
        guard frames > 0 else { return }
        if channels > 1 {
            for frame in 0..<frames {
                var sum: Float = 0
                for channel in 0..<channels { sum += samples[frame * channels + channel] }
                samples[frame] = sum / Float(channels)
            }
        }
        count += Int64(frames)
        try take(samples[..<frames])
    }

    /// Begins anew after an overrun, with silence for what is missing. Returns why that is not possible.
    private func goOn<Failure: Error>(_ take: (ArraySlice<Float>) throws(Failure) -> Void) throws(Failure) -> String? {
        overruns += 1
        let error = drone_capture_start(capture)
        if error < 0 { return Errno(rawValue: -error).reason }
        let longest = count + Int64(Microphone.longestGap * Double(rate))
        base = min(max(presentFrame, count), longest)
        let silence = [Float](repeating: 0, count: Microphone.chunk)
        while count < base {
            let part = Int(min(base - count, Int64(silence.count)))
            count += Int64(part)
            try take(silence[..<part])
        }
        // The same crystal, counted anew.
        clock.restart()
        return nil
    }

    /// The frame that would be recorded now if the device had not run over. Overruns may come faster than the clock is
    /// learned anew, so that here its last observation counts, however young.
    private var presentFrame: Int64 {
        let now = drone_now_ns()
        guard model.anchors == 0 else { return model.extrapolated(to: now).frame }
        return Int64(Double(now - began) * 1e-9 * Double(rate))
    }

    /// Believes of the clock what has been seen of it, even if that is less than a second.
    package func settle() { clock.settle() }

    /// The frame of the recording at a time of CLOCK_MONOTONIC in ns; nil while the clock is unknown.
    package func frame(at time: Double) -> Double? {
        guard model.isSettled else { return nil }
        let whole = Int64(time.rounded(.down))
        let position = model.extrapolated(to: whole)
        return Double(position.frame) + position.fraction + (time - Double(whole)) * 1e-9 * model.rate
    }

    /// The ALSA devices that can record now.
    package static func devices() -> [(name: String, description: String)] {
        Card.found(by: drone_visit_capture_devices)
    }
}
