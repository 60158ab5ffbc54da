package import Charts
internal import Files
internal import Formats
internal import Languages
internal import Playback
internal import Scores
internal import Timing
package import UserSettings

/// Notes about a session: where the score was left, which bars were practiced, and for how long.
struct PracticeNotes {
    private let began = LocalTime.now
    private let memory: ScoreMemoryFile?
    private let name: String

    /// Creates notes about a score; nothing but the log remembers one without a source. Each workout of a plan of weeks has
    /// its own.
    init(of source: ScoreSource?, named name: String, workout: WorkoutChoice) {
        memory = source.flatMap(\.identity)
            .map { identity in
                // Only the plan tells which workout a day or a date means.
                guard case .path(let path) = identity, workout.isGiven,
                    let slot = try? source.map({ try LoadedScore.find($0, LoadedScore.Choice(workout: workout)) })?.slot
                else { return identity }
                return .path("\(path) week \(slot.week) \(slot.day.short)")
            }
            .flatMap { ScoreMemoryFile(environment: Environment.values, $0) }
        self.name = source?.displayName ?? name
    }

    /// Continues where the score was left; returns the loop that was on. A place or a loop that is not played is told.
    func resume(
        _ performance: inout Performance, practicing practiced: Passage?, keepsPlace: Bool, keepsSpeed: Bool,
        keepsLoop: Bool
    ) -> Range<Int>? {
        guard let memory else { return nil }
        let left = memory.read { Failure.say(localized("note: \($0)")) }
        if !keepsSpeed, let speed = left.speed { performance.speed = speed }
        guard !keepsPlace else { return nil }
        let passage = performance.passage
        func bars(_ text: String?) -> Range<Int>? { text.flatMap { try? Place($0, in: passage.timeline).bars } }
        if let bar = bars(left.place)?.lowerBound, (practiced ?? passage).boundary(ofBar: bar, near: 0) != nil,
            let boundary = passage.boundary(ofBar: bar, near: 0)
        {
            performance.first = boundary
        } else if let place = left.place {
            Failure.say(
                localized("note: '\(name)' was left at \(place), which is not played: it begins at the first bar"))
        }
        guard !keepsLoop, let first = left.loopFrom, let last = left.loopTo else { return nil }
        guard let from = bars(first)?.lowerBound, let to = bars(last)?.upperBound, from < to else {
            Failure.say(localized("note: '\(name)' was left in a loop from \(first) to \(last), which is not played"))
            return nil
        }
        return from..<to
    }

    /// Stores the notes. A session shorter than a hundredth of a minute is ignored.
    func keep(
        _ tally: PracticeTally, _ status: Status, _ heard: (held: HeldBars, pitch: TakePitch)? = nil
    ) throws {
        let (minutes, tapped) = (tally.played / .seconds(60), tally.tapped)
        guard minutes >= 0.01, let bars = tally.bars else {
            if !status.marks.isEmpty {
                Failure.say(localized("note: what you noted is not kept: hardly anything was played"))
            }
            return
        }
        let timeline = status.home.timeline
        func place(_ bar: Int) -> String { "\(timeline[bar].line).\(timeline[bar].bar)" }
        var left = ScoreMemory(speed: status.speed, played: LocalTime.now)
        left.place = status.placeLeft.map { place($0.index) }
        if let loop = status.loop {
            (left.loopFrom, left.loopTo) = (place(loop.lowerBound), place(loop.upperBound - 1))
        }
        let isLogged = try LoadedSettings.get()[Setting.practiceLog]
        do throws(FileError) { try memory?.write(left) { Failure.say(localized("note: \($0)")) } } catch {
            Failure.say(localized("note: the position in '\(name)' could not be saved: \(error)"))
        }
        do throws(FileError) {
            guard isLogged else {
                if !status.marks.isEmpty {
                    Failure.say(localized("note: what you noted is not kept: there is no practice log"))
                }
                return
            }
            guard let log = PracticeLog(environment: Environment.values) else {
                let reason = localized("there is no home folder for the log: set HOME or XDG_STATE_HOME")
                return Failure.say(localized("note: the session could not be added to the practice log: \(reason)"))
            }
            let title = status.performance.title
            let held = tapped.isEmpty ? heard?.held : TappedTable(TappedBars(tapped)).held
            var entry = PracticeLog.Entry(
                date: began, piece: title.isEmpty ? name : title,
                bars: "\(place(bars.lowerBound))-\(place(bars.upperBound))",
                speed: tally.speed ?? status.speed, target: tally.target, minutes: minutes,
                held: held.flatMap(HeldSummary.init))
            entry.program = tally.programs.joined(separator: "; ")
            entry.marks = status.marks.map { "\($0.bar.line).\($0.bar.bar) \($0.word.text.cutToTextLimit)" }
                .joined(separator: "; ")
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
            bars: shares.count, held: 100 / tempo, off: shares.map(abs).median * 100,
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
