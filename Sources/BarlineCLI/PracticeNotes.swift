internal import Files
internal import Formats
internal import Playback
internal import Scores
internal import UserSettings
internal import Synchronization
internal import Timing

/// What the program writes down of a session: where the score was left, and what was practiced for how long.
final class PracticeNotes: Sendable {
    private struct Tally {
        /// The bars of the piece that were heard, from the first to the last of them.
        var bars: ClosedRange<Int>?
        var played = Duration.zero
        /// Since when the music has been going, CLOCK_MONOTONIC in ns; nil while it stands still.
        var since: Int64?
    }

    private let tally = Mutex(Tally())
    private let began = LocalTime.now
    private let memory: ScoreMemoryFile?
    private let name: String

    /// Notes about what a user means by `score`.
    init(score: String) {
        let source = try? ScoreSource.find(score, environment: Environment.values)
        memory = source.flatMap { ScoreIdentity($0) }
            .flatMap { ScoreMemoryFile(environment: Environment.values, $0) }
        name = source?.displayName ?? score
    }

    /// Has a performance go on where its score was left; gives the loop that it was in. What is not in the score any more is
    /// passed over.
    func resume(_ performance: inout Performance, keepsPlace: Bool, keepsSpeed: Bool) -> Range<Int>? {
        guard let memory else { return nil }
        let left = memory.read { Failure.say("note: \($0)") }
        if !keepsSpeed, let speed = left.speed { performance.speed = speed }
        guard !keepsPlace else { return nil }
        let passage = performance.passage
        func bars(_ text: String?) -> Range<Int>? { text.flatMap { try? Place($0, in: passage.timeline).bars } }
        if let place = bars(left.place), let boundary = passage.boundary(ofBar: place.lowerBound, near: 0) {
            performance.first = boundary
        }
        guard let from = bars(left.loopFrom)?.lowerBound, let to = bars(left.loopTo)?.upperBound, from < to else {
            return nil
        }
        return from..<to
    }

    /// Takes notes of what is heard.
    func listen(to options: inout Conductor.Options) {
        let log = options.log
        options.log = { row in
            log?(row)
            guard row.heard != nil else { return }
            self.tally.withLock { tally in
                let bar = row.index - 1
                tally.bars = tally.bars.map { min($0.lowerBound, bar)...max($0.upperBound, bar) } ?? bar...bar
            }
        }
        options.watch = { status in
            let now = monotonicNanoseconds()
            self.tally.withLock { tally in
                if let since = tally.since { tally.played += .nanoseconds(max(now - since, 0)) }
                // Waiting for the start is no practice.
                let begins = status.begins.map { status.zeroHeard + Int64($0 / .nanoseconds(1)) }
                tally.since = status.hasEnded || status.pausedPosition != nil ? nil : max(now, begins ?? now)
            }
        }
    }

    /// Writes down how it was left; a session of less than a hundredth of a minute is none.
    func keep(_ status: Status) throws {
        let (played, bars) = tally.withLock { ($0.played, $0.bars) }
        let minutes = played / .seconds(60)
        guard minutes >= 0.01, let bars else { return }
        let timeline = status.home.timeline
        func place(_ bar: Int) -> String { "\(timeline[bar].line).\(timeline[bar].bar)" }
        var left = ScoreMemory(speed: status.speed, played: LocalTime.now)
        if case .bar(let heard) = status.last { left.place = place(heard.bar.index) }
        if let loop = status.loop {
            (left.loopFrom, left.loopTo) = (place(loop.lowerBound), place(loop.upperBound - 1))
        }
        let isLogged = try LoadedSettings.get()[Setting.practiceLog]
        do throws(FileError) { try memory?.write(left) } catch {
            Failure.say("note: where '\(name)' was left is not written down: \(error)")
        }
        do throws(FileError) {
            guard isLogged, let log = PracticeLog(environment: Environment.values) else { return }
            let title = status.performance.title
            try log.append(
                PracticeLog.Entry(
                    date: began, piece: title.isEmpty ? name : title,
                    bars: "\(place(bars.lowerBound))-\(place(bars.upperBound))", speed: status.speed, minutes: minutes))
        } catch {
            Failure.say("note: the session is not written down: \(error)")
        }
    }
}
