package import Languages

/// Numbers and times in words that a voice can read.
extension Language {
    /// Announces the number of a line.
    package func line(_ n: Int) -> String { spoken("line \(n)") }

    /// Announces the number of a bar.
    package func bar(_ number: BarNumber) -> String { spoken("bar \(number)") }

    /// Announces the number of an interval, and how many there are; `count` is nil if they are endless.
    package func interval(_ n: Int, of count: Int?) -> String {
        count.map { spoken("interval \(n) of \($0)") } ?? spoken("interval \(n)")
    }

    /// Announces the last interval.
    package var lastOne: String { spoken("last one") }

    /// Says that half of the time has passed.
    package var halfTime: String { spoken("half time") }

    /// Says that a minute is left.
    package var minuteLeft: String { spoken("one minute left") }

    /// A duration in words: "30 seconds", "1 minute 30 seconds". Rounded to seconds, below ten seconds to tenths.
    package func words(_ time: Duration) -> String {
        let tenths = (max(time.attoseconds, 0) + 50_000_000_000_000_000) / 100_000_000_000_000_000
        if tenths < 100, tenths % 10 != 0 {
            return spoken("\(withComma("\(tenths / 10).\(tenths % 10)")) seconds")
        }
        let all = tenths < 100 ? Int(tenths / 10) : Int((max(time.attoseconds, 0) + Int128(5e17)) / Int128(1e18))
        let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
        var parts: [String] = []
        if hours > 0 { parts.append(hours == 1 ? spoken("1 hour") : spoken("\(hours) hours")) }
        if minutes > 0 { parts.append(minutes == 1 ? spoken("1 minute") : spoken("\(minutes) minutes")) }
        if rest > 0 || parts.isEmpty { parts.append(rest == 1 ? spoken("1 second") : spoken("\(rest) seconds")) }
        return parts.joined(separator: " ")
    }

    /// A number with a decimal point as this language writes it.
    package func withComma(_ number: String) -> String { self == .en ? number : number.replacing(".", with: ",") }
}
