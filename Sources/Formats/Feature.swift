internal import Languages
internal import Running
internal import Scores

/// The features of a score other than the times of its bars, and of a plan other than its intervals. A format carries a
/// feature, or the writer reports a loss.
enum Feature: CaseIterable {
    case title, composer, tuning, drone, droneChanges, countIn, warnings, speed, numbering, timecode, total
    case lines, labels, sections, repeats, endless, brackets, voices, channels
    case meters, ramps, innerTempi, grouping, barSpeed, beats, grid, holds, waits, hits
    case clicks, clickSounds, cues, spokenCues, remarks, colors, messages
    case threshold, cadence, groups, nestedGroups

    /// The message if a format does not carry the feature.
    var loss: String {
        switch self {
        case .title: localized("the title is left out")
        case .composer: localized("the composer is left out")
        case .tuning: localized("the tuning is left out")
        case .drone: localized("the drone is left out")
        case .droneChanges: localized("changes of the drone are left out")
        case .countIn: localized("the count-in is left out")
        case .warnings: localized("the clicks that warn of entries are left out")
        case .speed: localized("the speed is written into the times")
        case .numbering: localized("the numbers of bars are left out")
        case .timecode: localized("the timecode of the start is left out")
        case .total: localized("the declared total is left out")
        case .lines: localized("the division into lines is left out")
        case .labels: localized("labels are left out")
        case .sections: localized("sections are left out")
        case .repeats: localized("repeats, jumps and orders are written out as they are played")
        case .endless: localized("a piece that repeats forever is written once")
        case .brackets: localized("time brackets are written as the times between their edges")
        case .voices: localized("only the first voice is written; --voice chooses another")
        case .channels: localized("the channels of voices are left out")
        case .meters: localized("meters and tempi are written as seconds")
        case .ramps: localized("gradual changes of tempo are written as tempi from beat to beat")
        case .innerTempi: localized("a tempo inside a beat is written as that of the whole beat")
        case .grouping: localized("meters of several groups are written as one")
        case .barSpeed: localized("the speeds of single bars are written into their times")
        case .beats: localized("beats inside bars are left out")
        case .grid: localized("the practice grid is left out")
        case .holds: localized("holds are written as part of their bars")
        case .waits: localized("holds until a cue continue without waiting")
        case .hits: localized("hit points are left out; the times and tempi that they give are kept")
        case .clicks: localized("silent, louder and softer clicks are written as normal clicks")
        case .clickSounds: localized("click sounds are left out")
        case .cues: localized("cues are left out")
        case .spokenCues: localized("spoken cues are left out")
        case .remarks: localized("the texts that are spoken at times of the plan are left out")
        case .colors: localized("colors are left out")
        case .messages: localized("messages to other machines are left out")
        case .threshold: localized("the threshold pace is left out")
        case .cadence: localized("the cadence is left out")
        case .groups: localized("groups are written out")
        case .nestedGroups: localized("groups within groups are written out")
        }
    }

    /// Notes the features that a plan has but `carried` does not contain.
    static func collect(from plan: Plan, but carried: Set<Feature>, _ losses: inout Losses) {
        var missing = Set(allCases).subtracting(carried)
        if missing.contains(.groups) { missing.remove(.nestedGroups) }
        for feature in allCases where missing.contains(feature) && feature.signs.plan?(plan) == true {
            losses.note(feature.loss)
        }
    }

    /// Notes the features that a score has but `carried` does not contain.
    static func collect(from played: PlayedScore, but carried: Set<Feature>, _ losses: inout Losses) {
        var missing = Set(allCases).subtracting(carried)
        // The loss of meters includes that of tempi and of the grouping of beats.
        if missing.contains(.meters) { missing.subtract([.ramps, .innerTempi, .grouping]) }
        let signs = allCases.filter(missing.contains).map { (feature: $0, signs: $0.signs) }
        for (feature, signs) in signs where signs.score?(played.score, played.speed) == true {
            losses.note(feature.loss)
        }
        let ofBars = signs.compactMap { feature, signs in signs.bar.map { (feature: feature, isIn: $0) } }
        guard !ofBars.isEmpty else { return }
        for bar in played.bars.prefix(PlayedScore.barLimit) where !bar.written.isPlain || !bar.label.isEmpty {
            let details = bar.written.details
            for (feature, isIn) in ofBars where isIn(bar, details) { losses.note(feature.loss, at: bar.place) }
        }
    }

    /// Whether a score has the feature as a whole.
    func isIn(_ score: Score) -> Bool { signs.score?(score, score.speed) ?? false }

    /// Whether a bar has the feature; false for features of the whole score.
    func isIn(_ bar: PlayedBar, _ details: Score.Details) -> Bool { signs.bar?(bar, details) ?? false }

    /// By which one knows a feature: in the score as a whole, in a single bar, or in a plan.
    private struct Signs {
        var score: ((Score, Speed) -> Bool)?
        var bar: ((PlayedBar, Score.Details) -> Bool)?
        var plan: ((Plan) -> Bool)?

        static func ofScore(_ isIn: @escaping (Score) -> Bool) -> Signs { Signs(score: { score, _ in isIn(score) }) }
        static func ofPlan(_ isIn: @escaping (Plan) -> Bool) -> Signs { Signs(plan: isIn) }
        static func ofBar(_ isIn: @escaping (Score.Details) -> Bool) -> Signs {
            Signs(bar: { _, details in isIn(details) })
        }
    }

