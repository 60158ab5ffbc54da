import Playback
import Scores
import Synchronization
import Testing
import Timing

@Suite("Boundary log")
struct BoundaryLogTests {
    /// Bars of a second whose clicks are at these frames.
    private static func clicks(_ frames: [Int64], _ change: (Int, inout ScheduledClick) -> Void = { _, _ in })
        -> [ScheduledClick]
    {
        frames.enumerated().map { n, frame in
            var click = ScheduledClick(
                origin: .bar(boundary: n, index: n, inner: 0), time: .seconds(n), position: FramePosition(frame: frame))
            change(n, &click)
            return click
        }
    }

    /// The flags of the rows and the number of lost clicks after `happen` has changed the log.
    private func flags(
        _ clicks: [ScheduledClick], silent: Set<ClickSound> = [], before: (inout BoundaryLog) -> Void = { _ in },
        _ happen: (inout BoundaryLog) -> Void
    ) -> (flags: [TimingRow.Flags], lost: UInt64) {
        let rows = Mutex<[TimingRow]>([])
        var log = BoundaryLog({ row in rows.withLock { $0.append(row) } }, silent: silent)
        before(&log)
        log.take(clicks, Timeline(Score.ofMilliseconds([clicks.map { _ in 1000 }])))
        happen(&log)
        log.write(before: .max, CardClock(rate: 48_000, known: nil, noise: 10e-6))
        return (rows.withLock { $0.map(\.flags) }, log.lost)
    }

    @Test("a click whose sound the user has made silent is muted, and not lost, also in a gap")
    func silentSound() {
        let clicks = Self.clicks([100, 200, 300]) { n, click in click.sound = n == 2 ? .line : .bar }
        let told = flags(clicks, silent: [.bar]) { $0.add(Gap(frames: 50..<400, cause: .underrun)) }
        #expect(told.flags == [.muted, .muted, [.lost, .xrun]] && told.lost == 1)
    }

