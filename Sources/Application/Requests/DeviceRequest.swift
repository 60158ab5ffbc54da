internal import Glibc
internal import Languages
package import Playback
internal import Timing
package import UserSettings

/// The sound device of a live performance.
package struct DeviceRequest: OptionRequest {
    package var options = OptionValues()
    /// Whether it is an error if there is no sound card.
    package var requireAudio = false
    package var policy = Card.Policy.auto
    package var format = FormatRequest()

    package init() {}

    /// Opens the device for a piece. If the user has not asked for a device and there is no sound card, a note says so, and the
    /// output is silent. Errors: a device that was asked for, or exists, cannot be used.
    func open(
        for timeline: Timeline, with timecode: TimecodeRequest? = nil
    ) throws -> (output: any Output, sound: Status.Sound) {
        let settings = try LoadedSettings.get(options)
        let wanted = settings.given(Setting.device)
        let name = wanted ?? Card.defaultDevice
        let format = try self.format(for: timeline, with: timecode)
        do throws(CardError) {
            let card = try Card(name, format, isExact: self.format.isExact, policy: policy)
            if SoundFormat.highestChannel(of: timeline) > card.channels {
                Failure.say(
                    localized(
                        "note: '\(name)' has only \(card.channels) channels; voices on higher ones are heard on all of them"
                    ))
            }
            return (card, .device(name))
        } catch {
            // A card that exists but cannot be used is an error: its owner wants to hear it.
            if wanted != nil || requireAudio || error.isOfCard { throw failure(error, settings) }
            let reason = error.isMissing ? localized("no sound card") : error.description
            Failure.say(localized("\(reason): counting silently (--require-audio makes this an error)"))
            return (SilentOutput(), .silent(error.description))
        }
    }

    /// Tries the device, for music that begins later. Errors: it was asked for, or exists, and cannot be used.
    func check() throws {
        let settings = try LoadedSettings.get(options)
        let wanted = settings.given(Setting.device)
        do throws(CardError) {
            _ = try Card(wanted ?? Card.defaultDevice, format.format, isExact: format.isExact, policy: policy)
        } catch {
            if wanted != nil || requireAudio || error.isOfCard { throw failure(error, settings) }
        }
    }

    /// The format for a piece. Errors: its voices or its timecode need channels that it does not have.
    private func format(for timeline: Timeline, with timecode: TimecodeRequest?) throws -> SoundFormat {
        let format = try self.format.format(for: timeline)
        return try timecode?.carried(by: format, channels: self.format.channels, isLive: true) ?? format
    }

    /// Errors: no device can play this performance, as its voices or its timecode need channels that it may not have.
    func check(_ performance: Performance, _ timecode: TimecodeRequest) throws {
        _ = try format(
            for: performance.passage.timeline, with: performance.linearTimecode == nil ? nil : timecode)
    }

    /// Opens the device for a performance, which then speaks and clicks there as `cues` has it.
    func open(
        for performance: inout Performance, _ cues: CueRequest, _ timecode: TimecodeRequest
    ) throws -> (output: any Output, sound: Status.Sound) {
        let (output, sound) = try open(
            for: performance.passage.timeline, with: performance.linearTimecode == nil ? nil : timecode)
        performance.speaker = try cues.speaker(for: performance, rate: output.rate, waits: false)
        if let card = output as? Card {
            card.use(try cues.shapes(rate: card.rate))
            try timecode.note(performance, rate: card.rate)
        }
        return (output, sound)
    }

    /// The error about a device, with the setting that named it unless that was an option.
    private func failure(_ error: CardError, _ settings: Settings) -> ProgramEnd {
        let origin = settings.found(Setting.device.setting).origin
        let isSet = self[Setting.device] == nil && origin != .standard
        let place = isSet ? localized("; this device is set by \(origin)") : ""
        return Failure.exit(.noDevice, error.sentence + place)
    }
}

extension Card {
    /// The device if none is named.
    static let defaultDevice = "default"

    /// Opens a device as it is. Errors end the command.
    static func opened(_ device: String) throws -> Card {
        do throws(CardError) { return try Card(device) } catch { throw Failure.exit(.noDevice, error.sentence) }
    }
}

extension CardError {
    /// Whether the card exists, but cannot be used now or in this way, or as it is configured.
    var isOfCard: Bool { [.busy, .forbidden, .unsuitable].contains(reason) || errno == EINVAL }

    /// Whether the device does not exist.
    var isMissing: Bool { reason == .missing }

    /// The error message; it does not name the default device if that is missing, because the user did not name it.
    var sentence: String {
        isMissing && device == Card.defaultDevice ? localized("there is no sound card") : description
    }
}
