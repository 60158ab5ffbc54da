internal import ArgumentParser
internal import Cables
internal import Languages
internal import Playback
internal import Scores
internal import Timing
internal import UserSettings

extension TimecodePause: ExpressibleByArgument {}
extension TimecodeSpeed: ExpressibleByArgument {}

/// Options for the linear timecode beside the sound of a score.
struct TimecodeOptions: ParsableArguments {
    @Option(
        help: .localized(
            "A channel of the card or file that carries timecode (LTC) and nothing else, such as 3.", valueName: "n"))
    var ltcChannel: Int?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The timecode at the beginning of the score: '01:00:00:00 @ 25'. Default: the score's own.",
            valueName: "timecode"), transform: { try OptionText.read($0) { try Timecode(scoreText: $0) } })
    var ltcStart: Timecode?

    @Option(help: .localized("The timecode in a pause: stop (silence) or hold (the same frame again). Default: stop."))
    var ltcPause: TimecodePause?

    @Option(
        help: .localized(
            "What the timecode counts at another speed: clock (real time) or score (time at 100%). Default: clock."))
    var ltcSpeed: TimecodeSpeed?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "How long the timecode runs before the first bar and before the target of a jump; the music waits. Default: 0.",
            valueName: "time"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .time) } })
    var ltcPreroll: Duration?

    @Option(
        parsing: .unconditional, help: .localized("The level of the timecode. Default: -6dB.", valueName: "level"),
        transform: OptionText.level)
    var ltcLevel: Level?

    func validate() throws {
        if let ltcChannel, !(1...32).contains(ltcChannel) {
            throw ValidationError(localized("--ltc-channel must be 1 to 32"))
        }
        if let ltcPreroll, !(.zero...LinearTimecode.longestPreroll).contains(ltcPreroll) {
            throw ValidationError(localized("--ltc-preroll must be at most 60 s"))
        }
    }

    /// Whether an option says how the timecode is.
    private var isDescribed: Bool {
        ltcStart != nil || ltcPause != nil || ltcSpeed != nil || ltcPreroll != nil || ltcLevel != nil
    }

    /// The channel: by the option or, in a live performance, by the settings.
    private func channel(isLive: Bool) throws -> Int? {
        guard isLive else { return ltcChannel }
        return try ltcChannel ?? LoadedSettings.get()[Setting.ltcChannel]
    }

    /// Whether a channel of the card carries the timecode of a performance.
    func isCarried(_ performance: Performance) throws -> Bool {
        try performance.linearTimecode != nil && channel(isLive: true) != nil
    }

    /// Sets the timecode of a live performance, if a channel gets it or a port of MIDI. Errors: an option asks for timecode, and
    /// neither the score nor an option says where it starts, or MIDI does not have its rate; an option would have no effect.
    func apply(to performance: inout Performance, _ cables: CableOptions) throws {
        let goesToMIDI = try cables.midiOut?.timecode ?? false
        guard try channel(isLive: true) != nil || goesToMIDI else { return try refuseIfDescribed() }
        guard let start = ltcStart ?? performance.timecode else {
            // The settings mean only scores that have timecode.
            guard ltcChannel != nil || cables.mtc == true || isDescribed else { return }
            throw Failure.exit(.usage, TimecodeOptions.noTimecode)
        }
        if goesToMIDI, start.rate.midiBits == nil {
            let other = Timecode.Rate.forMIDI(insteadOf: start.rate).rawValue
            let problem = localized(
                "MIDI timecode has no rate of \(start.rate.rawValue): use --ltc-start with @ \(other)")
            guard cables.mtc != true else { throw Failure.exit(.usage, problem) }
            Failure.say(localized("note: \(problem); the music goes on"))
        }
        performance.linearTimecode = try timecode(from: start)
    }

    /// Sets the timecode of a follower, if a channel of its card gets it. A piece of the leader that has no timecode is played
    /// without it, and a note says so. Errors: an option would have no effect.
    func apply(toFollower performance: inout Performance) throws {
        guard try channel(isLive: true) != nil else { return try refuseIfDescribed() }
        guard let start = ltcStart ?? performance.timecode else {
            guard ltcChannel != nil || isDescribed else { return }
            return Failure.say(localized("note: \(TimecodeOptions.noTimecode); the music goes on"))
        }
        performance.linearTimecode = try timecode(from: start)
    }

    /// Sets the timecode of a performance that is rendered, if a channel gets it or, with `toFile`, a file. Errors: as above.
    func apply(to performance: inout Performance, toFile: Bool) throws {
        guard ltcChannel != nil || toFile else { return try refuseIfDescribed() }
        guard let start = ltcStart ?? performance.timecode else {
            throw Failure.exit(.usage, TimecodeOptions.noTimecode)
        }
        performance.linearTimecode = try timecode(from: start)
    }

    private func refuseIfDescribed() throws {
        guard isDescribed else { return }
        throw Failure.exit(
            .usage, localized("the timecode goes nowhere: add --ltc-channel, --mtc or, to render a file, --ltc"))
    }

    private static var noTimecode: String {
        localized("the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'")
    }

    private func timecode(from start: Timecode) throws -> LinearTimecode {
        let settings = try LoadedSettings.get()
        var timecode = LinearTimecode(start: start, preroll: ltcPreroll ?? settings[Setting.ltcPreroll])
        timecode.level = ltcLevel ?? settings[Setting.ltcLevel]
        timecode.holds = (ltcPause ?? settings[Setting.ltcPause]) == .hold
        timecode.isScaled = (ltcSpeed ?? settings[Setting.ltcSpeed]) == .score
        return timecode
    }

    /// The format with the channel of the timecode. Errors: another part is on this channel, or the user wants fewer
    /// channels.
    func carried(by format: SoundFormat, channels: Int?, isLive: Bool = false) throws -> SoundFormat {
        guard let ltcChannel = try channel(isLive: isLive) else { return format }
        let own = ChannelSet([ltcChannel])
        let others = format.voiceChannels.reduce(format.clickChannels.union(format.droneChannels)) { $0.union($1) }
        guard others.isDisjoint(with: own) else {
            throw Failure.exit(.usage, localized("--ltc-channel \(ltcChannel): this channel carries other sound"))
        }
        if let channels, ltcChannel > channels {
            throw Failure.exit(.usage, localized("--ltc-channel \(ltcChannel): use --channels for more channels"))
        }
        var format = format
        format.timecodeChannels = own
        format.channels = max(format.channels, ltcChannel)
        try check(rate: format.rate)
        return format
    }

    /// Errors: the rate is too low for timecode.
    func check(rate: Int) throws {
        guard rate < 16_000 else { return }
        throw Failure.exit(.usage, localized("timecode needs a --rate of 16000 Hz or more"))
    }
}
