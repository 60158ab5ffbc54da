internal import Languages
internal import Scores
internal import Timing

/// A score of another program that gets the tempi of a file.
///
/// Its lines are written out as they are played, so that each pass can have a tempo of its own.
struct TempoFilePage {
    private(set) var score: Score
    /// Whether a rule gives the tempo at the beginning.
    private(set) var givesFirstTempo = false
    private let timeline: Timeline
    private var lines: [Score.Line] = []
    /// Where the bars with each number are, in the order in which they are played.
    private var places: [BarNumber: [(line: Int, bar: Int)]] = [:]
    /// The places of the last rules in the file, by lines and bars.
    private var rules: [(line: Int, bar: Int, range: Range<Int>)] = []

    init(_ score: Score) {
        self.score = score
        timeline = Timeline(score)
        var numbered = NumberedBars(first: score.firstBar - score.pickup)
        var index = 0
        for line in score.lines {
            for _ in 0..<line.passes where lines.count < Score.writtenLineLimit {
                var once = line
                once.passes = 1
                for bar in once.bars.indices {
                    let number = timeline[index].number
                    numbered.number(&once.bars[bar], number, always: bar == 0 && index > 0)
                    places[number, default: []].append((lines.count, bar))
                    index += 1
                }
                lines.append(once)
            }
        }
    }

    /// Gives the score the tempi of a file.
    mutating func apply(_ rules: [TempoFile.Rule], _ log: inout DiagnosticLog) {
        let played = score.lines.reduce(0) { $0 + $1.passes }
        guard played == lines.count else {
            return log.error(at: 0..<0, localized("the piece has more than 200 000 lines with its repeats"))
        }
        for rule in rules {
            let all = places[rule.number] ?? []
            let found = rule.pass.map { pass in pass <= all.count ? [all[pass - 1]] : [] } ?? all
            guard !found.isEmpty else {
                log.error(
                    at: rule.bar, Place.missing(rule.number, pass: rule.pass ?? 1, count: all.count, in: timeline))
                continue
            }
            for (line, bar) in found { take(rule, line, bar, &log) }
        }
        guard !log.hasErrors else { return }
        score.sections = [Score.Section(parts: lines.map(Score.Part.line))]
        self.rules.sort { ($0.line, $0.bar) < ($1.line, $1.bar) }
        for problem in Layout(score).problems {
            let place = (problem.line, problem.bar ?? 0)
            let rule = self.rules.last { ($0.line, $0.bar) <= place } ?? self.rules.first
            log.error(at: rule?.range ?? 0..<0, problem.error)
        }
    }

    /// Gives a bar the tempo of a rule, in place of one of the same kind at its beat.
    private mutating func take(_ rule: TempoFile.Rule, _ line: Int, _ bar: Int, _ log: inout DiagnosticLog) {
        let change = rule.change
        var details = lines[line].bars[bar].details
        if change.beat == .one {
            if line == 0, bar == 0, change.mark != nil { givesFirstTempo = true }
            details.tempo = change.mark ?? details.tempo
            details.ramp = change.ramp ?? details.ramp
        } else {
            let places = details.meter.map { BeatPlaces($0, marked: details.beats) }
            if let fault = change.fault(in: places) { return log.error(at: rule.bar, fault) }
            details.tempoChanges.removeAll { $0.beat == change.beat && ($0.mark == nil) == (change.mark == nil) }
            // At one beat, a ramp begins with the tempo there.
            let isMark = change.mark != nil
            let index = details.tempoChanges.firstIndex {
                $0.beat > change.beat || isMark && $0.beat == change.beat
            }
            details.tempoChanges.insert(change, at: index ?? details.tempoChanges.count)
        }
        lines[line].bars[bar].details = details
        rules.append((line, bar, rule.what))
    }
}
