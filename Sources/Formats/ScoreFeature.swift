internal import Languages
internal import Scores

/// The features of a score other than the times of its bars. A format carries a feature, or the writer reports a loss.
enum ScoreFeature: CaseIterable {
    case title, composer, tuning, drone, droneChanges, countIn, warnings, speed, numbering, timecode, total
    case lines, labels, sections, repeats, brackets, voices
    case meters, ramps, innerTempi, grouping, barSpeed, beats, grid, holds, waits, hits
    case clicks, clickSounds, cues, spokenCues, remarks, colors

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
        case .brackets: localized("time brackets are written as the times between their edges")
        case .voices: localized("only the first voice is written; --voice chooses another")
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
        }
    }

    /// Notes the features that a score has but `carried` does not contain.
    static func collect(from played: PlayedScore, but carried: Set<ScoreFeature>, _ losses: inout Losses) {
        let score = played.score
        var missing = Set(allCases).subtracting(carried)
        // The loss of meters includes that of tempi and of the grouping of beats.
        if missing.contains(.meters) { missing.subtract([.ramps, .innerTempi, .grouping]) }
        for feature in allCases where missing.contains(feature) && feature.isIn(score, speed: played.speed) {
            losses.note(feature.loss)
        }
        let ofBars = ofBars.filter(missing.contains)
        guard !ofBars.isEmpty else { return }
        for bar in played.bars.prefix(PlayedScore.barLimit) where !bar.written.isPlain || !bar.label.isEmpty {
            let details = bar.written.details
            for feature in ofBars where feature.isIn(bar, details) { losses.note(feature.loss, at: bar.place) }
        }
    }

    /// The features of single bars.
    private static let ofBars: [ScoreFeature] = [
        .labels, .numbering, .meters, .ramps, .innerTempi, .grouping, .barSpeed, .beats, .grid, .holds, .waits, .hits,
        .clicks,
        .clickSounds,
        .cues, .spokenCues, .colors, .droneChanges, .warnings,
    ]

    private func isIn(_ score: Score, speed: Speed) -> Bool {
        switch self {
        case .title: score.title != nil
        case .composer: score.composer != nil
        case .tuning: score.a4 != Score.standardA4 || score.tuning != Tuning()
        case .drone: score.drone != nil
        case .countIn: score.countIn != .off
        case .warnings: score.warning != .off
        case .speed: speed != .asWritten
        case .numbering: score.firstBar != 1 || score.pickup != 0
        case .timecode: score.timecode != nil
        case .total: score.total != nil
        case .lines: score.hasSeveralLines
        case .sections: score.sections.contains { !$0.label.isEmpty }
        case .repeats: score.hasRepeats
        case .brackets: !score.brackets.isEmpty
        case .voices: !score.companions.isEmpty
        case .beats: score.beats || score.subdivision > 1
        case .grid: score.grid != .off
        case .remarks: !score.remarks.isEmpty
        default: false
        }
    }

    /// Whether a bar has the feature.
    func isIn(_ bar: PlayedBar, _ details: Score.Details) -> Bool {
        switch self {
        case .labels: !bar.label.isEmpty
        case .numbering: details.number != nil
        case .meters: details.meter != nil
        case .ramps: details.ramp != nil || details.tempoChanges.contains { $0.ramp != nil }
        case .innerTempi: details.tempoChanges.contains { $0.mark != nil && $0.beat.denominator != 1 }
        case .grouping: details.meter.map { $0.terms.count > 1 || $0.terms[0].groups.count > 1 } ?? false
        case .barSpeed: details.speed != nil
        case .beats: details.beats != nil || details.subdivision != nil
        case .grid: details.grid != nil
        case .holds: !details.holds.isEmpty
        case .waits: details.holds.contains(where: \.waits)
        case .hits: !details.hits.isEmpty
        case .clicks: details.click.map { $0.isSilent || $0.decibels != 0 } ?? false
        case .clickSounds: details.click?.sound != nil
        case .cues: !details.cue.isEmpty
        case .spokenCues: !details.say.isEmpty
        case .colors: details.flash != nil
        case .droneChanges: details.drone != nil
        case .warnings: details.warning != nil && details.warning != .off
        default: false
        }
    }
}

extension Score {
    fileprivate var hasSeveralLines: Bool {
        let lines = sections.lazy.flatMap { $0.parts }
        return lines.dropFirst().first != nil || sections.count > 1
    }

    fileprivate var hasRepeats: Bool {
        if !orders.isEmpty || !fragments.isEmpty { return true }
        return sections.contains { $0.parts.contains(where: \.isRepeated) }
    }
}

extension Score.Part {
    /// Whether the part is played several times, or contains a jump.
    fileprivate var isRepeated: Bool {
        switch self {
        case .line(let line): line.passes > 1 || line.bars.contains { !$0.isPlain && $0.details.jump != nil }
        case .group, .use: true
        }
    }
}
