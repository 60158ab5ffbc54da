internal import Scores

/// One boundary of a performance in the timing log: when it should have been heard, and when it was. A row with the flag
/// `tap` is a moment at which the player began a bar.
///
/// Values are rounded to the precision of the log when the row is made: a row read back equals the one written.
public struct TimingRow: Sendable, Equatable {
    /// The number of the bar that the boundary begins, from 1, as in the timeline of the piece.
    public let index: Int
    /// The bar's label; empty for none.
    public let label: String
    /// The bar's line, from 1; nil if the log does not tell it.
    public let line: Int?
    /// The bar's number in its line, from 1; nil if the log does not tell it.
    public let bar: Int?
    /// The time when it should be heard, in ns after time zero, within ±4·10⁹ s.
    public let nominalNanoseconds: Int64
    /// The time when it was heard by CLOCK_MONOTONIC, in ns after time zero, within ±4·10⁹ s; nil if it was lost.
    public let heardNanoseconds: Int64?
    /// The absolute frame at which it begins, the fraction in millionths.
    public private(set) var position: FramePosition
    /// The estimated deviation of the card's rate at that time, in ppm: positive is fast.
    public let ratePPM: Double
    /// The uncertainty of the position in the clock model, in µs, one standard deviation.
    public let uncertaintyMicroseconds: Double
    /// The incidents at the boundary; `lost` exactly if it was not heard.
    public let flags: Flags

    /// Incidents at a boundary.
    public struct Flags: OptionSet, Sendable, Equatable {
        /// The flags as bits.
        public let rawValue: UInt16

        /// Makes flags from bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// It was heard late: its time had passed before it could be written to the card.
        public static let late = Flags(rawValue: 1)
        /// It was not heard at all.
        public static let lost = Flags(rawValue: 2)
        /// It is the first after a jump.
        public static let jump = Flags(rawValue: 4)
        /// It is the first after a pause.
        public static let resumed = Flags(rawValue: 8)
        /// The card ran dry: the boundary was lost by that, or is the first one after it.
        public static let xrun = Flags(rawValue: 16)
        /// The card's pointer slipped without an error: its time is uncertain, or it is the first by the new clock.
        public static let slip = Flags(rawValue: 32)
        /// It makes no sound: its click was muted, or its bar is silent.
        public static let muted = Flags(rawValue: 64)
        /// The device was away, or the machine slept: the boundary was lost by that, or is the first one after it.
        public static let away = Flags(rawValue: 128)
        /// It is no boundary: at this time the player began a bar. The boundary is the nearest one.
        public static let tap = Flags(rawValue: 256)
        /// It is the first after a hold at which the music waited for the player.
        public static let held = Flags(rawValue: 512)

        /// The words for the flags, in the order of the log.
        static let words: [(word: String, flag: Flags)] = [
            ("late", .late), ("lost", .lost), ("jump", .jump), ("resumed", .resumed), ("xrun", .xrun),
            ("away", .away), ("slip", .slip), ("muted", .muted), ("tap", .tap), ("held", .held),
        ]

        /// The words of the flags, separated by spaces; empty for none.
        public var text: String { Flags.words.filter { contains($0.flag) }.map(\.word).joined(separator: " ") }
    }

    /// Makes a row. `heard` is nil for a boundary that was lost; the flag `lost` is set accordingly.
    ///
    /// Times are rounded to the ns, the position to a millionth of a frame, rate (ppm) and uncertainty (µs) to three
    /// decimals. Values are clamped: index ≥ 1, frame ±10¹⁵, rate and uncertainty ±10⁹, times as above, NaN is 0.
    public init(
        index: Int, label: String = "", nominal: Duration, heard: Duration?, position: FramePosition,
        ratePPM: Double = 0, uncertaintyMicroseconds: Double = 0, flags: Flags = [], line: Int? = nil, bar: Int? = nil
    ) {
        self.init(
            index: index, label: label, nominalNanoseconds: Self.nanoseconds(nominal),
            heardNanoseconds: heard.map(Self.nanoseconds), microframes: Self.microframes(position),
            rate: Self.thousandths(ratePPM), uncertainty: max(Self.thousandths(uncertaintyMicroseconds), 0),
            flags: flags, line: line, bar: bar)
    }

