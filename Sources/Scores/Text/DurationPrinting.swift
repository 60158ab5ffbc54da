extension Duration {
    /// The seconds with 0 ... 18 decimals, such as "2.700" for three: rounded to nearest, halves away from zero.
    public func seconds(decimals: Int) -> String { DurationParts(self, decimals: decimals).text() }

    /// Appends the text of `seconds(decimals:)`.
    package func append(secondsTo bytes: inout [UInt8], decimals: Int) {
        DurationParts(self, decimals: decimals).append(to: &bytes)
    }

    /// The seconds as the shortest exact decimal, such as "2.7"; `Duration(scoreText:)` reads it back unchanged.
    public var exactSeconds: String { DurationParts(exactly: self).text() }

    /// The duration as a clock shows it, exact: "4:53.8", "0:02.7", "1:02:03.5".
    public var clock: String { DurationParts(exactly: self).text(asClock: true) }

    /// The duration as a clock shows it, with 0 ... 18 decimals: rounded to nearest, halves away from zero.
    public func clock(decimals: Int) -> String { DurationParts(self, decimals: decimals).text(asClock: true) }
}

/// A duration taken apart for printing: sign, whole seconds, and the decimals that will be shown.
private struct DurationParts {
    var isNegative: Bool
    var seconds: UInt64
    var fraction: UInt64
    var decimals: Int

    init(_ duration: Duration, decimals wanted: Int) {
        // Whole seconds of a longer duration do not fit into 64 bits.
        let shortest = Duration(secondsComponent: .min, attosecondsComponent: 0)
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        let components = min(max(duration, shortest), longest).components
        decimals = min(max(wanted, 0), 18)
        seconds = components.seconds.magnitude
        let unit = Self.powerOfTen(18 - decimals)
        let (units, remainder) = components.attoseconds.magnitude.quotientAndRemainder(dividingBy: unit)
        fraction = 2 * remainder >= unit ? units + 1 : units
        if fraction == Self.powerOfTen(decimals) {
            fraction = 0
            seconds += 1
        }
        isNegative = duration < .zero && (seconds > 0 || fraction > 0)
    }

    /// Keeps as many decimals as the duration has.
    init(exactly duration: Duration) {
        self.init(duration, decimals: 18)
        while decimals > 0, fraction % 10 == 0 {
            fraction /= 10
            decimals -= 1
        }
    }

    /// The sign, the seconds or a clock, and the decimals.
    func text(asClock: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(48)
        append(to: &text, asClock: asClock)
        return String(decoding: text, as: UTF8.self)
    }

    func append(to text: inout [UInt8], asClock: Bool = false) {
        if isNegative { text.append(UInt8(ascii: "-")) }
        if asClock {
            let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
            if minutes >= 60 {
                text.append(number: minutes / 60, digits: 1)
                text.append(UInt8(ascii: ":"))
            }
            text.append(number: minutes >= 60 ? minutes % 60 : minutes, digits: minutes >= 60 ? 2 : 1)
            text.append(UInt8(ascii: ":"))
            text.append(number: rest, digits: 2)
        } else {
            text.append(number: seconds, digits: 1)
        }
        if decimals > 0 {
            text.append(UInt8(ascii: "."))
            text.append(number: fraction, digits: decimals)
        }
    }

    private static let powersOfTen: [UInt64] = (0...18).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        powersOfTen[exponent]
    }
}

extension [UInt8] {
    /// Appends a whole number in decimal.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number: UInt64(number.magnitude), digits: 1)
    }

    /// Appends a number in decimal, padded with leading zeros to `digits` digits, at most 20.
    package mutating func append(number: UInt64, digits: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            var (rest, start) = (number, 20)
            while start > 0, rest > 0 || start > 20 - Swift.max(digits, 1) {
                start -= 1
                text[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            append(contentsOf: text[start...])
        }
    }
}
