internal import Cables
internal import Languages
internal import Playback
package import Scores
internal import Timing
package import UserSettings

/// The linear timecode beside the sound of a score.
package struct TimecodeRequest: OptionRequest {
    package var options = OptionValues()
    /// The timecode at the beginning of the score; nil for the score's own.
    package var start: Timecode?

    package init() {}

    /// Whether it is said how the timecode is.
    private var isDescribed: Bool {
        start != nil || self[Setting.ltcPause] != nil || self[Setting.ltcSpeed] != nil
            || self[Setting.ltcPreroll] != nil || self[Setting.ltcLevel] != nil
    }

    /// The channel of the card or file that the option gives.
    var channel: Int? { self[Setting.ltcChannel] ?? nil }

    /// The channel: by the option or, in a live performance, by the settings.
    private func channel(isLive: Bool) throws -> Int? {
        isLive ? try LoadedSettings.get(options)[Setting.ltcChannel] : channel
    }

    /// Whether a channel of the card carries the timecode of a performance.
    func isCarried(_ performance: Performance) throws -> Bool {
        try performance.linearTimecode != nil && channel(isLive: true) != nil
    }

    /// Sets the timecode of a live performance, if a channel gets it or a port of MIDI. Errors: an option asks for timecode, and
    /// neither the score nor an option says where it starts, or MIDI does not have its rate, with the name of the score, which
    /// may be one of many; an option would have no effect.
    func apply(to performance: inout Performance, _ cables: CableRequest, named name: String) throws {
        let goesToMIDI = try cables.midiOut?.what.timecode ?? false
        guard try channel(isLive: true) != nil || goesToMIDI else { return try refuseIfDescribed() }
        guard let start = self.start ?? performance.timecode else {
            // The settings mean only scores that have timecode.
            guard self.channel != nil || cables[Setting.mtc] == true || isDescribed else { return }
            throw Failure.exit(.usage, "\(name): \(TimecodeRequest.noTimecode)")
        }
        if goesToMIDI, let problem = TimecodeRequest.midiProblem(start) {
            guard cables[Setting.mtc] != true else { throw Failure.exit(.usage, "\(name): \(problem)") }
            Failure.say(localized("note: \(problem); the music goes on"))
        }
        performance.linearTimecode = try timecode(from: start)
    }

    /// Sets the timecode of a follower, if a channel of its card gets it or a port of MIDI. A piece of the leader that has no timecode is played
    /// without it, and a note says so. Errors: an option would have no effect.
    func apply(toFollower performance: inout Performance, _ cables: CableRequest) throws {
        let goesToMIDI = try cables.midiOut?.what.timecode ?? false
        guard try channel(isLive: true) != nil || goesToMIDI else { return try refuseIfDescribed() }
        guard let start = self.start ?? performance.timecode else {
            guard self.channel != nil || isDescribed else { return }
            return Failure.say(localized("note: \(TimecodeRequest.noTimecode); the music goes on"))
        }
        if goesToMIDI, let problem = TimecodeRequest.midiProblem(start) {
            Failure.say(localized("note: \(problem); the music goes on"))
        }
        performance.linearTimecode = try timecode(from: start)
    }

    /// What to say of a timecode whose rate MIDI does not have; nil for others.
    private static func midiProblem(_ start: Timecode) -> String? {
        guard start.rate.midiBits == nil else { return nil }
        let other = Timecode.Rate.forMIDI(insteadOf: start.rate).rawValue
        return localized("MIDI timecode has no rate of \(start.rate.rawValue): use --ltc-start with @ \(other)")
    }

    /// Sets the timecode of a performance that is rendered, if a channel gets it or, with `toFile`, a file. Errors: as above.
    func apply(to performance: inout Performance, toFile: Bool) throws {
        guard self.channel != nil || toFile else { return try refuseIfDescribed() }
        guard let start = self.start ?? performance.timecode else {
            throw Failure.exit(.usage, TimecodeRequest.noTimecode)
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
        let settings = try LoadedSettings.get(options)
        var timecode = LinearTimecode(start: start, preroll: settings[Setting.ltcPreroll])
        timecode.level = settings[Setting.ltcLevel]
        timecode.holds = settings[Setting.ltcPause] == .hold
        timecode.isScaled = settings[Setting.ltcSpeed] == .score
        return timecode
    }

    /// The format with the channel of the timecode. Errors: another part is on this channel, or no other is left for the
    /// music; the user wants fewer channels.
    func carried(by format: SoundFormat, channels: Int?, isLive: Bool = false) throws -> SoundFormat {
        guard let ltcChannel = try channel(isLive: isLive) else { return format }
        let own = ChannelSet([ltcChannel])
        let others = format.voiceChannels.reduce(format.clickChannels.union(format.droneChannels)) { $0.union($1) }
        let count = max(format.channels, ltcChannel)
        guard others.isDisjoint(with: own), count > 1 else {
            throw Failure.exit(.usage, localized("--ltc-channel \(ltcChannel): this channel carries other sound"))
        }
        if let channels, ltcChannel > channels {
            throw Failure.exit(.usage, localized("--ltc-channel \(ltcChannel): use --channels for more channels"))
        }
        var format = format
        format.timecodeChannels = own
        format.channels = count
        try check(rate: format.rate)
        return format
    }

    /// Errors: the rate is too low for timecode.
    func check(rate: Int) throws {
        guard rate < 16_000 else { return }
        throw Failure.exit(.usage, localized("timecode needs a --rate of 16000 Hz or more"))
    }

    /// Whether the timecode of a performance would be silence, because at this rate and its speed no machine could read it.
    private func isTooFast(_ performance: Performance, rate: Int) -> Bool {
        guard let timecode = performance.linearTimecode else { return false }
        let speeds = performance.passage.stretches.map { $0.speed.percent * performance.speed.percent / 10_000 }
        let fastest = timecode.isScaled ? speeds.max() ?? 1 : 1
        return Double(rate) < RunningTimecode.leastFrames * timecode.start.rate.perSecond.value * fastest
    }

    /// Says so if a sound card does not get the timecode of a performance at the speed at which it begins.
    func note(_ performance: Performance, rate: Int) throws {
        guard try isCarried(performance), isTooFast(performance, rate: rate) else { return }
        Failure.say(
            localized(
                "note: the timecode is left out where it would be too fast for any machine that reads it; --ltc-speed clock keeps it"
            ))
    }

    /// Errors: the timecode of a performance would be silence at its rate and speed.
    func check(_ performance: Performance, rate: Int) throws {
        guard performance.linearTimecode != nil else { return }
        try check(rate: rate)
        guard isTooFast(performance, rate: rate) else { return }
        throw Failure.exit(
            .usage,
            localized(
                "the timecode would be too fast for any machine that reads it: use a higher --rate, or --ltc-speed clock"
            ))
    }
}