    @Test("a click in a gap is lost, and its row says why")
    func gap() {
        let clicks = Self.clicks([100, 200, 300])
        let dry = flags(clicks) { $0.add(Gap(frames: 150..<250, cause: .underrun)) }
        #expect(dry.flags == [[], [.lost, .xrun], []])
        #expect(dry.lost == 1)
        #expect(
            flags(clicks) { $0.add(Gap(frames: 150..<Int64.max, cause: .away)) }.flags == [
                [], [.lost, .away], [.lost, .away],
            ])
    }

    @Test("a click between the last frame before a gap and its first one is lost, one on the last frame is not")
    func edge() {
        let clicks = Self.clicks([99, 149, 149, 249, 250]) { n, click in
            if n == 2 || n == 3 { click.position = FramePosition(frame: click.position.frame, fraction: 0.02) }
        }
        let told = flags(clicks) { $0.add(Gap(frames: 150..<250, cause: .away)) }
        #expect(told.flags == [[], [], [.lost, .away], [], []])
    }

    @Test("a gap that is reported again with its end replaces the one without")
    func gapEnds() {
        let (flags, _) = flags(Self.clicks([100, 200, 300])) { log in
            log.add(Gap(frames: 150..<Int64.max, cause: .away))
            log.add(Gap(frames: 150..<250, cause: .away))
        }
        #expect(flags == [[], [.lost, .away], []])
    }

    @Test("an event is flagged at the first boundary from its frame on, and at no other")
    func news() {
        let (flags, _) = flags(Self.clicks([100, 200, 300]), before: { $0.flag(.jump, from: 150) }) { _ in }
        #expect(flags == [[], .jump, []])
    }

    @Test("a silent click is flagged as muted, and never counts as lost")
    func muted() {
        let clicks = Self.clicks([100, 200, 300]) { n, click in click.isSilent = n > 0 }
        let (flags, lost) = flags(clicks) { $0.add(Gap(frames: 150..<250, cause: .underrun)) }
        #expect(flags == [[], .muted, .muted])
        #expect(lost == 0)
    }

    @Test("after two faults, each position is told by the clock of its time, until it is forgotten")
    func faults() {
        var clock = CardClock(rate: 48_000, known: nil, noise: 10e-6)
        // Each epoch lasts 10 s, and begins 0.2 s later than the frames before it.
        func looks(_ epoch: UInt32) -> [EpochObservation] {
            (1..<200).map { look in
                let seconds = Double(epoch) * 10 + Double(look) * 0.05
                let time = Int64((seconds + Double(epoch) * 0.2) * 1e9)
                return EpochObservation(
                    clock: ClockObservation(time: time, frame: Int64(seconds * 48_000)), epoch: epoch)
            }
        }
        for epoch in 0..<UInt32(3) { _ = clock.learn(looks(epoch), epoch: epoch) }
        func late(_ second: Int64) -> Double {
            clock.time(of: FramePosition(frame: second * 48_000)).nanoseconds * 1e-9 - Double(second)
        }
        for (second, shift) in [(5, 0), (15, 0.2), (25, 0.4)] as [(Int64, Double)] {
            #expect(abs(late(second) - shift) < 1e-3)
        }
        clock.forget(before: 12 * 48_000)
        #expect(abs(late(15) - 0.2) < 1e-3 && abs(late(25) - 0.4) < 1e-3)
    }

    @Test("a row tells when its boundary was heard as observed, not as expected when it was placed")
    func observed() throws {
        let rows = Mutex<[TimingRow]>([])
        var log = BoundaryLog { row in rows.withLock { $0.append(row) } }
        var clock = CardClock(rate: 48_000, known: nil, noise: 10e-6)
        clock.origin = 0
        // From the 60th second on the card is 100 ppm faster, and so the click of the 61st is heard 100 µs early.
        let looks = (1...1240).map { look in
            let time = Double(look) * 0.05
            let frame = Int64((48_000 * (time + 100e-6 * max(time - 60, 0))).rounded())
            return EpochObservation(clock: ClockObservation(time: Int64(time * 1e9), frame: frame), epoch: 1)
        }
        _ = clock.learn(Array(looks.prefix(1200)), epoch: 1)
        var click = Self.clicks([61 * 48_000])[0]
        click.time = .seconds(61)
        log.take([click], Timeline(Score.ofMilliseconds([[1000]])))
        _ = clock.learn(Array(looks.dropFirst(1200)), epoch: 1)
        log.write(before: .max, clock)
        let error = try #require(rows.withLock { $0.first?.errorMicroseconds })
        #expect(abs(error + 100) < 25)
    }

    @Test("a boundary between the first frame after a fault and the first observation was heard by the clock of after")
    func afterFault() throws {
        var clock = CardClock(rate: 48_000, known: nil, noise: 10e-6)
        func looks(_ times: ClosedRange<Int>, late: Double, epoch: UInt32) -> [EpochObservation] {
            times.map { look in
                let time = Double(look) * 0.05
                let frame = Int64((48_000 * (time - late)).rounded())
                return EpochObservation(clock: ClockObservation(time: Int64(time * 1e9), frame: frame), epoch: epoch)
            }
        }
        func late(_ frame: Int64) -> (ms: Double, unsure: Double) {
            let time = clock.time(of: FramePosition(frame: frame))
            return (time.nanoseconds * 1e-6 - Double(frame) / 48, time.uncertainty * 1e3)
        }
        _ = clock.learn(looks(1...1200, late: 0, epoch: 1), epoch: 1)
        // The card runs dry after 60.5 s, goes on with the frame that is due after 61 s, and is observed a second later.
        clock.resume(at: 61_000 * 48)
        _ = clock.learn(looks(1240...1300, late: 3e-3, epoch: 2), epoch: 2)
        #expect(abs(late(60_400 * 48).ms) < 0.1 && late(60_400 * 48).unsure < 0.2)
        #expect(abs(late(61_100 * 48).ms - 3) < 0.1 && late(61_100 * 48).unsure < 0.2)
        // It runs dry once more, and a second time before it is observed. Of the time between, nobody knows more than
        // that it was neither as early as before nor as late as after.
        clock.resume(at: 65_500 * 48)
        _ = clock.learn([], epoch: 3)
        clock.resume(at: 66_000 * 48)
        _ = clock.learn(looks(1325...1390, late: 43e-3, epoch: 4), epoch: 4)
        #expect(abs(late(65_400 * 48).ms - 3) < 0.1 && late(65_400 * 48).unsure < 0.2)
        #expect((3...43).contains(late(65_700 * 48).ms) && (35...45).contains(late(65_700 * 48).unsure))
        #expect(abs(late(66_100 * 48).ms - 43) < 0.1 && late(66_100 * 48).unsure < 0.2)
    }

    @Test("a boundary between the last observation and a fault was heard by the clock of before")
    func beforeFault() throws {
        let rows = Mutex<[TimingRow]>([])
        var log = BoundaryLog { row in rows.withLock { $0.append(row) } }
        var clock = CardClock(rate: 48_000, known: nil, noise: 10e-6)
        clock.origin = 0
        // The card runs dry after 60.5 s, is observed again from the 61st second on, and is then 3 ms late.
        func looks(_ times: ClosedRange<Int>, late: Double, epoch: UInt32) -> [EpochObservation] {
            times.map { look in
                let time = Double(look) * 0.05
                let frame = Int64((48_000 * (time - late)).rounded())
                return EpochObservation(clock: ClockObservation(time: Int64(time * 1e9), frame: frame), epoch: epoch)
            }
        }
        _ = clock.learn(looks(1...1200, late: 0, epoch: 1), epoch: 1)
        var clicks = Self.clicks([60_400 * 48, 62_000 * 48])
        (clicks[0].time, clicks[1].time) = (.milliseconds(60_400), .milliseconds(62_000))
        log.take(clicks, Timeline(Score.ofMilliseconds([[1000, 1000]])))
        _ = clock.learn(looks(1220...1280, late: 3e-3, epoch: 2), epoch: 2)
        log.write(before: .max, clock)
        let errors = rows.withLock { $0.compactMap(\.errorMicroseconds) }
        try #require(errors.count == 2)
        #expect(abs(errors[0]) < 20 && abs(errors[1] - 3000) < 20)
    }

    @Test("rows after a slip of the pointer are flagged until the doubt is settled")
    func slipped() {
        let (flags, lost) = flags(Self.clicks([100, 200, 300, 400, 500])) { log in
            log.doubt(.slip, from: 150)
            log.settleDoubts(at: 350)
        }
        #expect(flags == [[], .slip, .slip, [], []])
        #expect(lost == 0)
    }

    @Test("a lost click of the count-in is counted, but has no row")
    func counts() {
        var count = ScheduledClick(origin: .count(left: 2), time: .zero, position: FramePosition(frame: 50))
        count.isLost = true
        let (flags, lost) = flags([count] + Self.clicks([100])) { _ in }
        #expect(flags == [[]])
        #expect(lost == 1)
    }

    @Test("the log has each bar, also if the conductor has slept until just before what it had handed out")
    func sleepsLong() async throws {
        let score = Score.ofMilliseconds([Array(repeating: 2, count: 8000)])
        var handed: Int64?
        // At first it is not known how far that is.
        for before in [Int64.max] + Array(stride(from: 300, through: 0, by: -12)) {
            let log = RecordedLog()
            let conductor = log.conductor(score.performance { _ in })
            _ = await conductor.step()
            guard let last = handed else {
                handed = log.output.clicks.max()
                continue
            }
            for frame in [last - before, last + 48_000] {
                log.output.heard.withLock { $0 = frame }
                _ = await conductor.step()
            }
            let indices = log.rows.map(\.index)
            #expect(indices.count > 1500 && indices == Array(1...indices.count), "\(before) frames before it")
        }
    }

    @Test(
        "the log has each bar that went by while the machine slept, however late the output decides about what comes then",
        arguments: [0, 100, 4_000, 40_000, 400_000] as [Int64], [19.2, 29, 40])
    func undecided(later: Int64, awake: Double) async throws {
        let score = Score.ofMilliseconds([Array(repeating: 500, count: 60)])
        let log = RecordedLog()
        let conductor = log.conductor(score.performance { _ in })
        func step(at seconds: Double, and frames: Int64 = 0) async {
            log.output.heard.withLock { $0 = Int64(seconds * 48_000) + frames }
            _ = await conductor.step()
        }
        for second in stride(from: 0.0, through: 12, by: 1) { await step(at: second) }
        log.output.decides.withLock { $0 = false }
        await step(at: awake)
        await step(at: awake, and: later)
        log.output.decides.withLock { $0 = true }
        for second in stride(from: awake + 10, through: 50, by: 1) { await step(at: second) }
        #expect(await conductor.hasPlayedAll)
        #expect(log.rows.map(\.index) == Array(1...60))
        // This output tells of no gap, so only bars that were never handed out to it count as lost.
        let lost = log.rows.filter { $0.heard == nil }.map(\.nominal.seconds)
        #expect(lost.first ?? 0 > 15 && lost.allSatisfy { $0 < awake + Double(later) / 48_000 })
    }

    @Test("an output that decides late about the very first clicks loses none of their rows")
    func lateFromTheBeginning() async throws {
        let log = RecordedLog()
        log.output.decides.withLock { $0 = false }
        let conductor = log.conductor(Score.ofMilliseconds([[500, 500, 500, 500]]).performance())
        try await conductor.begin()
        for second in 0..<4 {
            log.output.heard.withLock { $0 = Int64(second) * 48_000 }
            _ = await conductor.step()
            log.output.decides.withLock { $0 = true }
        }
        #expect(await conductor.hasPlayedAll)
        #expect(log.rows.map(\.index) == [1, 2, 3, 4])
    }
}
