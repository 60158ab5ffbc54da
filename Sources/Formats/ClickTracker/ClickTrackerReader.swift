internal import Languages
internal import Scores

/// Reads scores of Click Tracker: one item per line; bars are written as meters or beat by beat.
///
/// Sources: the tutorial of Click Tracker by João Pais; recordings that it rendered. Commands for sound, voice and screen
/// are skipped with a warning, and so are lines that Click Tracker does not know.
enum ClickTrackerReader {
    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var script = ClickTrackerScript()
        var ignored: [String: (count: Int, first: Range<Int>)] = [:]
        var count = 0
        let bytes = source.bytes.span
        for line in TextLines(source.bytes) {
            let content = content(bytes, line)
            guard !content.isEmpty else { continue }
            count += 1
            guard count <= PlayedScore.barLimit else {
                log.error(at: content, localized("a Click Tracker score has at most 1 000 000 items"))
                return nil
            }
            do throws(Problem) {
                let item = try ClickTrackerItem(source, content)
                if case .ignored(let word) = item { ignored[word, default: (0, content)].count += 1 }
                script.take(item, content, &log)
            } catch {
                if error.effect == .isSkipped {
                    log.assume(at: error.range, error.error, localized("the line is skipped"))
                } else {
                    log.error(at: error.range, error.error)
                }
            }
        }
        script.finish(&log)
        for (word, (count, first)) in ignored.sorted(by: { $0.value.first.lowerBound < $1.value.first.lowerBound }) {
            log.warning(
                at: first,
                count == 1
                    ? localized("'\(word)' is left out (one line): it does not affect the timing")
                    : localized("'\(word)' is left out (\(count) lines): it does not affect the timing"))
        }
        guard !log.hasErrors else { return nil }
        do throws(Problem) {
            return try ClickTrackerPage.score(of: script, &log)
        } catch {
            log.error(at: error.range, error.error)
            return nil
        }
    }

    /// The share of the first lines that are items.
    static func fit(_ source: SourceText) -> Double {
        source.fit(content: content) { range in (try? ClickTrackerItem(source, range)) != nil }
    }

    /// The part of a line before a comment, without blanks around it and without a semicolon from Pd at its end.
    private static func content(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        let content = bytes.beforeComment(line)
        guard let last = content.last, bytes[last] == UInt8(ascii: ";") else { return content }
        return bytes.trimmed(content.lowerBound..<last)
    }
}
