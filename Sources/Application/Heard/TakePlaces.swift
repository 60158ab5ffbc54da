internal import Files
internal import Hearing
internal import Languages
internal import Playback
internal import Scores
internal import Timing

extension HeardScore {
    /// When each bar begins in a take that `play --record` has made, in seconds, by the timing log beside it; empty for other
    /// takes. A log that cannot be used is told in a note, and the places are searched.
    func expected(in path: String) -> [Double?] {
        let logPath = Take.timingPath(of: path)
        guard let bytes = try? FileBytes.read(logPath, limit: 256 << 20), let rate = try? SoundReader(path).rate else {
            return []
        }
        let (rows, diagnostics) = TimingLog.read(bytes, file: logPath)
        guard !diagnostics.contains(where: { $0.severity == .error }) else {
            Failure.say(localized("note: '\(logPath)' is not the timing log of the recording: the places are searched"))
            return []
        }
        guard let places = places(rows.filter { !$0.isTap }, rate: Double(rate)) else {
            Failure.say(
                localized("note: '\(logPath)' is of another passage, or the music jumped: the places are searched"))
            return []
        }
        return places
    }

    /// The places of the bars, if the rows are those of this passage, one after the other.
    private func places(_ rows: [TimingRow], rate: Double) -> [Double?]? {
        guard let row = rows.first, let begin = passage.boundary(ofBar: row.index - 1, near: first) else { return nil }
        var places = [Double?](repeating: nil, count: count)
        for (offset, row) in rows.enumerated() {
            let boundary = begin + offset
            guard boundary < count, passage.bar(of: boundary).index == row.index - 1,
                offset == 0 || !row.flags.contains(.jump)
            else { return nil }
            // Without a click, the player may be anywhere.
            guard !row.flags.contains(.muted) else { continue }
            places[boundary] = (Double(row.position.frame) + row.position.fraction) / rate
        }
        return places
    }
}
