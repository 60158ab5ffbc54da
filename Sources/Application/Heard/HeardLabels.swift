internal import Hearing
internal import Languages
internal import Running
internal import Scores
internal import Timing

/// The bars of a take as labels for Audacity, which people correct by hand: points with a place, such as `5.7 again ?`.
enum HeardLabels {
    private static let again: Substring = "again"

    static func text(_ bars: [HeardBar], _ heard: HeardScore) -> [UInt8] {
        var text = ""
        for bar in bars {
            guard let seconds = bar.seconds else { continue }
            let time = Duration(inSeconds: seconds).seconds(decimals: 6)
            let timed = heard.passage.bar(of: bar.bar)
            let words = ["\(timed.line).\(timed.bar)", bar.isRestart ? String(again) : "", bar.isSure ? "" : "?"]
            text += "\(time)\t\(time)\t\(words.filter { !$0.isEmpty }.joined(separator: " "))\n"
        }
        return Array(text.utf8)
    }

    /// Reads labels of a recording of `length` seconds, if that is known. Errors end the command; each is reported with its line.
    static func read(_ path: String, _ heard: HeardScore, length: Double?) throws -> [HeardBar] {
        let bytes = try InputFile.read(
            path, limit: 16 << 20, localized("'\(path)' has more than 16 MiB of labels"))
        var labels: [(seconds: Double, bar: HeardBar)] = []
        var moments: Set<Double> = []
        let lines = String(decoding: bytes.unmarked, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0.isNewline
        }
        for (index, line) in lines.enumerated() {
            // A line with a backslash has the frequencies of the label before.
            guard line.contains(where: { !$0.isWhitespace }), !line.hasPrefix("\\") else { continue }
            func fault(_ message: String) -> any Error {
                Failure.exit(.badData, "\(path):\(index + 1): \(message)")
            }
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let seconds = Double(fields[0]), seconds.isFinite, seconds >= 0 else {
                throw fault(localized("a label must be a start, an end and a text, separated by tabs"))
            }
            if let length, seconds > length {
                throw fault(localized("the recording has only \(Duration(inSeconds: length).seconds(decimals: 2)) s"))
            }
            guard moments.insert(seconds).inserted else {
                throw fault(localized("another label is at the same moment"))
            }
            var words = fields[2].split(separator: " ")
            let isUnsure = words.last?.last == "?"
            if isUnsure, let last = words.popLast(), last.count > 1 { words.append(last.dropLast()) }
            let isRestart = words.last == again
            if isRestart { words.removeLast() }
            let place: Place
            do throws(TextError) {
                place = try Place(words.joined(separator: " "), in: heard.passage.timeline)
            } catch {
                throw fault("\(error)")
            }
            let near = (labels.last?.bar.bar).map { $0 + 1 } ?? heard.first
            guard let bar = heard.passage.boundary(ofBar: place.bars.lowerBound, near: near), bar < heard.count else {
                throw fault(localized("this bar is not between --from and --to"))
            }
            labels.append(
                (seconds, HeardBar(bar: bar, seconds: seconds, confidence: isUnsure ? 0 : 1, isRestart: isRestart)))
        }
        guard !labels.isEmpty else { throw Failure.exit(.badData, localized("'\(path)' has no labels")) }
        var bars: [HeardBar] = []
        for (_, label) in labels.sorted(by: { $0.seconds < $1.seconds }) {
            var label = label
            if let last = bars.last {
                label.isRestart = label.isRestart || label.bar <= last.bar
                if !label.isRestart {
                    for bar in last.bar + 1..<label.bar { bars.append(HeardBar(bar: bar, seconds: nil, confidence: 0)) }
                }
            }
            bars.append(label)
        }
        return bars
    }
}