    /// Makes a row from the values of the log, all within their ranges: ns, millionths of a frame, thousandths.
    init(
        index: Int, label: String, nominalNanoseconds: Int64, heardNanoseconds: Int64?, microframes: Int128,
        rate: Int64, uncertainty: Int64, flags: Flags, line: Int?, bar: Int?
    ) {
        self.index = max(index, 1)
        self.label = label
        let hasPlace = line != nil && bar != nil
        (self.line, self.bar) = (hasPlace ? line.map { max($0, 1) } : nil, hasPlace ? bar.map { max($0, 1) } : nil)
        self.nominalNanoseconds = nominalNanoseconds
        self.heardNanoseconds = heardNanoseconds
        position = Self.position(microframes)
        ratePPM = Double(rate) / 1000
        uncertaintyMicroseconds = Double(uncertainty) / 1000
        self.flags = heardNanoseconds == nil ? flags.union(.lost) : flags.subtracting(.lost)
    }

    /// The same row, with another frame at which it begins, as in a recording; rounded to a millionth of a frame.
    package func placed(at position: FramePosition) -> TimingRow {
        var row = self
        row.position = Self.position(Self.microframes(position))
        return row
    }

    private static func position(_ microframes: Int128) -> FramePosition {
        var (frame, millionths) = microframes.quotientAndRemainder(dividingBy: 1_000_000)
        if millionths < 0 { (frame, millionths) = (frame - 1, millionths + 1_000_000) }
        return FramePosition(frame: Int64(frame), fraction: Double(Int64(millionths)) / 1e6)
    }

    /// The time when it should be heard, after time zero.
    public var nominal: Duration { .nanoseconds(nominalNanoseconds) }
    /// The time when it was heard at the converter by CLOCK_MONOTONIC, after time zero; nil if it was lost.
    public var heard: Duration? { heardNanoseconds.map { .nanoseconds($0) } }

    /// Heard minus nominal time in µs, negative if it was early; nil if it was lost.
    public var errorMicroseconds: Double? { errorNanoseconds.map { Double($0) / 1000 } }

    /// Heard minus nominal time in ns; nil if it was lost.
    var errorNanoseconds: Int64? { heardNanoseconds.map { $0 - nominalNanoseconds } }

    /// Whether it is a moment at which the player began a bar, and no boundary.
    public var isTap: Bool { flags.contains(.tap) }

    // MARK: - Text

    /// The names of the columns: the first line of every log.
    public static let header = oldHeader + ",line,bar"
    /// The first line of logs that do not tell lines.
    static let oldHeader = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags"

    /// The row as a line of the log, by RFC 4180, without a line end. Times have 9 decimals, frames 6, others 3.
    public var csv: String {
        let fields = [
            String(index), CSVText.quoted(label),
            FixedText.text(Int128(nominalNanoseconds), decimals: 9),
            heardNanoseconds.map { FixedText.text(Int128($0), decimals: 9) } ?? "",
            errorNanoseconds.map { FixedText.text(Int128($0), decimals: 3) } ?? "",
            FixedText.text(Self.microframes(position), decimals: 6),
            FixedText.text(Int128(Self.thousandths(ratePPM)), decimals: 3),
            FixedText.text(Int128(Self.thousandths(uncertaintyMicroseconds)), decimals: 3),
            flags.text, line.map { String($0) } ?? "", bar.map { String($0) } ?? "",
        ]
        return fields.joined(separator: ",")
    }

    // MARK: - Ranges

    /// The limits of the ranges: time from time zero in s, frame, and rate or uncertainty.
    static let (secondsLimit, frameLimit, numberLimit) = (Int128(4_000_000_000), Int128(1e15), Int128(1e9))

    private static func nanoseconds(_ time: Duration) -> Int64 {
        let unit = Int128(1_000_000_000)
        let (limit, half) = (secondsLimit * unit * unit, unit / 2)
        let held = min(max(time.attoseconds, -limit), limit)
        return Int64((held + (time < .zero ? -half : half)) / unit)
    }

    private static func microframes(_ position: FramePosition) -> Int128 {
        let fraction = position.fraction.isNaN ? 0 : min(max(position.fraction, 0), 1)
        let exact = Int128(position.frame) * 1_000_000 + Int128((fraction * 1e6).rounded())
        return min(max(exact, -frameLimit * 1_000_000), frameLimit * 1_000_000)
    }

    private static func thousandths(_ value: Double) -> Int64 {
        value.isNaN ? 0 : Int64(min(max((value * 1000).rounded(), -1e12), 1e12))
    }
}
