package import Scores

// What is said before the intervals of a plan, and the texts at its times.

extension TimedBar {
    /// What is announced before the bar; nil unless it is an interval of a plan.
    package var announcement: Announcement? { written.isPlain ? nil : written.details.announcement }
}

extension SpeechSettings {
    /// Whether the interval of boundary `n` is announced.
    func announces(_ n: Int, in passage: Passage) -> Bool {
        passage.bar(of: n).announcement != nil && !announcements(ofBoundary: n, in: passage, speed: .asWritten).isEmpty
    }

    /// The announcements of boundary `n` at `speed`, ever shorter: from everything to only the name; empty for none. Where a
    /// passage is practiced, distances and numbers are those of the plan.
    package func announcements(
        ofBoundary n: Int, in passage: Passage, speed: Speed, isPracticed: Bool = false
    ) -> [String] {
        let bar = passage.bar(of: n)
        guard var announcement = bar.announcement else { return [] }
        if announcement.count == nil, !isPracticed {
            announcement.number += (passage.passNumber(of: n) - 1) * passage.barsInPass
        }
        let meters = isPracticed ? announcement.meters?.lowerBound : passage.metersBefore(n)
        let parts = Announcement.Part.allCases.filter(says)
        let time = speed.realDuration(of: bar.duration)
        let factor = time > .zero ? passage.timeline[bar.index].duration / time : 1
        var texts: [String] = []
        for count in (0..<parts.count).reversed() {
            let text = language.words(
                announcement, Array(parts[...count]), lasting: time, factor: factor, soFar: meters)
            if !text.isEmpty, text != texts.last { texts.append(text) }
        }
        return texts
    }

    private func says(_ part: Announcement.Part) -> Bool {
        switch part {
        case .name: cues || labels
        case .length: cues || durations
        case .pace: pace
        case .speed: speed
        case .soFar: distance
        case .place: cues || intervals
        }
    }
}

extension Passage {
    /// How far a plan has come at boundary `n` since the start of the passage, in meters; nil if that is unknown.
    func metersBefore(_ n: Int) -> Double? {
        guard stretches.count == 1, let here = bar(of: n).announcement?.meters,
            let first = bar(of: 0).announcement?.meters, let last = bar(of: barsInPass - 1).announcement?.meters
        else { return nil }
        return Double(passNumber(of: n) - 1) * (last.upperBound - first.lowerBound) + here.lowerBound - first.lowerBound
    }

    /// The texts that are said at times and distances of a plan between two positions, in order.
    package func remarks(in range: Range<Duration>) -> [(position: Duration, text: String)] {
        guard !timeline.remarks.isEmpty, !range.isEmpty else { return [] }
        var found: [(position: Duration, text: String)] = []
        var n = boundary(at: range.lowerBound)
        while has(boundary: n), position(of: n) < range.upperBound {
            found += remarks(inBar: n, range)
            n += 1
        }
        return found.sorted { $0.position < $1.position }
    }

    /// The remarks in a part of the bar of boundary `n`. Their places count on from round to round of an endless plan.
    private func remarks(inBar n: Int, _ range: Range<Duration>) -> [(position: Duration, text: String)] {
        let bar = bar(of: n)
        let (written, begin) = (timeline[bar.index].duration, position(of: n))
        guard written > .zero, bar.duration > .zero else { return [] }
        let rounds = timeline.remarksContinue ? passNumber(of: n) - 1 : 0
        let (from, to) = ((range.lowerBound - begin) / bar.duration, (range.upperBound - begin) / bar.duration)
        let shares = max(from, 0)...max(from, min(to, 1), 0)
        func place(at share: Double) -> Duration { begin + bar.duration * min(max(share, 0), 1) }
        return timeline.remarks.flatMap { remark -> [(position: Duration, text: String)] in
            if let bars = remark.bars {
                guard bars.contains(bar.index), let length = remark.length(of: bar, lasting: written) else { return [] }
                return remark.counts(from: 0, length: length, shares).map { count in
                    (place(at: Double(count) / length), remark.text)
                }
            }
            switch remark.place {
            case .time(let time):
                let start = timeline.total * rounds + bar.start
                return remark.counts(from: start / time, length: written / time, shares).map { count in
                    (place(at: (time * count - start) / written), remark.text)
                }
            case .meters(let meters):
                guard let all = bar.announcement?.meters, !all.isEmpty,
                    let last = timeline[timeline.barCount - 1].announcement?.meters
                else { return [] }
                let start = last.upperBound * Double(rounds) + all.lowerBound
                let length = all.upperBound - all.lowerBound
                return remark.counts(from: start / meters, length: length / meters, shares).map { count in
                    (place(at: (meters * Double(count) - start) / length), remark.text)
                }
            }
        }
        .filter { range.contains($0.position) }
    }
}

extension Remark {
    /// The length of a bar in units of the place; nil if its distance is unknown.
    fileprivate func length(of bar: TimedBar, lasting time: Duration) -> Double? {
        switch place {
        case .time(let unit): return time / unit
        case .meters(let unit): return bar.announcement?.metersPerSecond.map { $0 * (time / .seconds(1)) / unit }
        }
    }

    /// The numbers of the times that a remark is said in some shares of a bar, whose span is in units of its own place.
    fileprivate func counts(from start: Double, length: Double, _ shares: ClosedRange<Double>) -> [Int] {
        let (from, to) = (start + length * shares.lowerBound, start + length * shares.upperBound)
        guard from.isFinite, to.isFinite, from >= 0, to < 1e15 else { return [] }
        // A place that is a rounding error before the end of the bar belongs to the next one.
        let first = max(Int((from - 1e-9).rounded(.up)), 1)
        let last = min(Int((to + 1e-9).rounded(.down)), Int((start + length - 1e-9).rounded(.up)) - 1)
        guard first <= last else { return [] }
        return isRepeated ? Array(first...last) : first == 1 ? [1] : []
    }
}