    private var signs: Signs {
        switch self {
        case .title: Signs(score: { score, _ in score.title != nil }, plan: { !$0.title.isEmpty })
        case .composer: .ofScore { $0.composer != nil }
        case .tuning: .ofScore { $0.a4 != Score.standardA4 || $0.tuning != Tuning() }
        case .drone: .ofScore { $0.drone != nil }
        case .droneChanges: .ofBar { $0.drone != nil }
        case .countIn:
            // The standard count-in of a plan is Barline's own, and not a part of the workout.
            Signs(
                score: { score, _ in score.countIn != .off },
                plan: { $0.countIn ?? Plan.standardCountIn != Plan.standardCountIn })
        case .warnings:
            Signs(score: { score, _ in score.warning != .off }, bar: { $1.warning != nil && $1.warning != .off })
        case .speed: Signs(score: { $1 != .asWritten })
        case .numbering:
            Signs(score: { score, _ in score.firstBar != 1 || score.pickup != 0 }, bar: { $1.number != nil })
        case .timecode: .ofScore { $0.timecode != nil }
        case .total: .ofScore { $0.total != nil }
        case .lines: .ofScore(\.hasSeveralLines)
        case .labels: Signs(bar: { bar, _ in !bar.label.isEmpty })
        case .sections: .ofScore { $0.sections.contains { !$0.label.isEmpty } }
        case .repeats: .ofScore { $0.hasRepeats() }
        case .endless: .ofScore(\.isEndless)
        case .brackets: .ofScore { !$0.brackets.isEmpty }
        case .voices: .ofScore { !$0.companions.isEmpty }
        case .channels: .ofScore { $0.voice.channel != nil || $0.companions.contains { $0.voice.channel != nil } }
        case .meters: .ofBar { $0.meter != nil }
        case .ramps:
            .ofBar {
                $0.ramp != nil || $0.tempoChanges.contains { $0.ramp != nil } || $0.hits.contains { $0.ramp != nil }
            }
        case .innerTempi: .ofBar { $0.tempoChanges.contains { $0.mark != nil && $0.beat.denominator != 1 } }
        case .grouping: .ofBar { $0.meter.map { $0.terms.count > 1 || $0.terms[0].groups.count > 1 } ?? false }
        case .barSpeed: .ofBar { $0.speed != nil }
        case .beats:
            Signs(
                score: { score, _ in score.beats || score.subdivision > 1 },
                bar: { $1.beats != nil || $1.subdivision != nil })
        case .grid: Signs(score: { score, _ in score.grid != .off }, bar: { $1.grid != nil })
        case .holds: .ofBar { !$0.holds.isEmpty }
        case .waits: .ofBar { $0.holds.contains(where: \.waits) }
        case .hits: .ofBar { !$0.hits.isEmpty }
        case .clicks: .ofBar { $0.click.map { $0.isSilent || $0.decibels != 0 } ?? false }
        case .clickSounds: .ofBar { $0.click?.sound != nil }
        case .cues: .ofBar { !$0.cue.isEmpty }
        case .spokenCues: .ofBar { !$0.say.isEmpty }
        case .remarks: Signs(score: { score, _ in !score.remarks.isEmpty }, plan: { !$0.remarks.isEmpty })
        case .colors: .ofBar { $0.flash != nil }
        case .messages: .ofBar { !$0.sends.isEmpty }
        case .threshold: .ofPlan { $0.threshold != nil && $0.needsThreshold }
        case .cadence: .ofPlan { $0.cadence != nil }
        case .groups: .ofPlan { $0.parts.contains { $0.repeated != nil } }
        case .nestedGroups: .ofPlan { $0.parts.compactMap(\.repeated).contains { $0.contains { $0.repeated != nil } } }
        }
    }
}

extension Feature {
    /// The features that pictures show.
    static let pictured: Set<Feature> = [
        .title, .composer, .drone, .countIn, .tuning, .droneChanges, .lines, .labels, .sections, .meters, .ramps,
        .innerTempi, .grouping, .barSpeed, .beats, .grid, .holds, .waits, .hits, .timecode, .cues, .spokenCues,
        .brackets, .voices, .numbering,
    ]
}

extension Score {
    fileprivate var hasSeveralLines: Bool {
        let lines = sections.lazy.flatMap { $0.parts }
        return lines.dropFirst().first != nil || sections.count > 1
    }

    /// Whether anything is played several times or out of order; without lines that are only repeated at once if they do
    /// not count.
    func hasRepeats(ofLines countLines: Bool = true) -> Bool {
        let parts = sections.flatMap(\.parts) + fragments.flatMap(\.parts)
        let used = parts.flatMap(\.used)
        return !orders.isEmpty || parts.contains { $0.isRepeated(countLines) } || Set(used).count < used.count
    }
}

extension Score.Part {
    /// Whether the part or one inside of it is played several times, if single lines count also one of them, or contains a jump.
    fileprivate func isRepeated(_ countLines: Bool) -> Bool {
        switch self {
        case .line(let line):
            countLines && line.passes > 1 || line.bars.contains { !$0.isPlain && $0.details.jump != nil }
        case .group(let group): group.passes > 1 || group.parts.contains { $0.isRepeated(countLines) }
        case .use(let use): use.passes > 1
        }
    }

    /// The names of the fragments in it, once for each time that they are written there.
    fileprivate var used: [String] {
        switch self {
        case .line: []
        case .group(let group): (group.parts + group.endings.flatMap(\.parts)).flatMap(\.used)
        case .use(let use): [use.fragment]
        }
    }
}

extension Plan.Part {
    /// The parts of a group that is repeated; nil for an interval or a group that is done once.
    fileprivate var repeated: [Plan.Part]? {
        switch self {
        case .interval: return nil
        case .group(let count, let parts):
            if count > 1 { return parts }
            return parts.compactMap(\.repeated).first
        }
    }
}
