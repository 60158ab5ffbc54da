internal import Languages
internal import Scores

/// Label tracks of Audacity: `start`, `end` and `text`, separated by tabs; times in seconds. A point ends where it
/// starts.
///
/// Source: the Audacity manual, "Importing and Exporting Labels".
enum AudacityLabels {
    static func write(_ played: PlayedScore) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36 * played.barCount)
        let countIn = played.countIn
        for bar in played.bars {
            let (start, end) = (bar.start + countIn, bar.end + countIn)
            let row = "\(start.seconds(decimals: 9))\t\(end.seconds(decimals: 9))\t\(NumberedLabels.text(bar))\n"
            bytes.append(contentsOf: row.utf8)
            for hit in bar.hits {
                let time = (start + hit.offset).seconds(decimals: 9)
                bytes.append(contentsOf: "\(time)\t\(time)\t\(HitLabel.text(hit, in: bar, played))\n".utf8)
            }
        }
        return bytes
    }

    /// The share of the first lines that begin with two times, separated by a tab, with decimals as Audacity writes them. Whole
    /// seconds count half, since other formats have numbers like these.
    static func fit(_ source: SourceText) -> Double {
        max(fit(source, decimals: true), fit(source, decimals: false) / 2)
    }

    private static func fit(_ source: SourceText, decimals: Bool) -> Double {
        let bytes = source.bytes.span
        // Lines with a backslash are the frequencies of the label before.
        return source.fit(content: { bytes, line in
            !line.isEmpty && bytes[line.lowerBound] == UInt8(ascii: "\\") ? 0..<0 : bytes.trimmed(line)
        }) { line in
            let fields = fields(bytes, line)
            return fields.count >= 2
                && fields.prefix(2).allSatisfy { field in
                    time(source, field) != nil && (!decimals || field.contains { bytes[$0] == UInt8(ascii: ".") })
                }
        }
    }

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        let bytes = source.bytes.span
        var labels = LabeledTimes()
        var spectral = (count: 0, first: 0..<0)
        for line in TextLines(source.bytes) {
            guard !bytes.trimmed(line).isEmpty else { continue }
            if bytes[line.lowerBound] == UInt8(ascii: "\\") {
                if spectral.count == 0 { spectral.first = line }
                spectral.count += 1
                continue
            }
            let fields = fields(bytes, line)
            guard fields.count >= 2 else {
                log.error(
                    at: line, localized("a label must be a start, an end and a text, separated by tabs"),
                    hint: localized("for example 2.7, tab, 5, tab, A"))
                continue
            }
            let times = fields.prefix(2).map { field -> Duration? in
                let time = time(source, field)
                if time == nil { report(source, field, &log) }
                return time
            }
            guard let start = times[0], let end = times[1] else { continue }
            guard end >= start else {
                log.error(at: fields[1], localized("this label ends before it begins"))
                continue
            }
            guard labels.all.count < PlayedScore.barLimit else {
                log.error(at: line, localized("a label track has at most 1 000 000 labels"))
                return nil
            }
            let text = fields.count > 2 ? source.text(fields[2]) : ""
            labels.all.append(LabeledTimes.Label(start: start, end: end, text: text, range: line))
        }
        if spectral.count > 0 {
            log.warning(
                at: spectral.first,
                spectral.count == 1
                    ? localized("frequencies of labels are left out (one line)")
                    : localized("frequencies of labels are left out (\(spectral.count) lines)"))
        }
        return log.hasErrors ? nil : labels.score(&log)
    }

    /// The parts of a line before, between and after its first two tabs, without blanks around them.
    private static func fields(_ bytes: Span<UInt8>, _ line: Range<Int>) -> [Range<Int>] {
        line.split(maxSplits: 2, omittingEmptySubsequences: false) { bytes[$0] == 0x09 }.map { bytes.trimmed($0) }
    }

    /// A time in seconds, 0 s to 10 000 h; nil for anything else.
    private static func time(_ source: SourceText, _ field: Range<Int>) -> Duration? {
        guard let number = DecimalText(source.text(field)) else { return nil }
        let time = Duration(attoseconds: number.scaled)
        return DurationUse.time.range.contains(time) ? time : nil
    }

    private static func report(_ source: SourceText, _ field: Range<Int>, _ log: inout DiagnosticLog) {
        let text = source.text(field)
        if text.hasPrefix("-") {
            log.error(
                at: field, localized("a label before the beginning cannot be played"),
                hint: localized("move the labels to 0 and later"))
        } else {
            log.error(
                at: field, localized("\(TextError.quoted(text)) is not a time in seconds, 0 to 10 000 h"),
                hint: localized("for example 2.7"))
        }
    }
}
