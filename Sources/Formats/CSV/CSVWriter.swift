internal import Languages
internal import Scores

extension ScoreFormat.Definition {
    static var csv: Self {
        Self(
            name: localized("a CSV table"), extensions: ["csv"], fit: CSVReader.fit, read: CSVReader.read,
            write: .played { played, _ in CSVWriter.write(played) }, carries: [.lines, .labels, .sections, .cues])
    }
}

/// Writes bars as a table: their lines, labels and exact durations.
enum CSVWriter {
    static func write(_ played: PlayedScore) -> [UInt8] {
        var (hasSections, hasCues) = (false, false)
        for index in 0..<played.barCount {
            let bar = played.bar(index)
            hasSections = hasSections || !bar.section.isEmpty
            hasCues = hasCues || !bar.written.cue.isEmpty
        }
        let head = [hasSections ? "section" : nil, "line", "bar", "label", hasCues ? "cue" : nil, "duration"]
        var bytes = Array((head.compactMap(\.self).joined(separator: ",") + "\n").utf8)
        bytes.reserveCapacity(24 * played.barCount)
        for index in 0..<played.barCount {
            let bar = played.bar(index)
            var row = hasSections ? CSVText.quoted(bar.section) + "," : ""
            row += "\(bar.line),\(bar.bar),\(CSVText.quoted(bar.label)),"
            if hasCues { row += CSVText.quoted(bar.written.cue) + "," }
            bytes.append(contentsOf: (row + bar.duration.exactSeconds + "\n").utf8)
        }
        return bytes
    }
}
