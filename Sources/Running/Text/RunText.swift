internal import Languages
public import Scores

extension Run {
    /// Reads a run: two of distance, time and pace, in any order, with `@`, `at`, `in`, `,` or a blank between them.
    ///
    /// For example `26.2mi @ 10:00/mi`, `5k in 25:00`, `1:00:00 6mph`. The third is the result. Errors: each with its
    /// place.
    public init(runText text: String) throws(Problem) { self = try Run.read(text).run }

    /// Reads a run, as `init(runText:)` does, and says how it was understood if that is not obvious.
    package static func read(_ text: String) throws(Problem) -> (run: Run, note: Problem?) {
        var scanner = TextCursor(runText: text)
        let first = try scanner.quantity()
        let isAt = scanner.skipJoint()
        let written = try scanner.quantity()
        let (second, note) = isAt ? try scanner.meant(by: written, at: first) : (written, nil)
        scanner.skipBlanks()
        guard scanner.next == nil else {
            throw Problem(
                scanner.token(), localized("give only two of distance, time and pace: the third follows from them"))
        }
        let meant = scanner.meantInstead(first, second).map { localized("did you mean \($0)?") }
        let run: Run
        do throws(Problem) { run = try Run(first, second) } catch {
            throw error.error.hint == nil ? Problem(error.range, error.error.message, hint: meant) : error
        }
        guard note == nil, run.isFasterThanAnyone else { return (run, note) }
        let range = min(first.range.lowerBound, second.range.lowerBound)..<scanner.position
        return (run, Problem(range, localized("nobody has run this distance so fast"), hint: meant))
    }

    /// Makes a run from two quantities. Errors: both are of the same kind, or the result is out of range.
    init(_ a: TextCursor.Found, _ b: TextCursor.Found) throws(Problem) {
        do throws(RunError) {
            switch (a.value, b.value) {
            case (.distance(let distance), .time(let time)), (.time(let time), .distance(let distance)):
                self = try Run(distance, in: time)
            case (.distance(let distance), .pace(let pace)), (.pace(let pace), .distance(let distance)):
                self = try Run(distance, at: pace)
            case (.time(let time), .pace(let pace)), (.pace(let pace), .time(let time)):
                self = try Run(time, at: pace)
            case (.distance, .distance), (.time, .time), (.pace, .pace):
                throw RunError.isResult(.distance)
            }
        } catch .isResult {
            throw Problem(
                b.range, b.value.quantity.says.isSecond,
                hint: localized("give two different quantities of distance, time and pace"))
        } catch {
            throw Problem(a.range.lowerBound..<b.range.upperBound, error.description)
        }
    }
}

extension TextCursor {
    /// Begins after the blanks at the start of a text.
    package init(runText text: String) {
        self.init(commented: Array(text.utf8))
        skipBlanks()
    }

    /// Skips the separator between the two quantities of a run. Returns whether it is `@` or `at`.
    @discardableResult
    package mutating func skipJoint() -> Bool {
        skipBlanks()
        let isAt = accept("@") || accept(word: "at")
        if !isAt { _ = accept(",") || accept(word: "in", "for") }
        skipBlanks()
        return isAt
    }

    /// What runners mean by a quantity after `@`: in `10k @ 5:00`, 5:00 is a pace, and the note says so. Errors: it may
    /// be a pace or a time, because the distance does not tell the unit (`400m @ 1:30`), or it is a pace without a unit
    /// (`30:00 @ 5:00`).
    package func meant(by second: Found, at first: Found) throws(Problem) -> (second: Found, note: Problem?) {
        let clock = text(second.range)
        guard case .time(let time) = second.value, clock.allSatisfy({ $0.isNumber || $0 == ":" || $0 == "." }) else {
            return (second, nil)
        }
        switch first.value {
        case .pace: return (second, nil)
        case .time:
            throw Problem(
                second.range, localized("the pace \(clock) has no unit"),
                hint: localized("write \(clock)/km or \(clock)/mi"))
        case .distance:
            // Nobody takes an hour for a kilometer: this is the time of the whole distance.
            guard time < .seconds(3600) else { return (second, nil) }
            guard let unit = DistanceUnit(mentionedIn: text(first.range)) else {
                throw Problem(
                    second.range, localized("\(clock) may be a time or a pace here"),
                    hint: localized("write in \(clock) for the time, or @ \(clock)/km or @ \(clock)/mi for a pace"))
            }
            let pace = Pace(time, per: unit)
            guard pace.isValid else { throw Problem(second.range, RunError.pace(isResult: false).description) }
            let note = Problem(
                second.range, localized("\(clock) is taken as a pace, \(clock)/\(unit.rawValue)"),
                hint: localized("write in \(clock) for a time"))
            return ((.pace(pace), second.range), note)
        }
    }
}
