internal import Languages
public import Scores

/// A place in a piece as people name it: `5.7` is line 5, bar 7; `57` is the 57th bar that is played; `no. 57` is the bar
/// with this number on the page, and `no. 57 (2)` its second pass; `2:30` is the bar at that time of the score, at 100 %;
/// other text is a label.
///
/// In a score that gives numbers to its bars, such as by `firstBar`, a bare `57` is also the bar with this number on the
/// page. If it could mean two bars, it is an error that says which they are.
public struct Place: Sendable, Equatable {
    /// The bars it stands for: one bar, or all bars of what a label names.
    public let bars: Range<Int>

    /// Finds a place. The error is a sentence that says what exists instead.
    public init(_ text: String, in timeline: Timeline) throws(TextError) {
        try self.init(text, in: timeline, partsOfLabels: timeline.partsOfLabels)
    }

    /// The same for many places: the parts of labels are found once.
    package init(
        _ text: String, in timeline: Timeline, partsOfLabels: @autoclosure () -> [String: String]
    ) throws(TextError) {
        let trimmed = text.trimmingSpaces
        let parts = trimmed.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) {
            bars = try Place.numbered(parts, in: timeline)
        } else if let found = timeline.bars(labeled: trimmed) {
            bars = found
        } else if let bar = try Place.bar(saidIn: trimmed, in: timeline) {
            bars = bar..<bar + 1
        } else if let start = timeline.timecode, Timecode.isMeant(by: trimmed) {
            bars = try Place.bar(at: trimmed, from: start, in: timeline)
        } else if let time = try Place.time(trimmed) {
            guard time + SameMoment.tolerance < timeline.total else {
                throw TextError(
                    localized("there is no bar at \(trimmed): the piece lasts \(timeline.total.shortClock)"))
            }
            let bar = timeline.bar(meantBy: time)
            bars = bar..<bar + 1
        } else if let found = partsOfLabels()[trimmed].flatMap({ timeline.bars(labeled: $0) }) {
            bars = found
        } else {
            let labels = timeline.labels
            if labels.contains(trimmed) {
                throw TextError(localized("the label '\(trimmed)' is on the page, but its place is not played"))
            }
            if let other = timeline.companions.first(where: { $0.labels.contains(trimmed) })?.voice.name {
                let names = timeline.voices.map(\.name).filter { $0 != other }.joined(separator: ",")
                throw TextError(
                    localized("the label '\(trimmed)' is in voice '\(other)'"),
                    hint: localized("--voice \(other),\(names) lets this voice lead"))
            }
            guard let near = Suggestion.nearest(to: trimmed, in: labels), timeline.bars(labeled: near) != nil else {
                throw TextError(localized("there is no label '\(trimmed)' in the piece"))
            }
            throw TextError(localized("there is no label '\(trimmed)' in the piece; did you mean '\(near)'?"))
        }
    }

    /// The time of the score that a text such as `2:30` means; nil if it means none. Errors: it looks like a time, and is
    /// none, such as `1:75`.
    package static func time(_ text: String) throws(TextError) -> Duration? {
        let isMeant = text.contains(":") && text.allSatisfy { $0.isASCIIDigit || $0 == ":" || $0 == "." }
        return isMeant ? try Duration(scoreText: text, as: .time) : nil
    }

    /// The bar that a timecode lies in, at 100 % speed.
    private static func bar(
        at text: String, from start: Timecode, in timeline: Timeline
    ) throws(TextError) -> Range<Int> {
        let place: Timecode
        do throws(TextError) { place = try Timecode(scoreText: text, rate: start.rate) } catch {
            throw error
        }
        // The timecode of a bar is rounded to a hundredth of a frame.
        let half = Timecode(hundredths: 1, rate: start.rate).duration / 2
        let time = place.time(after: start) + half
        guard time >= .zero, time + SameMoment.tolerance < timeline.total + half else {
            let end = start.after(timeline.total)
            throw TextError(localized("\(text) is outside of the piece, which goes from \(start.text) to \(end.text)"))
        }
        let bar = timeline.bar(meantBy: time)
        return bar..<bar + 1
    }

    /// The bar that a text such as `no. 57 (2)` or `57a` means; nil if it means none.
    private static func bar(saidIn text: String, in timeline: Timeline) throws(TextError) -> Int? {
        // Without its word, only a number that is not whole can be meant.
        let said = BarNumber.said(in: text) ?? BarNumber.passes(in: text).filter { !$0.number.isWhole }
        if let bar = said.lazy.compactMap({ timeline.bar(numbered: $0.number, pass: $0.pass) }).first { return bar }
        guard let (number, pass) = said.last else { return nil }
        let count = timeline.passes(ofNumber: number)
        // Other words that begin in the same way are more likely those of a label.
        if count == 0, !number.isWhole { return nil }
        throw Place.missing(number, pass: pass, count: count, in: timeline)
    }

    /// The error for a bar number, or a pass of it, that a piece does not have; `count` passes of it are played.
    package static func missing(
        _ number: BarNumber, pass: Int = 1, count: Int = 0, in timeline: Timeline
    ) -> TextError {
        guard count == 0 else {
            return TextError(
                count == 1
                    ? localized("there is no pass \(pass) of bar \(number.said): it is played once")
                    : localized("there is no pass \(pass) of bar \(number.said): it is played \(count) times"))
        }
        let (first, last) = (timeline[0].number.said, timeline[timeline.barCount - 1].number.said)
        return TextError(
            localized("there is no bar \(number.said): the piece begins with \(first) and ends with \(last)"))
    }

    /// The bar with a number, where a bare number does not mean a bar as played; nil if it does. Throws an error if it
    /// could mean two bars.
    private static func bar(numbered number: Int, in timeline: Timeline) throws(TextError) -> Int? {
        guard timeline.isNumbered, let printed = timeline.bar(numbered: .counted(number)) else { return nil }
        guard (1...timeline.barCount).contains(number) else { return printed }
        guard timeline[number - 1].number != .counted(number) else { return number - 1 }
        let (nth, other, said) = (timeline[number - 1], timeline[printed], BarNumber.counted(number).said)
        throw TextError(
            localized(
                "\(number) could mean the bar with this number, \(other.place), or bar \(number) as played, \(nth.place); "
                    + "write '\(said)' or '\(nth.place)'"))
    }

    private static func numbered(_ parts: [Substring], in timeline: Timeline) throws(TextError) -> Range<Int> {
        guard let first = Int(parts[0]), let second = parts.count == 2 ? Int(parts[1]) : 1 else {
            throw TextError(
                localized("there is no bar \(parts.joined(separator: ".")): the piece has \(timeline.barCount) bars"))
        }
        guard parts.count == 2 else {
            if let bar = try Place.bar(numbered: first, in: timeline) { return bar..<bar + 1 }
            guard first >= 1, first <= timeline.barCount else {
                if timeline.isNumbered { throw Place.missing(.counted(first), in: timeline) }
                throw TextError(localized("there is no bar \(first): the piece has bars 1 to \(timeline.barCount)"))
            }
            return first - 1..<first
        }
        guard let (line, firstNumber) = timeline.line(first) else {
            throw TextError(localized("there is no line \(first): the piece has lines 1 to \(timeline.lineCount)"))
        }
        let last = firstNumber + line.count - 1
        guard (firstNumber...last).contains(second) else {
            throw TextError(
                localized("there is no bar \(second) in line \(first): it has bars \(firstNumber) to \(last)"))
        }
        let place = line.lowerBound + second - firstNumber
        return place..<place + 1
    }
}

extension TextError {
    /// The error for a range whose first place lies after its last.
    package static func order(_ first: String, _ last: String) -> TextError {
        TextError(localized("'\(first)' lies after '\(last)': there is nothing between them"))
    }
}

extension TimedBar {
    /// Its place, such as `5.7`.
    fileprivate var place: String { "\(line).\(bar)" }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
