extension Duration {
    /// The seconds as a decimal, such as "2.700" for three decimals: rounded to nearest, halves away from zero.
    ///
    /// `decimals` is clamped to 0 ... 18.
    public func seconds(decimals: Int) -> String {
        let parts = DurationParts(self, decimals: decimals)
        return parts.text { $0.append(number: parts.seconds, digits: 1) }
    }

    /// The seconds as the shortest exact decimal, such as "2.7"; `Duration(scoreText:)` reads it back unchanged.
    public var exactSeconds: String {
        let parts = DurationParts(exactly: self)
        return parts.text { $0.append(number: parts.seconds, digits: 1) }
    }

    /// The duration as a clock shows it, exact: "4:53.8", "0:02.7", "1:02:03.5".
    public var clock: String { DurationParts(exactly: self).clock }

    /// The duration as a clock shows it, with `decimals` decimals (0 ... 18), rounded to nearest, halves away from
    /// zero.
    public func clock(decimals: Int) -> String { DurationParts(self, decimals: decimals).clock }
}

/// A duration taken apart for printing: sign, whole seconds, and the decimals that will be shown.
private struct DurationParts {
    var isNegative: Bool
    var seconds: UInt64
    var fraction: UInt64
    var decimals: Int

    init(_ duration: Duration, decimals: Int) {
        self.init(exactly: duration, decimals: 18)
        self.decimals = min(max(decimals, 0), 18)
        let unit = Self.powerOfTen(18 - self.decimals)
        let remainder = fraction % unit
        fraction /= unit
        if 2 * remainder >= unit, unit > 1 { fraction += 1 }
        if fraction == Self.powerOfTen(self.decimals) {
            fraction = 0
            seconds += 1
        }
        if seconds == 0, fraction == 0 { isNegative = false }
    }

    /// Keeps as many decimals as the duration has.
    init(exactly duration: Duration) {
        self.init(exactly: duration, decimals: 18)
        if fraction == 0 { decimals = 0 }
        while decimals > 0, fraction % 10 == 0 {
            fraction /= 10
            decimals -= 1
        }
    }

    private init(exactly duration: Duration, decimals: Int) {
        // Whole seconds of a longer duration do not fit into 64 bits.
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        let components = min(max(duration, Duration(secondsComponent: .min, attosecondsComponent: 0)), longest)
            .components
        isNegative = duration < .zero
        seconds = components.seconds.magnitude
        fraction = components.attoseconds.magnitude
        self.decimals = decimals
    }

    var clock: String {
        text { text in
            let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
            if minutes >= 60 {
                text.append(number: minutes / 60, digits: 1)
                text.append(UInt8(ascii: ":"))
                text.append(number: minutes % 60, digits: 2)
            } else {
                text.append(number: minutes, digits: 1)
            }
            text.append(UInt8(ascii: ":"))
            text.append(number: rest, digits: 2)
        }
    }

    /// The sign, the seconds as written by `whole`, and the decimals.
    func text(_ whole: (inout [UInt8]) -> Void) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(48)
        if isNegative { text.append(UInt8(ascii: "-")) }
        whole(&text)
        if decimals > 0 {
            text.append(UInt8(ascii: "."))
            text.append(number: fraction, digits: decimals)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension [UInt8] {
    /// Appends a number in decimal, padded with leading zeros to `digits` digits.
    fileprivate mutating func append(number: UInt64, digits: Int) {
        let start = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while count - start < digits { append(UInt8(ascii: "0")) }
        self[start...].reverse()
    }
}
