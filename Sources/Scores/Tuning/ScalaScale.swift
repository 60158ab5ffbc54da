internal import Glibc
internal import Languages

/// A scale from a Scala file (.scl): the intervals above its first note; it repeats at the last of them.
public struct ScalaScale: Sendable, Equatable {
    /// The description in the file.
    public var name: String
    /// The height of each further note above the first, in cents; none count as one octave of 1200.
    public var cents: [Double]
    /// The file that the scale comes from, as a score names it; nil if there is none.
    public var file: String?

    /// The height of degree `n` above degree 0, in cents; `n` may be in any octave.
    func cents(ofDegree n: Int) -> Double {
        let cents = cents.isEmpty ? [1200] : cents
        let octave = Int((Double(n) / Double(cents.count)).rounded(.down))
        let step = n - octave * cents.count
        return Double(octave) * cents[cents.count - 1] + (step == 0 ? 0 : cents[step - 1])
    }

    /// Reads a .scl file: a description, the number of notes, then one pitch per line, either a ratio (`3/2`, `2`) or
    /// cents with a decimal point (`701.955`). Lines that begin with `!` are comments.
    public init(scalaText text: String) throws(TextError) {
        var lines = ScalaLines(text)
        name = try lines.next(localized("a description")).text
        let counted = try lines.next(localized("the number of notes"))
        guard let word = counted.words.first, let count = Int(word), (1...1024).contains(count) else {
            throw TextError(line: counted.number, localized("the number of notes must be 1 to 1024"))
        }
        cents = []
        for _ in 0..<count {
            let line = try lines.next(
                orSay: localized("the file has fewer notes than it says: \(cents.count) of \(count)"))
            guard let word = line.words.first, let value = ScalaScale.cents(word) else {
                throw TextError(
                    line: line.number,
                    localized("\(TextError.quoted(line.text)) is not a pitch, for example 3/2 or 701.955"))
            }
            cents.append(value)
        }
        guard let last = cents.last, last > 0 else {
            throw TextError(
                line: lines.number, localized("the last pitch, at which the scale repeats, must be above the first"))
        }
    }

    private static func cents(_ word: String) -> Double? {
        if word.contains(".") { return Double(word).flatMap { abs($0) <= 120_000 ? $0 : nil } }
        let numbers = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count <= 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        return 1200 * log2(Double(numbers[0]) / Double(numbers.count == 2 ? numbers[1] : 1))
    }
}

/// A keyboard map (.kbm): which key has which degree of a Scala scale, and the frequency of one key.
public struct ScalaMap: Sendable, Equatable {
    /// The key with degree 0, as a MIDI note number.
    public var middle: Int
    /// The reference key, whose frequency is given.
    public var reference: Int
    /// The frequency of the reference key, in Hz.
    public var hertz: Double
    /// By how many degrees each repetition of the map is higher than the previous one.
    public var octave: Int
    /// The degrees of the keys from the middle key up; nil for a key without one. If empty, every key has a degree.
    public var degrees: [Int?]
    /// The file that the map comes from, as a score names it; nil if there is none.
    public var file: String?

    /// The map to use if there is no file: degree 0 is middle C, every key has a degree, A4 is 440 Hz.
    public static let linear = ScalaMap(middle: 60, reference: 69, hertz: 440, octave: 0, degrees: [])

    /// Makes a map.
    public init(middle: Int, reference: Int, hertz: Double, octave: Int, degrees: [Int?]) {
        self.middle = middle
        self.reference = reference
        self.hertz = hertz
        self.octave = octave
        self.degrees = degrees
    }

    /// The frequency of a key in Hz; a key without a degree has the frequency of the next lower key that has one.
    func frequency(ofKey key: Int, in scale: ScalaScale) -> Double {
        hertz * exp2((scale.cents(ofDegree: degree(key)) - scale.cents(ofDegree: degree(reference))) / 1200)
    }

    private func degree(_ key: Int) -> Int {
        // Numbers outside this range, which no file has, are inaudible, and could overflow.
        func held(_ number: Int) -> Int { min(max(number, -100_000), 100_000) }
        let height = held(key) - held(middle)
        for lower in 0..<degrees.count {
            let above = height - lower
            let repeats = Int((Double(above) / Double(degrees.count)).rounded(.down))
            if let degree = degrees[above - repeats * degrees.count] { return held(degree) + repeats * held(octave) }
        }
        return height
    }

    /// Reads a .kbm file: size, first and last key (both ignored), middle key, reference key, its frequency, the degree
    /// of the octave, then a degree or `x` for each key. Lines that begin with `!` are comments.
    public init(scalaText text: String) throws(TextError) {
        var lines = ScalaLines(text)
        let size = try lines.integer(localized("the size of the map"), 0...1024)
        _ = try lines.integer(localized("the first key"), 0...127)
        _ = try lines.integer(localized("the last key"), 0...127)
        middle = try lines.integer(localized("the middle key"), 0...127)
        reference = try lines.integer(localized("the reference key"), 0...127)
        let line = try lines.next(localized("the reference frequency"))
        guard let word = line.words.first, let hertz = Double(word), (1...24000).contains(hertz) else {
            throw TextError(line: line.number, localized("the reference frequency must be 1 to 24000 Hz"))
        }
        self.hertz = hertz
        octave = try lines.integer(localized("the degree of the octave"), 0...1024)
        degrees = []
        for _ in 0..<size {
            guard let line = try? lines.next(localized("a degree")) else { break }
            let word = line.words.first ?? ""
            guard word == "x" || (Int(word).map { (-1024...1024).contains($0) } ?? false) else {
                throw TextError(line: line.number, localized("\(TextError.quoted(line.text)) is not a degree or x"))
            }
            degrees.append(Int(word))
        }
        // Keys missing at the end of the file have no degree.
        degrees += Array(repeating: nil, count: size - degrees.count)
        if size > 0, degrees.allSatisfy({ $0 == nil }) {
            throw TextError(line: lines.number, localized("no key has a degree"))
        }
    }
}

extension TextError {
    /// An error in a line of a Scala file, counted from 1.
    fileprivate init(line: Int, _ message: String) { self.init(localized("line \(line): \(message)")) }
}

/// The lines of a Scala file except comments.
private struct ScalaLines {
    private let lines: [(number: Int, text: String)]
    private var position = 0
    private(set) var number = 1

    init(_ text: String) {
        var all: [(Int, String)] = []
        let text = String(decoding: Array(text.utf8).unmarked, as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.hasPrefix("!") { all.append((index + 1, String(line).trimmingBlanks)) }
        // No line begins after the last line end.
        if all.last?.1 == "" { all.removeLast() }
        lines = all
    }

    mutating func next(_ what: String) throws(TextError) -> (number: Int, text: String, words: [String]) {
        try next(orSay: localized("the file lacks \(what)"))
    }

    mutating func next(
        orSay message: @autoclosure () -> String
    ) throws(TextError) -> (number: Int, text: String, words: [String]) {
        guard position < lines.count else { throw TextError(line: number, message()) }
        defer { position += 1 }
        let line = lines[position]
        number = line.number
        return (line.number, line.text, line.text.words)
    }

    mutating func integer(_ what: String, _ range: ClosedRange<Int>) throws(TextError) -> Int {
        let line = try next(what)
        guard let word = line.words.first, let value = Int(word), range.contains(value) else {
            throw TextError(line: line.number, localized("\(what) must be \(range.lowerBound) to \(range.upperBound)"))
        }
        return value
    }
}
