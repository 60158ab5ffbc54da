internal import Scores

/// Writes bars as a table: their lines, labels and exact durations.
enum CSVWriter {
    static func write(_ played: PlayedScore) -> [UInt8] {
        var (hasSections, hasCues, hasNumbers) = (false, false, false)
        for bar in played.bars {
            hasSections = hasSections || !bar.section.isEmpty
            hasCues = hasCues || !bar.written.cue.isEmpty
            hasNumbers = hasNumbers || bar.printedNumber != nil
        }
        let head = [
            hasSections ? "section" : nil, "line", "bar", hasNumbers ? "number" : nil, "label", hasCues ? "cue" : nil,
            "duration",
        ]
        var bytes = Array((head.compactMap(\.self).joined(separator: ",") + "\n").utf8)
        bytes.reserveCapacity(24 * played.barCount)
        for bar in played.bars {
            var row = hasSections ? CSVText.quoted(bar.section) + "," : ""
            row += "\(bar.line),\(bar.bar),"
            if hasNumbers { row += CSVText.quoted("\(bar.number)") + "," }
            row += CSVText.quoted(bar.label) + ","
            if hasCues { row += CSVText.quoted(bar.written.cue) + "," }
            bytes.append(contentsOf: (row + bar.duration.exactSeconds + "\n").utf8)
        }
        return bytes
    }
}
