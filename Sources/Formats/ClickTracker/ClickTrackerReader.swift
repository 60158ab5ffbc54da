internal import Scores

extension ScoreFormat.Definition {
    static var clickTracker: Self {
        Self(
            name: "a Click Tracker score", extensions: ["txt"], content: .anyText,
            recognizes: ClickTrackerReader.recognizes, read: ClickTrackerReader.read)
    }
}

/// Reads scores of Click Tracker: one item per line; bars are written as meters or beat by beat.
///
/// Source: the tutorial of Click Tracker by João Pais. Commands for sound, voice and screen are skipped with a warning.
struct ClickTrackerReader {
    private let source: SourceText
    private var items: [(item: ClickTrackerItem, range: Range<Int>)] = []
    private var page = ClickTrackerPage()
    private var ignored: [String: (count: Int, first: Range<Int>)] = [:]

    /// How deep repeats may be nested.
    private static let depthLimit = 8

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = ClickTrackerReader(source: source)
        let bytes = source.bytes.span
        var lines = TextLines()
        while let line = lines.next(bytes) {
            let content = content(bytes, line)
            guard !content.isEmpty else { continue }
            do throws(ClickTrackerItem.Fault) {
                let item = try ClickTrackerItem(source, content)
                if case .ignored(let word) = item {
                    reader.ignored[word, default: (0, content)].count += 1
                } else {
                    reader.items.append((item, content))
                }
                guard reader.items.count <= PlayedScore.barLimit else {
                    log.error(at: content, "a Click Tracker score has at most 1 000 000 items")
                    return nil
                }
            } catch {
                log.error(at: error.range, error.text)
            }
        }
        for (word, (count, first)) in reader.ignored.sorted(by: {
            $0.value.first.lowerBound < $1.value.first.lowerBound
        }) {
            log.warning(
                at: first,
                "'\(word)' is left out (\(count == 1 ? "one line" : "\(count) lines")): it does not affect the timing")
        }
        guard !log.hasErrors else { return nil }
        do throws(ClickTrackerItem.Fault) {
            try reader.play(0..<reader.items.count, depth: 0)
            return try reader.page.score()
        } catch {
            log.error(at: error.range, error.text)
            return nil
        }
    }

    /// Whether the first line with content is an item (an entry of klick is not).
    static func recognizes(_ source: SourceText) -> Bool {
        let bytes = source.bytes.span
        var lines = TextLines()
        while let line = lines.next(bytes) {
            let content = content(bytes, line)
            guard !content.isEmpty else { continue }
            return content.count < 10_000 && (try? ClickTrackerItem(source, content)) != nil
        }
        return false
    }

    private init(source: SourceText) { self.source = source }

    /// The part of a line before a comment, without blanks around it and without a semicolon from Pd at its end.
    private static func content(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        var end = line.lowerBound
        while end < line.upperBound, bytes[end] != UInt8(ascii: "#") { end += 1 }
        let content = bytes.trimmed(line.lowerBound..<end)
        guard let last = content.last, bytes[last] == UInt8(ascii: ";") else { return content }
        return bytes.trimmed(content.lowerBound..<last)
    }

    /// Plays a range of items; plays those of a repeat several times.
    private mutating func play(_ range: Range<Int>, depth: Int) throws(ClickTrackerItem.Fault) {
        var index = range.lowerBound
        while index < range.upperBound {
            let (item, place) = items[index]
            index += 1
            guard case .repeat(let quarters, let times) = item else {
                try page.take(item, place)
                continue
            }
            guard depth < ClickTrackerReader.depthLimit else {
                throw ClickTrackerItem.Fault(place, "repeats are nested more than 8 deep")
            }
            let end = try end(of: quarters, from: index, in: range.upperBound, place)
            for _ in 0..<times { try play(index..<end, depth: depth + 1) }
            index = end
        }
    }

    /// The index of the item after this many quarters.
    private func end(
        of quarters: Fraction, from first: Int, in limit: Int, _ place: Range<Int>
    ) throws(ClickTrackerItem.Fault) -> Int {
        var (left, index) = (Optional(quarters), first)
        while let rest = left {
            guard index < limit else {
                throw ClickTrackerItem.Fault(place, "the piece ends before the end of this repeat")
            }
            if let length = items[index].item.quarters {
                guard length <= rest else {
                    throw ClickTrackerItem.Fault(
                        place, "this repeat ends inside an item",
                        hint: "it is \(quarters.value.roundedText) quarters long")
                }
                left = rest.minus(length)
            } else if case .repeat = items[index].item {
                throw ClickTrackerItem.Fault(items[index].range, "the length of a repeat cannot contain another repeat")
            }
            index += 1
        }
        return index
    }
}

extension ClickTrackerItem {
    /// The length in quarters; nil for a command.
    fileprivate var quarters: Fraction? {
        switch self {
        case .bar(let meter, let times): meter.length * Fraction(4) * Fraction(Int64(times))
        case .beat(let beat, let times): beat.length * Fraction(Int64(times))
        default: nil
        }
    }
}
