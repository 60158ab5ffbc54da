public import Score

extension Walk {
    /// The bars of a score as this walk plays them, at a speed, for writing them down. The walk has an end.
    public func played(_ score: Score, speed: Speed) -> PlayedScore {
        let anchor = Anchor(speed: speed)
        let settings = InnerSettings(score)
        let count = count ?? bars.count
        return PlayedScore(
            score, speed: speed, barCount: count, total: anchor.time(of: position(of: count))
        ) { n in
            let bar = bar(of: n)
            let position = position(of: n)
            let start = anchor.time(of: position)
            let beats = timeline.beats(inBar: bar.index, settings).map { beat in
                var beat = beat
                beat.offset = anchor.time(of: position + beat.offset) - start
                return beat
            }
            return PlayedBar(
                start: start, end: anchor.time(of: self.position(of: n + 1)), line: bar.line, bar: bar.bar,
                section: bar.section, isSectionStart: bar.isSectionStart, label: bar.label, written: bar.written,
                beats: beats)
        }
    }
}
