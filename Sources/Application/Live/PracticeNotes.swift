package import Charts
internal import Files
internal import Formats
internal import Languages
internal import Playback
internal import Scores
internal import Synchronization
internal import Timing
package import UserSettings

/// Notes about a session: where the score was left, which bars were practiced, and for how long.
final class PracticeNotes: Sendable {
    private struct Tally {
        /// The range from the first to the last bar that was heard.
        var bars: ClosedRange<Int>?
        var played = Duration.zero
        /// Since when the music has been playing, CLOCK_MONOTONIC in ns; nil while it stands still.
        var since: Int64?
        /// The speed of the whole performance when the music went on last; that of a pause has not sounded.
        var speed: Speed?
        /// The program and the silent bars that were played last, as they are typed.
        var (program, silence) = ("", "")
        /// The taps and the boundaries around them, in the order in which they came.
        var tapped: [TimingRow] = []
        var hasTapped = false

        /// More rows than this are not kept, and so many before the first tap.
        static let (mostRows, rowsBefore) = (100_000, 16)

        mutating func keep(_ row: TimingRow) {
            hasTapped = hasTapped || row.isTap
            guard tapped.count < Tally.mostRows else { return }
            if !hasTapped, tapped.count >= Tally.rowsBefore { tapped.removeFirst() }
            tapped.append(row)
        }
    }

    /// Guards what the conductor tells until it is kept.
    private let tally = Mutex(Tally())
    private let began = LocalTime.now
    private let memory: ScoreMemoryFile?
    private let name: String

    /// Creates notes about the score that the user means by `score`. Each workout of a plan of weeks has its own.
    init(score: String, workout: WorkoutChoice) {
        let source = try? ScoreSource.find(score, environment: Environment.values)
        memory = source.flatMap(\.identity)
            .map { if case .path(let path) = $0, workout.isGiven { .path("\(path) \(workout.key)") } else { $0 } }
            .flatMap { ScoreMemoryFile(environment: Environment.values, $0) }
        name = source?.displayName ?? score
    }

    /// Continues where the score was left; returns the loop that was on. Places that it no longer has are ignored.
    func resume(_ performance: inout Performance, keepsPlace: Bool, keepsSpeed: Bool) -> Range<Int>? {
        guard let memory else { return nil }
        let left = memory.read { Failure.say(localized("note: \($0)")) }
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

    /// Starts to take notes of the bars heard and the time played.
    func listen(to options: inout Conductor.Options) {
        let log = options.log
        options.log = { row in
            log?(row)
            self.tally.withLock { tally in
                tally.keep(row)
                guard row.heard != nil, !row.isTap else { return }
                let bar = row.index - 1
                tally.bars = tally.bars.map { min($0.lowerBound, bar)...max($0.upperBound, bar) } ?? bar...bar
            }
        }
        options.watch = { status in
            let now = monotonicNanoseconds()
            self.tally.withLock { tally in
                if let since = tally.since { tally.played += .nanoseconds(max(now - since, 0)) }
                // Waiting for the start does not count as practice.
                let begins = status.begins.map { status.zeroHeard + Int64($0 / .nanoseconds(1)) }
                let goesOn = status.ending == nil && status.pause == nil
                tally.since = goesOn ? max(now, begins ?? now) : nil
                guard goesOn else { return }
                tally.speed = status.speed
                let program = status.performance.passage.stretch(of: status.boundary(at: now)).program
                if !program.isEmpty { tally.program = program }
                if let silence = status.performance.silence { tally.silence = "silent \(silence.text)" }
            }
        }
    }

    /// Stores the notes. A session shorter than a hundredth of a minute is ignored.
    func keep(_ status: Status, _ heard: (held: HeldBars, pitch: TakePitch)? = nil) throws {
        let (played, bars, speed, tapped, programs) = tally.withLock {
            (
                $0.played, $0.bars, $0.speed ?? status.speed, $0.hasTapped ? $0.tapped : [],
                [$0.program, $0.silence].filter { !$0.isEmpty }
            )
        }
        let minutes = played / .seconds(60)
        guard minutes >= 0.01, let bars else { return }
        let timeline = status.home.timeline
        func place(_ bar: Int) -> String { "\(timeline[bar].line).\(timeline[bar].bar)" }
        var left = ScoreMemory(speed: status.speed, played: LocalTime.now)
        left.place = status.placeLeft.map { place($0.index) }
        if let loop = status.loop {
            (left.loopFrom, left.loopTo) = (place(loop.lowerBound), place(loop.upperBound - 1))
        }
        let isLogged = try LoadedSettings.get()[Setting.practiceLog]
        do throws(FileError) { try memory?.write(left) } catch {
            Failure.say(localized("note: the position in '\(name)' could not be saved: \(error)"))
        }
        do throws(FileError) {
            guard isLogged, let log = PracticeLog(environment: Environment.values) else { return }
            let title = status.performance.title
            let last = status.performance.passage.stretch(of: status.boundary(at: monotonicNanoseconds()))
            let held = tapped.isEmpty ? heard?.held : TappedTable(TappedBars(tapped)).held
            var entry = PracticeLog.Entry(
                date: began, piece: title.isEmpty ? name : title,
                bars: "\(place(bars.lowerBound))-\(place(bars.upperBound))", speed: last.speed.on(speed),
                target: status.targetSpeed, minutes: minutes, held: held.flatMap(HeldSummary.init))
            entry.program = programs.joined(separator: "; ")
            entry.marks = status.marks.map { "\($0.bar.line).\($0.bar.bar) \($0.text)" }.joined(separator: "; ")
            entry.lengths = held?.figures ?? []
            if let heard {
                (entry.cents, entry.notes) = (heard.pitch.figures(heard.held), heard.pitch.tendencies)
            }
            try log.append(entry)
        } catch {
            Failure.say(localized("note: the session could not be added to the practice log: \(error)"))
        }
    }
}

extension ScoreSource {
    /// The identity by which it is remembered; nil for standard input, which has none, and for a file that does not exist.
    fileprivate var identity: ScoreIdentity? {
        switch self {
        case .file(let path), .user(_, let path): ScoreIdentity(path: path)
        case .bundled(let score): .bundled(score.name)
        case .standardInput: nil
        }
    }
}

extension HeldSummary {
    /// The summary of a session's taps; nil if no bar was measured.
    package init?(_ held: HeldBars) {
        let shares = held.bars.compactMap(\.share)
        guard let tempo = held.tempo, !shares.isEmpty else { return nil }
        let columns = held.columns
        let byBar = Dictionary(columns.map { ($0.bar, $0.share * 100) }) { first, _ in first }
        self.init(
            bars: shares.count, held: 100 / tempo, off: HeldBars.median(shares.map(abs)) * 100,
            columns: columns.last.map { last in (1...min(last.bar, HeldSummary.mostColumns)).map { byBar[$0] } } ?? [])
    }
}

extension HeldBars {
    /// How much longer than written each bar was held, in per cent, the tempo of the whole apart.
    package var figures: [BarFigure] {
        guard let tempo else { return [] }
        return BarFigure.medians(
            bars.compactMap { bar in
                bar.share.map { BarFigure(line: bar.line, bar: bar.bar, value: ((1 + $0) * tempo - 1) * 100) }
            })
    }
}
