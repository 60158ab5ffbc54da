internal import Glibc
internal import Languages
internal import Playback
internal import Timing
package import UserSettings

/// The clock, the latency and the timing log of a live performance.
package struct ClockRequest: OptionRequest {
    package var options = OptionValues()
    /// Whether boundaries follow the wall clock; otherwise the frames of the card, at its nominal rate.
    package var followsClock = true
    /// The time of day at which the first bar is heard, in ms since midnight.
    package var at: Int?
    /// Whether the music is paused after the machine has slept.
    package var pausesOnSuspend = true
    /// The path of the timing log.
    package var timingLog: String?
    /// Whether a summary of the timing is printed at the end.
    package var summary = false

    package init() {}

    /// Refuses what the clock of the card cannot keep: a time of day, or others who go by the wall clock.
    func check(isServed: Bool) throws {
        guard !followsClock, at != nil || isServed else { return }
        throw Failure.exit(
            .usage,
            at != nil
                ? localized("--clock card: a start at a time of day needs the wall clock; leave one of the two out")
                : localized("--clock card: pages and followers go by the wall clock; leave --clock out"))
    }

    /// The options for the conductor. Only the first piece waits for the time of day.
    func options(
        card: CardMemory.Entry?, log: TimingLogFile?, isFirst: Bool, _ cues: CueRequest
    ) throws -> Conductor.Options {
        var options = Conductor.Options()
        options.silentSounds = cues.silentSounds
        options.followsClock = followsClock
        options.start = isFirst ? start() : nil
        let settings = try LoadedSettings.get(self.options)
        let latency = settings[Setting.latency] ?? card?.latencyMilliseconds ?? 0
        options.latency = .microseconds(Int(latency * 1000))
        options.tapDelay = .microseconds(Int(settings[Setting.tapDelay] * 1000))
        options.card = card
        options.pausesOnSuspend = pausesOnSuspend
        if let log { options.log = { log.write($0) } }
        return options
    }

    /// The time of day by CLOCK_REALTIME, in ns: the next moment at which the wall clock shows it.
    private func start() -> Int64? {
        guard let wanted = at else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var day = tm()
        var seconds = now.tv_sec
        localtime_r(&seconds, &day)
        /// The moment on that day; nil if the clock does not show it so, in summer time (1) or not (0).
        func moment(daysAhead: Int32, isSummer: Int32) -> Int64? {
            var date = day
            date.tm_mday += daysAhead
            date.tm_hour = Int32(wanted / 3_600_000)
            date.tm_min = Int32(wanted / 60_000 % 60)
            date.tm_sec = Int32(wanted / 1000 % 60)
            date.tm_isdst = isSummer
            let shown = (date.tm_hour, date.tm_min)
            let moment = Int64(mktime(&date)) * 1_000_000_000 + Int64(wanted % 1000) * 1_000_000
            return isSummer < 0 || (date.tm_hour, date.tm_min) == shown ? moment : nil
        }
        let present = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        for daysAhead in Int32(0)...1 {
            // When clocks are put back, they show a time twice. When they are put forward, they leave some out: -1 gives what they
            // show in place of it.
            let shown = [1, 0].compactMap { moment(daysAhead: daysAhead, isSummer: $0) }
            let moments = shown.isEmpty ? [-1].compactMap { moment(daysAhead: daysAhead, isSummer: $0) } : shown
            if let next = moments.filter({ $0 > present }).min() { return next }
        }
        return nil
    }
}
