internal import CALSA
internal import Foundation
internal import Glibc
internal import Shared
internal import SimulatedCardSupport

/// A temporary folder that is deleted with this object.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("simulated-card-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// An error code of ALSA.
struct ALSAError: Error, Hashable {
    var code: Int32
}

func monotonicNow() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.nanoseconds
}

extension timespec {
    var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

/// A program that plays: the functions of ALSA, with Swift errors.
final class Player {
    let pcm: OpaquePointer
    private(set) var channels = 2
    private(set) var rate = 48000
    private(set) var bytesPerFrame = 4
    private(set) var bufferFrames = 0
    private(set) var periodFrames = 0

    init(_ card: SimulatedCard) throws {
        SimulatedCard.configureThisProcess()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, card.device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code == 0, let opened else { throw ALSAError(code: code) }
        pcm = opened
    }

    deinit { snd_pcm_close(pcm) }

    @discardableResult
    static func check(_ code: Int32) throws -> Int32 {
        if code < 0 { throw ALSAError(code: code) }
        return code
    }

    @discardableResult
    private func check(_ code: Int) throws -> Int {
        if code < 0 { throw ALSAError(code: Int32(code)) }
        return code
    }

    func setUp(
        _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16_LE, channels: Int = 2, rate: Int = 48000, period: Int = 480,
        buffer: Int = 48000
    ) throws {
        var params: OpaquePointer?
        try Self.check(snd_pcm_hw_params_malloc(&params))
        defer { snd_pcm_hw_params_free(params) }
        try Self.check(snd_pcm_hw_params_any(pcm, params))
        try Self.check(snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED))
        try Self.check(snd_pcm_hw_params_set_format(pcm, params, format))
        try Self.check(snd_pcm_hw_params_set_channels(pcm, params, UInt32(channels)))
        try Self.check(snd_pcm_hw_params_set_rate(pcm, params, UInt32(rate), 0))
        var periodSize = snd_pcm_uframes_t(period)
        try Self.check(snd_pcm_hw_params_set_period_size_near(pcm, params, &periodSize, nil))
        var bufferSize = snd_pcm_uframes_t(buffer)
        try Self.check(snd_pcm_hw_params_set_buffer_size_near(pcm, params, &bufferSize))
        try Self.check(snd_pcm_hw_params(pcm, params))
        self.channels = channels
        self.rate = rate
        bytesPerFrame = channels * Int(snd_pcm_format_physical_width(format)) / 8
        periodFrames = Int(periodSize)
        bufferFrames = Int(bufferSize)
        try adjust()
    }

    /// Sets the software parameters: the card never starts by itself; it stops when the buffer is empty, or never.
    func adjust(stops: Bool = true, wakesAt availMin: Int? = nil) throws {
        var params: OpaquePointer?
        try Self.check(snd_pcm_sw_params_malloc(&params))
        defer { snd_pcm_sw_params_free(params) }
        try Self.check(snd_pcm_sw_params_current(pcm, params))
        var boundary: snd_pcm_uframes_t = 0
        try Self.check(snd_pcm_sw_params_get_boundary(params, &boundary))
        try Self.check(snd_pcm_sw_params_set_start_threshold(pcm, params, boundary))
        let stop = stops ? snd_pcm_uframes_t(bufferFrames) : boundary
        try Self.check(snd_pcm_sw_params_set_stop_threshold(pcm, params, stop))
        try Self.check(snd_pcm_sw_params_set_avail_min(pcm, params, snd_pcm_uframes_t(availMin ?? periodFrames)))
        try Self.check(snd_pcm_sw_params(pcm, params))
    }

    @discardableResult
    func write(_ bytes: some Collection<UInt8>) throws -> Int {
        let bytes = Array(bytes)
        return try check(snd_pcm_writei(pcm, bytes, snd_pcm_uframes_t(bytes.count / bytesPerFrame)))
    }

    /// Fills a buffer of `frames` frames with noise and starts the card, which never stops on an underrun.
    @discardableResult
    func fill(frames: Int = 96000) throws -> [UInt8] {
        try setUp(buffer: frames)
        try adjust(stops: false)
        let sound = noise(frames: frames)
        try write(sound)
        try start()
        return sound
    }

