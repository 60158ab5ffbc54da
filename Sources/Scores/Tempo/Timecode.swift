internal import Languages

/// A place on film by SMPTE timecode: hours, minutes, seconds and frames since midnight, and hundredths of a frame.
public struct Timecode: Sendable, Hashable {
    /// The frames that are counted.
    public let rate: Rate
    /// The number of hundredths of a frame since midnight, 0 ..< 24 h.
    public let hundredths: Int64

    /// How fast frames follow each other, and how they are numbered.
    public enum Rate: String, Sendable, CaseIterable {
        /// 24 frames per second, slowed down by 1000/1001 for television.
        case fps23_976 = "23.976"
        /// 24 frames per second.
        case fps24 = "24"
        /// 25 frames per second.
        case fps25 = "25"
        /// 30000/1001 frames per second; numbers are dropped, so that they agree with the clock.
        case fps29_97DropFrame = "29.97"
        /// 30000/1001 frames per second, all of them numbered.
        case fps29_97NonDrop = "29.97 ndf"
        /// 30 frames per second.
        case fps30 = "30"
    }

    /// Makes a timecode from hundredths of a frame since midnight; another day's moment becomes its hour of the day.
    public init(hundredths: Int64, rate: Rate) {
        self.rate = rate
        let day = rate.hundredthsOfDay
        let rest = hundredths % day
        self.hundredths = rest < 0 ? rest + day : rest
    }

    /// Makes the timecode nearest to a moment after midnight, to the hundredth of a frame. A moment outside of the day
    /// is taken to that hour of the day.
    public init(nearest time: Duration, rate: Rate) {
        let day = rate.day.attoseconds
        var rest = time.attoseconds % day
        if rest < 0 { rest += day }
        let above = rest * 100 * Int128(rate.perSecond.numerator)
        let below = Int128(1_000_000_000_000_000_000) * Int128(rate.perSecond.denominator)
        self.init(hundredths: Int64(clamping: (above + below / 2) / below), rate: rate)
    }

    /// Makes a timecode from its numbers. Errors: a number out of range, or a frame that drop-frame timecode lacks.
    public init(
        hours: Int, minutes: Int, seconds: Int, frames: Int, hundredths: Int = 0, rate: Rate
    ) throws(TextError) {
        guard (0...23).contains(hours), (0...59).contains(minutes), (0...59).contains(seconds) else {
            throw TextError(localized("a timecode has hours 00 to 23, and minutes and seconds 00 to 59"))
        }
        let count = Int(rate.numbersPerSecond)
        guard (0..<count).contains(frames), (0...99).contains(hundredths) else {
            throw TextError(
                localized("there is no frame \(frames) at \(rate.rawValue) frames per second"),
                hint: localized("write 00 to \(count - 1)"))
        }
        let minute = 60 * hours + minutes
        var number = (60 * minute + seconds) * count + frames
        if rate == .fps29_97DropFrame {
            if frames < 2, seconds == 0, minutes % 10 != 0 {
                let next = "\(hours.twoDigits):\(minutes.twoDigits):00;02"
                throw TextError(
                    localized("drop-frame timecode leaves out this number"),
                    hint: localized("the minute begins with \(next)"))
            }
            number -= 2 * (minute - minute / 10)
        }
        self.init(hundredths: Int64(number) * 100 + Int64(hundredths), rate: rate)
    }

    /// The time since midnight, to the nearest attosecond.
    public var duration: Duration { rate.duration(ofHundredths: hundredths) }

    /// The time from `start` to here. If this is more than half a day earlier, midnight lies between.
    package func time(after start: Timecode) -> Duration {
        let difference = duration - start.duration
        return difference < .seconds(-12 * 3600)
            ? difference + rate.day : difference
    }

    /// The timecode a time later, to the hundredth of a frame.
    public func after(_ time: Duration) -> Timecode {
        // Whole days change nothing, and without them no sum is too large.
        let day = rate.day.attoseconds
        return Timecode(nearest: duration + Duration(attoseconds: time.attoseconds % day), rate: rate)
    }

    /// The number of a frame as it is shown: drop-frame timecode leaves out two numbers in nine of ten minutes.
    private var number: Int64 {
        let frame = hundredths / 100
        guard rate == .fps29_97DropFrame else { return frame }
        let (tens, rest) = frame.quotientAndRemainder(dividingBy: 17_982)
        return frame + 18 * tens + (rest < 1800 ? 0 : 2 * ((rest - 2) / 1798))
    }

    /// The numbers that are shown.
    package var fields: (hours: Int, minutes: Int, seconds: Int, frames: Int, hundredths: Int) {
        let (seconds, frame) = number.quotientAndRemainder(dividingBy: rate.numbersPerSecond)
        return (Int(seconds / 3600), Int(seconds / 60 % 60), Int(seconds % 60), Int(frame), Int(hundredths % 100))
    }

    /// The timecode without its rate: `01:00:23:12`, `01:00:23;12` if drop-frame, `01:00:23:12.50` with hundredths.
    public var text: String {
        let fields = fields
        let clock = [fields.hours, fields.minutes, fields.seconds].map(\.twoDigits).joined(separator: ":")
        return clock + (rate == .fps29_97DropFrame ? ";" : ":") + fields.frames.twoDigits
            + (fields.hundredths == 0 ? "" : ".\(fields.hundredths.twoDigits)")
    }
}

extension Timecode.Rate {
    /// The exact number of frames per second.
    public var perSecond: Fraction {
        switch self {
        case .fps23_976: Fraction(24_000, 1001)
        case .fps24: Fraction(24)
        case .fps25: Fraction(25)
        case .fps29_97DropFrame, .fps29_97NonDrop: Fraction(30_000, 1001)
        case .fps30: Fraction(30)
        }
    }

    /// How many numbers frames have in a second that drops none.
    package var numbersPerSecond: Int64 { Int64(perSecond.value.rounded(.up)) }

    /// How long a day of the timecode lasts: 86 486.4 s at 23.976 and at 29.97 frames per second without drop frames.
    package var day: Duration { duration(ofHundredths: hundredthsOfDay) }

    fileprivate var hundredthsOfDay: Int64 {
        (self == .fps29_97DropFrame ? 24 * 6 * 17_982 : 86_400 * numbersPerSecond) * 100
    }

    /// How long hundredths of a frame last, to the nearest attosecond; at most a day of them.
    fileprivate func duration(ofHundredths count: Int64) -> Duration {
        let above = Int128(count) * Int128(perSecond.denominator) * 10_000_000_000_000_000
        let below = Int128(perSecond.numerator)
        return Duration(attoseconds: (above + below / 2) / below)
    }
}
