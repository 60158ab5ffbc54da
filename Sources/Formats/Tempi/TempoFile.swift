internal import Languages
internal import Scores

/// A file of tempi beside a score of another program, so that nobody needs to edit an export: one tempo or gradual change
/// on each line, with the bar where it is.
///
///     bar 1: 96
///     no. 12: rit. to 60 over 2 bars
///     no. 12 (2) beat 3: 1/4. = 72
package struct TempoFile: Sendable {
    private let source: SourceText
    private let rules: [Rule]
    /// What is wrong with the text.
    private let log: DiagnosticLog

    /// Reads a file from its bytes; the name is for messages.
    package init(_ bytes: [UInt8], file: String) {
        var (source, rules, log) = (SourceText(bytes, file: file), [Rule](), DiagnosticLog())
        source.check(&log)
        if !log.hasErrors {
            for line in TextLines(source.bytes) {
                let content = source.bytes.span.beforeComment(line)
                guard !content.isEmpty else { continue }
                if let rule = TempoFile.rule(source, content, &log) { rules.append(rule) }
            }
        }
        if rules.isEmpty, !log.hasErrors {
            log.error(at: 0..<0, localized("the file has no tempi"), hint: TempoFile.example)
        }
        (self.source, self.rules, self.log) = (source, rules, log)
    }

    /// What one line says.
    struct Rule {
        var number: BarNumber
        /// Which time the bar is played; nil for every time.
        var pass: Int?
        var change: TempoChange
        /// The places of the bar and of the change in the file.
        var bar: Range<Int>
        var what: Range<Int>
    }

    /// The score with the tempi of the file, nil after an error; and whether one of them is at the beginning.
    func applied(to score: Score) -> (score: Score?, givesFirstTempo: Bool, diagnostics: [Diagnostic]) {
        var (log, page) = (log, TempoFilePage(score))
        if !log.hasErrors { page.apply(rules, &log) }
        return (log.hasErrors ? nil : page.score, page.givesFirstTempo, log.diagnostics(in: source))
    }

    /// The bars to which it gives a tempo.
    var bars: Set<BarNumber> { Set(rules.map(\.number)) }

    private static let example = localized("for example bar 12: rit. to 60 over 2 bars")

    private static func rule(_ source: SourceText, _ line: Range<Int>, _ log: inout DiagnosticLog) -> Rule? {
        let bytes = source.bytes.span
        guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }) else {
            log.error(at: line, localized("a line is a bar, a colon and a tempo"), hint: example)
            return nil
        }
        let (bar, what) = (bytes.trimmed(line.lowerBound..<colon), bytes.trimmed(colon + 1..<line.upperBound))
        guard let (number, pass, beat) = place(source.text(bar)) else {
            log.error(
                at: bar, localized("\(TextError.quoted(source.text(bar))) is not a bar"),
                hint: localized("for example bar 12, no. 12 (2) or no. 12 beat 3"))
            return nil
        }
        do throws(TextError) {
            let change = TempoChange(at: beat, try kind(source.text(what)))
            return Rule(number: number, pass: pass, change: change, bar: bar, what: what)
        } catch {
            log.error(at: what, error)
            return nil
        }
    }

    /// The bar, its pass and the beat of `bar 12`, `no. 12 (2)` or `no. 12 beat 3.5`; nil if it is none.
    private static func place(_ text: String) -> (number: BarNumber, pass: Int?, beat: Fraction)? {
        var (words, beat) = (text.words[...], Fraction.one)
        if let at = words.lastIndex(where: { $0.lowercased() == "beat" }), at > 0 {
            guard let read = try? Hit.beat(scoreText: words[(at + 1)...].joined(separator: " ")) else { return nil }
            beat = read
            words = words[..<at]
            if words.last?.lowercased() == "at" { words.removeLast() }
        }
        if words.first?.lowercased() == "bar" { words.removeFirst() }
        let said = words.joined(separator: " ")
        let readings = BarNumber.said(in: said) ?? BarNumber.passes(in: said)
        guard let reading = readings.last else { return nil }
        return (reading.number, readings.count > 1 ? reading.pass : nil, beat)
    }

    /// Reads `96`, `1/4. = 60`, or `rit. to 60 over 2 bars` with any words before `to`.
    private static func kind(_ text: String) throws(TextError) -> TempoChange.Kind {
        let words = text.words
        guard let to = words.firstIndex(where: { $0.lowercased() == "to" }) else {
            return .tempo(try TempoMark(scoreText: text))
        }
        guard let over = words[to...].firstIndex(where: { $0.lowercased() == "over" }) else {
            throw TextError(localized("a gradual change of tempo needs its length"), hint: example)
        }
        let target = try Tempo(scoreText: words[(to + 1)..<over].joined(separator: " "))
        var (span, curve) = (words[(over + 1)...], Ramp.Curve.beats)
        if let at = span.firstIndex(where: { $0.lowercased() == "curve" }) {
            curve = try Ramp.Curve(scoreText: span[(at + 1)...].joined(separator: " "))
            span = span[..<at]
        }
        return .ramp(Ramp(to: target, over: try Ramp.Span(scoreText: span.joined(separator: " ")), curve: curve))
    }
}
