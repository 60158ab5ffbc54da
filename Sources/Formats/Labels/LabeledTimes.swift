internal import Languages
internal import Scores

/// Named points and regions from audio editors, read as bars.
///
/// A bar begins where a point or region begins, and where a region ends before the next one begins. The piece ends at
/// the end of the last region or, if there are only points, at the last point. The time before the first one is a
/// count-in or, beyond 60 s, a silent bar in a line of its own.
struct LabeledTimes {
    /// A point or a region.
    struct Label {
        var start: Duration
        /// The end; for a point, the same as the start.
        var end: Duration
        var text: String
        /// Its place in the file.
        var range: Range<Int>
    }

    /// In the order of the file.
    var all: [Label] = []

    /// The score; nil after an error.
    func score(_ log: inout DiagnosticLog) -> Score? {
        var inOrder = all.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        // In a file of ours, hits are points inside of bars.
        var hits = inOrder.filter { $0.start == $0.end && HitLabel.isHit($0.text) }[...]
        let others = inOrder.filter { $0.start != $0.end || !HitLabel.isHit($0.text) }
        if !others.isEmpty, others.allSatisfy({ NumberedLabels.place($0.text) != nil }) {
            inOrder = others
        } else {
            hits = []
        }
        guard let first = inOrder.first else {
            log.error(at: 0..<0, localized("the file has no labels"))
            return nil
        }
        var bars: [(bar: Score.Bar, range: Range<Int>)] = []
        var here = (start: first.start, texts: [String](), range: first.range)
        var covered = first.start
        func close(at time: Duration) {
            guard time > here.start else { return }
            let label = here.texts.joined(separator: ", ")
            let inside = hits.prefix { $0.start < time }
            hits = hits.dropFirst(inside.count)
            let cue = inside.map(\.text).joined(separator: ", ").cutToTextLimit
            bars.append((Score.Bar(time - here.start, label: label, cue: cue), here.range))
        }
        for label in inOrder {
            if label.start > covered, covered > here.start, label.start - covered >= .milliseconds(1) {
                close(at: covered)
                here = (covered, [], label.range)
            }
            if label.start > here.start {
                close(at: label.start)
                here = (label.start, [], label.range)
            }
            if !label.text.isEmpty { here.texts.append(label.text) }
            covered = max(covered, label.end)
        }
        if covered > here.start {
            close(at: covered)
        } else if !here.texts.isEmpty, !bars.isEmpty {
            // The last point is the end, so its name has no bar.
            log.warning(at: here.range, localized("the last point is the end of the piece; its name is left out"))
        }
        guard !bars.isEmpty else {
            log.error(
                at: first.range, localized("a single point is not enough for a bar"),
                hint: localized("the last point is the end of the piece"))
            return nil
        }
        return check(bars, lead: first.start, &log)
    }

    private func check(
        _ bars: [(bar: Score.Bar, range: Range<Int>)], lead: Duration, _ log: inout DiagnosticLog
    ) -> Score? {
        var size = PieceSize()
        var read: [Score.Bar] = []
        read.reserveCapacity(bars.count + 1)
        for (bar, range) in bars {
            if !DurationUse.bar.range.contains(bar.duration) {
                log.error(
                    at: range,
                    localized(
                        "from here it is \(bar.duration.exactSeconds) s to the next label; a bar lasts 1 ms to 24 h"))
            }
            if !bar.label.isEmpty {
                do { _ = try TextRule.check(bar.label, what: localized("a label")) } catch {
                    log.error(at: range, error)
                }
            }
            size.add(bar.duration)
            read.append(bar)
        }
        if !DurationUse.countIn.range.contains(lead) {
            size.add(lead)
            if !DurationUse.bar.range.contains(lead) {
                log.error(
                    at: bars[0].range,
                    localized(
                        "the first label is at \(lead.exactSeconds) s; the time before it is a silent bar, which lasts at "
                            + "most 24 h"), hint: localized("put a label at 0"))
            }
        }
        if let excess = size.excess { log.error(at: 0..<0, excess) }
        guard !log.hasErrors else { return nil }
        var score = NumberedLabels.score(read)
        if DurationUse.countIn.range.contains(lead) {
            score.countIn = .time(lead)
        } else {
            var silence = Score.Bar(lead)
            silence.details.click = BarClick(isSilent: true)
            score.sections[0].parts.insert(.line(Score.Line(bars: [silence])), at: 0)
        }
        return score
    }
}
