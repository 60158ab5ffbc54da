import CDrone
import Shared

/// A Swift wrapper of an engine for tests, which choose rates, formats and block sizes.
final class EngineUnderTest {
    let handle: OpaquePointer
    let bytesPerFrame: Int

    init(
        rate: UInt32 = 48000, channels: UInt32 = 1, format: drone_format = DRONE_F32, first: Int64 = 0,
        rewind: UInt32 = 0, clicks: UInt32 = 0, drone: UInt32 = 0, voices: [UInt32] = []
    ) {
        var config = drone_config(
            rate: rate, channels: channels, format: format, first_frame: first, rewind_frames: rewind,
            click_channels: clicks, drone_channels: drone)
        withUnsafeMutableBytes(of: &config.voice_channels) { bytes in
            for (n, set) in voices.enumerated() { bytes.bindMemory(to: UInt32.self)[n] = set }
        }
        var error: Int32 = 1
        guard let made = drone_engine_create(&config, &error), error == 0 else { preconditionFailure("an engine") }
        handle = made
        bytesPerFrame = Int(drone_bytes_per_frame(handle))
    }

    deinit { drone_engine_destroy(handle) }

    @discardableResult
    func push(_ event: drone_event) -> Int {
        var event = event
        return Int(drone_push(handle, &event))
    }

    /// Opens a transaction that replaces all events from `frame` on.
    func cut(_ frame: Int64) { precondition(Int(drone_begin(handle, frame)) == DRONE_OK, "room for a transaction") }

    /// Commits all pushed events, and decides about all waiting transactions. Returns whether the last one took effect.
    @discardableResult
    func take(horizon: Int64 = .max) -> Bool {
        drone_commit(handle, horizon, .max)
        var frame: Int64 = 0
        var areTaken = true
        while drone_next_transaction(handle, &frame) { areTaken = drone_decide(handle) && areTaken }
        return areTaken
    }

    /// Renders after committing all pushed events.
    func render(_ frames: Int) -> [UInt8] {
        take()
        return renderAsIs(frames)
    }

    /// Renders without deciding about waiting transactions.
    func renderAsIs(_ frames: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xA5, count: frames * bytesPerFrame)
        drone_render(handle, &bytes, UInt32(frames))
        return bytes
    }

    func renderFloats(_ frames: Int) -> [Float] {
        render(frames).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    func render16(_ frames: Int) -> [Int16] {
        render(frames).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    var counters: drone_counters { drone_read_counters(handle) }
}

func click(
    _ frame: Int64, _ fraction: Double = 0, _ sound: drone_sound = DRONE_SOUND_BAR, level: Double = 0.5,
    pitch: Double = 0, length: Double = 0, voice: UInt32 = 0
) -> drone_event {
    drone_event_click(
        frame, level, .init(fraction: fraction, sound: sound, pitch: pitch, length: length, voice: voice))
}

func tone(
    _ frame: Int64, hertz: Double = 493.883, level: Double = 0.1, _ waveform: drone_waveform = DRONE_SINE,
    ramp: UInt32 = 480
) -> drone_event {
    var tone = drone_tone_event()
    (tone.hertz, tone.waveform, tone.ramp_frames) = (hertz, waveform, ramp)
    return drone_event_tone(frame, level, tone)
}

let everySound = (0..<DRONE_SOUND_COUNT.rawValue).map { drone_sound(rawValue: $0) }

typealias Seeded = Shared.Seeded

/// Random events for an engine: clicks between frames, and a drone that changes its level, pitch and shape.
func randomEvents(_ seed: UInt64, frames: Int64, count: Int) -> [drone_event] {
    var random = Seeded(state: seed)
    var events: [drone_event] = []
    for _ in 0..<count {
        let frame = Int64.random(in: 0..<frames, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            events.append(
                tone(
                    frame, hertz: .random(in: 30...4000, using: &random),
                    level: Bool.random(using: &random) ? 0 : .random(in: 0...0.2, using: &random),
                    VoiceTests.all[.random(in: 0..<VoiceTests.all.count, using: &random)],
                    ramp: .random(in: 0...3000, using: &random)))
        } else {
            events.append(
                click(
                    frame, .random(in: 0..<1, using: &random),
                    everySound[.random(in: 0..<everySound.count, using: &random)],
                    level: .random(in: 0...1, using: &random)
                ))
        }
    }
    return inOrder(events)
}

/// Sorted by frame and fraction, as a transaction needs them.
func inOrder(_ events: [drone_event]) -> [drone_event] {
    func fraction(_ event: drone_event) -> Double { event.kind == DRONE_EVENT_CLICK ? event.click.fraction : 0 }
    return events.sorted { ($0.frame, fraction($0)) < ($1.frame, fraction($1)) }
}

extension drone_config {
    /// A configuration in which no voice has channels of its own.
    init(
        rate: UInt32, channels: UInt32, format: drone_format, first_frame: Int64, rewind_frames: UInt32,
        click_channels: UInt32, drone_channels: UInt32
    ) {
        self.init()
        (self.rate, self.channels, self.format) = (rate, channels, format)
        (self.first_frame, self.rewind_frames) = (first_frame, rewind_frames)
        (self.click_channels, self.drone_channels) = (click_channels, drone_channels)
    }
}
