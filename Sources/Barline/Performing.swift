internal import Languages
public import Playback
public import Scores
public import Timing

extension Performance {
    /// Makes a performance of a score or of a part of it. Where you give no value, the score's own is used.
    ///
    /// `from` and `to` are places as `Place` reads them: "5.7" is line 5, bar 7, "57" is bar 57, and a label names its
    /// bar or line. The part is played once, or until stopped if the score repeats forever. `a4` is 380 ... 480 Hz.
    public init(
        _ score: Score, from first: String? = nil, to last: String? = nil, a4: Double? = nil, speed: Speed? = nil
    ) throws(PerformanceError) {
        try self.init(score, from: first, to: last, times: score.isEndless ? nil : 1, a4: a4, speed: speed)
    }

    /// The same, played `times` times, nil until stopped, whether or not the score repeats forever.
    public init(
        _ score: Score, from first: String? = nil, to last: String? = nil, times: Int?, a4: Double? = nil,
        speed: Speed? = nil
    ) throws(PerformanceError) {
        let timeline = Timeline(score)
        let begin = try first.map { (text) throws(PerformanceError) in try Place.named(text, in: timeline) }
        let end = try last.map { (text) throws(PerformanceError) in try Place.named(text, in: timeline) }
        let bars = (begin?.lowerBound ?? 0, end?.upperBound ?? timeline.barCount)
        guard bars.0 < bars.1 else { throw .nothingBetween(first ?? "", last ?? "") }
        guard times ?? 1 > 0 else { throw .times(times ?? 0) }
        self.init(of: score, passage: Passage(timeline, bars: bars.0..<bars.1, passes: times))
        if let a4 { self.a4 = a4 }
        if let speed { self.speed = speed }
        try check()
    }

    /// Throws if no output could play this.
    func check() throws(PerformanceError) {
        guard Score.a4Range.contains(a4) else { throw .a4(a4) }
        if let fault = pitchFault() { throw .drone(fault) }
        if let excess = passage.excess { throw .tooLong(excess) }
    }
}

extension Place {
    fileprivate static func named(_ text: String, in timeline: Timeline) throws(PerformanceError) -> Range<Int> {
        do throws(TextError) { return try Place(text, in: timeline).bars } catch { throw .noSuchPlace(error) }
    }
}

extension Renderer {
    /// Makes a renderer for a score: `try Renderer(score, a4: 442).write(to: "study.flac")`.
    public init(
        _ score: Score, a4: Double? = nil, speed: Speed? = nil, format: SoundFormat = SoundFormat()
    ) throws(PerformanceError) {
        self.init(try Performance(score, a4: a4, speed: speed), format: format)
    }
}

extension Speed {
    /// A speed in percent, limited to 5 ... 1000; 100 is as written.
    public init(percent: Double) {
        let millionths = (percent * 10_000).rounded()
        let range = (Double(Speed.range.lowerBound), Double(Speed.range.upperBound))
        self =
            Speed(millionths: millionths.isNaN ? 1_000_000 : Int64(min(max(millionths, range.0), range.1)))
            ?? .asWritten
    }
}

/// Why a score cannot be performed in this way.
public enum PerformanceError: Error, Equatable, CustomStringConvertible {
    /// The piece has no such place.
    case noSuchPlace(TextError)
    /// The first place lies after the second.
    case nothingBetween(String, String)
    /// The number of times to play the piece is less than 1.
    case times(Int)
    /// A4, in Hz, is outside 380 ... 480.
    case a4(Double)
    /// A note of the drone is out of range; the text says which.
    case drone(String)
    /// The performance would last more than 100 000 h, or takes more than 10 000 jumps, as the text says.
    case tooLong(TextError)

    /// One sentence.
    public var description: String {
        switch self {
        case .noSuchPlace(let error): error.description
        case .nothingBetween(let first, let last):
            localized("'\(first)' lies after '\(last)': there is nothing to play")
        case .times(let count): localized("a piece cannot be played \(count) times")
        case .a4(let hertz): localized("A4 is \(hertz) Hz, but must be 380 to 480 Hz")
        case .drone(let fault): fault
        case .tooLong(let error): error.description
        }
    }
}
