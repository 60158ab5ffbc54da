internal import Scores

/// A word of a picture, in a size.
struct PictureWord {
    var text: String
    var size: Double
    var isBold = false

    /// The room that it needs. If Helvetica is not available, a viewer may take a font that is almost a third wider.
    var width: Double { Helvetica.width(text, size: size, isBold: isBold) * 1.3 }

    /// The word in lines of at most a width, broken at blanks or, in a longer word, anywhere.
    func lines(width: Double) -> [PictureWord] {
        var lines: [PictureWord] = []
        var line = PictureWord(text: "", size: size, isBold: isBold)
        for part in text.split(separator: " ") {
            var longer = line
            longer.text += (line.text.isEmpty ? "" : " ") + part
            if longer.width <= width {
                line = longer
                continue
            }
            if !line.text.isEmpty { lines.append(line) }
            line.text = ""
            for letter in part {
                longer.text = line.text + String(letter)
                if longer.width > width, !line.text.isEmpty {
                    lines.append(line)
                    line.text = String(letter)
                } else {
                    line.text = longer.text
                }
            }
        }
        return line.text.isEmpty ? lines : lines + [line]
    }
}

/// Texts above or below the bars of a row, in as many levels as they need so that none is on another. Level 0 is next to
/// the bars.
struct PictureStack {
    /// A word at its place.
    struct Item {
        var word: PictureWord
        var x: Double
        var level: Int
        var ink = Picture.Ink.full
    }

    /// Where texts end.
    let edge: Double
    var items: [Item] = []
    /// Lines from bars up to texts in higher levels.
    private(set) var poles: [(x: Double, level: Int)] = []
    /// The parts of each level that are taken.
    private var levels: [[ClosedRange<Double>]] = []

    /// The height of a level.
    static let step = 9.5
    /// The maximum number of levels: a row that needs more is divided.
    static let levelLimit = 20
    /// The widest text; longer ones have several lines.
    private static let widest = 240.0

    init(edge: Double) { self.edge = edge }

    /// How many levels are taken.
    var height: Int { levels.count }

    /// Adds a word at the lowest level that has room, or only if a certain level has room. Returns whether it was added.
    @discardableResult
    mutating func add(_ word: PictureWord, at x: Double, onlyLevel: Int, ink: Picture.Ink) -> Bool {
        let range = x - 1...x + word.width + 1
        guard range.upperBound <= edge, isFree(onlyLevel, range) else { return false }
        occupy(onlyLevel, range)
        items.append(Item(word: word, x: x, level: onlyLevel, ink: ink))
        return true
    }

    /// Adds words that belong to a place: side by side if they are short, otherwise below each other, in lines.
    mutating func add(_ words: [PictureWord], at x: Double, from lowest: Int, hasPole: Bool) {
        guard !words.isEmpty else { return }
        let width = words.reduce(0) { $0 + $1.width } + 3 * Double(words.count - 1)
        if width <= PictureStack.widest {
            let (start, level) = place(width, at: x, from: lowest, lines: 1)
            var next = start
            for word in words {
                items.append(Item(word: word, x: next, level: level))
                next += word.width + 3
            }
            raise(x, level, hasPole)
            return
        }
        // The first word is the highest.
        for word in words.reversed() {
            let lines = word.lines(width: PictureStack.widest)
            let width = lines.map(\.width).max() ?? 0
            let (start, level) = place(width, at: x, from: lowest, lines: lines.count)
            for (number, line) in lines.reversed().enumerated() {
                items.append(Item(word: line, x: start, level: level + number))
            }
            raise(x, level, hasPole)
        }
    }

    /// Takes the lowest level with room for lines of a width.
    mutating func place(_ width: Double, at x: Double, from lowest: Int, lines: Int) -> (x: Double, level: Int) {
        let x = min(x, edge - width)
        let range = x - 1...x + width + 1
        var level = lowest
        while !(level..<level + lines).allSatisfy({ isFree($0, range) }) { level += 1 }
        for line in level..<level + lines { occupy(line, range) }
        return (x, level)
    }

    /// Draws a line from the bar to a text that is not next to it. Later texts keep away from it.
    private mutating func raise(_ x: Double, _ level: Int, _ hasPole: Bool) {
        guard hasPole || level > 1 else { return }
        poles.append((x - 1.5, level))
        for lower in 0..<level { occupy(lower, x - 1.5...x - 1.5) }
    }

    private func isFree(_ level: Int, _ range: ClosedRange<Double>) -> Bool {
        // A row with so many levels is divided: what is on another text there is not drawn.
        guard level < min(levels.count, PictureStack.levelLimit * 2) else { return true }
        return !levels[level].contains { $0.overlaps(range) }
    }

    private mutating func occupy(_ level: Int, _ range: ClosedRange<Double>) {
        while levels.count <= level { levels.append([]) }
        levels[level].append(range)
    }
}

extension Fraction {
    /// The note value as a player writes it, with its tuplet: `1/4`, `1/8.`, `1/4 3:2`.
    var shownNote: String { tuplet.map { "\($0.value.noteText) \($0.notes):\($0.time)" } ?? noteText }

    /// The note value without its tuplet.
    var untupled: Fraction { tuplet?.value ?? self }

    /// The value that is written, and the tuplet: so many notes in the time of the largest power of two below.
    private var tuplet: (value: Fraction, notes: Int64, time: Int64)? {
        let notes = denominator >> Int64(denominator.trailingZeroBitCount)
        guard notes > 1, notes < 1000 else { return nil }
        var time: Int64 = 1
        while time * 2 < notes { time *= 2 }
        return (self * Fraction(notes, time), notes, time)
    }
}

extension Tempo {
    /// The tempo with up to seven digits as written, otherwise rounded.
    var shown: String {
        let exact = rate.text
        let isShort = exact.utf8.count <= 8 && !exact.contains(":")
        return "\(value.shownNote) = \(isShort ? exact : rate.value.roundedText)"
    }

    /// The same tempo, counted in another note value.
    func counted(in value: Fraction) -> Tempo { Tempo(value, wholeNotes / value) }
}
