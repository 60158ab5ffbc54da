internal import Languages
internal import Scores

/// Reads scores in the language of SO(a)P, IRCAM's metronome for the browser: one statement per line.
///
/// Source: the documentation of soap-score, and the behavior of its interpreter.
struct SoapReader {
    private var bars: [SoapBar] = []
    private var itemCount = 0
    private var hasEnd = false
    /// Tempi that are listed after one at a later beat of their bar; and the last of the tempi that are in order.
    private var unordered: [Range<Int>] = []
    private var lastTempo: (bar: Int, beat: SoapBeat)?

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = SoapReader()
        for line in TextLines(source.bytes) {
            let words = SoapWords(source, line)
            guard !words.isAtEnd else { continue }
            do throws(Problem) {
                try reader.add(SoapStatement(words), words.here)
            } catch {
                log.error(at: error.range, error.error)
            }
            guard reader.itemCount <= PlayedScore.barLimit else {
                log.error(at: words.here, localized("a SO(a)P score has at most 1 000 000 items"))
                return nil
            }
        }
        if reader.bars.isEmpty, !log.hasErrors {
            log.error(
                at: 0..<0, localized("the score has no bars"), hint: localized("for example BAR 1 [4/4] TEMPO [1/4]=60")
            )
        }
        guard !log.hasErrors else { return nil }
        reader.sortItems()
        let places = SoapPlaces(reader.bars)
        do throws(Problem) {
            var page = SoapPage(places.bars)
            let score = try page.score()
            reader.warn(page, places, &log)
            return score
        } catch {
            log.error(at: error.range, error.error)
            return nil
        }
    }

    /// The share of the first lines that are statements.
    static func fit(_ source: SourceText) -> Double {
        // A line may have only a comment.
        source.fit(content: { bytes, line in SoapWords(source, line).isAtEnd ? 0..<0 : bytes.trimmed(line) }) { line in
            (try? SoapStatement(SoapWords(source, line))) != nil
        }
    }

    private mutating func add(_ statement: SoapStatement, _ range: Range<Int>) throws(Problem) {
        itemCount += statement.items.count + 1
        if let (number, place) = statement.bar {
            let last = bars.last?.number ?? 0
            guard number >= last else {
                throw Problem(
                    place, localized("BAR \(number) comes after BAR \(last)"), hint: localized("list the bars in order")
                )
            }
            if number > last {
                guard !hasEnd else { throw Problem(place, localized("there is an END before this bar")) }
                bars.append(SoapBar(number: number, range: place))
            }
        }
        guard !bars.isEmpty else {
            throw Problem(
                range, localized("there is no BAR before this line"),
                hint: localized("for example BAR 1 [4/4] TEMPO [1/4]=60"))
        }
        for (item, beat, range) in statement.items where item.isTempo {
            if let lastTempo, lastTempo.bar == bars.count, beat < lastTempo.beat {
                unordered.append(range)
            } else {
                lastTempo = (bars.count, beat)
            }
        }
        bars[bars.count - 1].items += statement.items
        for case .end in statement.items.map(\.item) { hasEnd = true }
    }

    private mutating func sortItems() {
        for index in bars.indices where bars[index].items.count > 1 {
            // Items at one beat keep their order.
            bars[index].items = bars[index].items.enumerated()
                .sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }.map(\.element)
        }
    }

    private func warn(_ page: SoapPage, _ places: SoapPlaces, _ log: inout DiagnosticLog) {
        for range in places.late.prefix(20) {
            log.warning(
                at: range,
                localized("this tempo is after the end of its bar, where SO(a)P stops; it is read 0.01 beats before it")
            )
        }
        for range in unordered.prefix(20) {
            log.warning(
                at: range,
                localized("this tempo is listed after one at a later beat; both are read in the order of their beats"))
        }
        if !hasEnd, let last = bars.last {
            log.warning(
                at: last.range,
                localized("there is no END, so SO(a)P plays on for ever; here the piece ends with this bar"),
                hint: localized("write BAR \(last.number) END"))
        }
        if let (count, first) = page.innerLabels {
            log.warning(
                at: first,
                count == 1
                    ? localized("a label inside a bar is shown when the bar begins")
                    : localized("\(count) labels inside bars are shown when the bar begins"))
        }
        for range in page.mixedCurves {
            log.warning(
                at: range,
                localized("the curve before this tempo leads to its number, but counts another note, as in SO(a)P"),
                hint: localized("give both ends of a curve the same note"))
        }
    }
}