    /// Sets the clock of the time stamps, by the function that the program is linked to or by the original one.
    func setStamps(
        _ type: snd_pcm_tstamp_type_t, by set: AlsaLib.SetStampType = snd_pcm_sw_params_set_tstamp_type
    ) throws {
        var params: OpaquePointer?
        try Self.check(snd_pcm_sw_params_malloc(&params))
        defer { snd_pcm_sw_params_free(params) }
        try Self.check(snd_pcm_sw_params_current(pcm, params))
        try Self.check(set(pcm, params, type))
        try Self.check(snd_pcm_sw_params(pcm, params))
    }

    func start() throws { try Self.check(snd_pcm_start(pcm)) }
    func prepare() throws { try Self.check(snd_pcm_prepare(pcm)) }
    @discardableResult func drop() -> Int32 { snd_pcm_drop(pcm) }

    /// Waits until the card has room. Errors: the card has a fault, or the wait times out.
    func wait(_ milliseconds: Int32) throws {
        if try Self.check(snd_pcm_wait(pcm, milliseconds)) == 0 { throw ALSAError(code: -ETIMEDOUT) }
    }

    /// Plays everything that was written.
    func drain() throws {
        var code = snd_pcm_drain(pcm)
        while code == -EAGAIN {
            try wait(60_000)
            code = snd_pcm_drain(pcm)
        }
        try Self.check(code)
    }

    var state: snd_pcm_state_t { snd_pcm_state(pcm) }

    @discardableResult func avail() throws -> Int { try check(snd_pcm_avail(pcm)) }
    func availUpdate() throws -> Int { try check(snd_pcm_avail_update(pcm)) }
    func rewindable() throws -> Int { try check(snd_pcm_rewindable(pcm)) }
    @discardableResult func rewind(_ frames: Int) throws -> Int {
        try check(snd_pcm_rewind(pcm, snd_pcm_uframes_t(frames)))
    }
    func forward(_ frames: Int) throws { try check(snd_pcm_forward(pcm, snd_pcm_uframes_t(frames))) }

    func delay() throws -> Int {
        var delay: snd_pcm_sframes_t = 0
        try Self.check(snd_pcm_delay(pcm, &delay))
        return delay
    }

    /// The result of `snd_pcm_status`.
    struct Status {
        var state: snd_pcm_state_t
        var delay: Int
        var avail: Int
        var stamp: Int64
        /// The time stamp of the last start or stop.
        var trigger: Int64
    }

    /// The status, by the function that the program is linked to or by the original one.
    func status(by ask: (OpaquePointer?, OpaquePointer?) -> Int32 = snd_pcm_status) throws -> Status {
        var status: OpaquePointer?
        try Self.check(snd_pcm_status_malloc(&status))
        defer { snd_pcm_status_free(status) }
        try Self.check(ask(pcm, status))
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        var trigger = snd_htimestamp_t()
        snd_pcm_status_get_trigger_htstamp(status, &trigger)
        return Status(
            state: snd_pcm_status_get_state(status), delay: snd_pcm_status_get_delay(status),
            avail: Int(snd_pcm_status_get_avail(status)),
            stamp: stamp.nanoseconds, trigger: trigger.nanoseconds)
    }

    func htimestamp(by ask: AlsaLib.Htimestamp = snd_pcm_htimestamp) throws -> Int64 {
        var avail: snd_pcm_uframes_t = 0
        var stamp = snd_htimestamp_t()
        try Self.check(ask(pcm, &avail, &stamp))
        return stamp.nanoseconds
    }

    /// When a poll that begins now would return; nil if never.
    func deadline(of card: SimulatedCard) throws -> Int64? {
        var descriptor = pollfd()
        try Self.check(snd_pcm_poll_descriptors(pcm, &descriptor, 1))
        return card.deadline
    }

    /// The events of the card after a poll has returned.
    func events() throws -> Int32 {
        var descriptor = pollfd()
        try Self.check(snd_pcm_poll_descriptors(pcm, &descriptor, 1))
        descriptor.revents = Int16(POLLIN)
        var events: UInt16 = 0
        try Self.check(snd_pcm_poll_descriptors_revents(pcm, &descriptor, 1, &events))
        return Int32(events)
    }
}

/// Frames of `Samples.noise`.
func noise(frames: Int, bytesPerFrame: Int = 4, seed: UInt64 = 1) -> [UInt8] {
    Samples.noise(count: frames * bytesPerFrame, seed: seed)
}

/// Whether a card has played the sound from its beginning, and only silence after its end.
func isHeard(_ heard: some Collection<UInt8>, of sound: some Collection<UInt8>) -> Bool {
    sound.starts(with: heard.prefix(sound.count)) && heard.dropFirst(sound.count).allSatisfy { $0 == 0 }
}
