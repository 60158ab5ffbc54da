internal import Glibc
internal import Languages
public import Playback

extension Player {
    /// The ALSA devices that can be opened now.
    public static var devices: [(name: String, description: String)] { Card.devices() }

    static func open(
        _ device: String?, _ format: SoundFormat
    ) throws(PlayerError) -> sending (output: any Output, sound: Status.Sound) {
        if device == "null" { return (SilentOutput(), .silent(localized("no device is wanted"))) }
        let name = device ?? "default"
        do throws(CardError) {
            return (try Card(name, format), .device(name))
        } catch {
            let error = PlayerError(error)
            if case .noSuchDevice = error, device == nil {
                return (SilentOutput(), .silent(localized("there is no sound card")))
            }
            throw error
        }
    }
}

/// Why nothing plays.
public enum PlayerError: Error, Equatable, CustomStringConvertible {
    /// The score cannot be performed in this way.
    case performance(PerformanceError)
    /// There is no such device.
    case noSuchDevice(String)
    /// Another program has the device.
    case busy(String)
    /// This user may not use the device.
    case forbidden(String)
    /// The device cannot play this rate, number of channels or format.
    case unsuitable(String)
    /// The device cannot be opened, for the reason given.
    case device(String, reason: String)
    /// The synthesizer or its thread failed.
    case engine(EngineError)

    init(_ error: CardError) {
        self =
            switch error.reason {
            case .missing: .noSuchDevice(error.device)
            case .busy: .busy(error.device)
            case .forbidden: .forbidden(error.device)
            case .unsuitable: .unsuitable(error.device)
            case .other where error.errno == ENOMEM: .engine(.outOfMemory)
            case .other: .device(error.device, reason: error.description)
            }
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .performance(let error): error.description
        case .noSuchDevice(let name):
            localized("there is no sound device '\(name)'; Player.devices lists the available ones")
        case .busy(let name): CardError(device: name, errno: EBUSY).description
        case .forbidden(let name): CardError(device: name, errno: EACCES).description
        case .unsuitable(let name): CardError(device: name, errno: ENOTSUP).description
        case .device(_, let reason): reason
        case .engine(let error): error.description
        }
    }
}
