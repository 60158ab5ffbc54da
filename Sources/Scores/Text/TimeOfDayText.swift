/// A time of day by the clock on the wall.
package struct TimeOfDay: Sendable, Hashable {
    /// ms since midnight, 0 ..< 86 400 000.
    package let milliseconds: Int
    /// Whole minutes since midnight, 0 ... 1439.
    package var minutes: Int { milliseconds / 60_000 }

    /// Reads `7:00` or `19:30`, as plans have it; nil if it is not a time of day.
    package init?(text: String) {
        guard text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1,
            text.utf8.suffix(2).allSatisfy(TextCursor.isDigit)
        else { return nil }
        self.init(exactText: text)
    }

    /// Reads `20:15`, `20:15:00` or `20:15:00.500`; nil if it is not a time of day.
    package init?(exactText text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { $0.utf8.count <= 2 ? Int(wholeText: $0) : nil }
        guard numbers.count == fields.count, (2...3).contains(numbers.count), numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        var milliseconds = 0
        if parts.count == 2 {
            let digits = parts[1].utf8.count
            guard numbers.count == 3, digits <= 3, let fraction = Int(wholeText: parts[1]) else { return nil }
            milliseconds = fraction * [100, 10, 1][digits - 1]
        }
        self.milliseconds = seconds * 1000 + milliseconds
    }

    /// `07:00`, which reads back as the same time if it has whole minutes.
    package var text: String { "\((minutes / 60).twoDigits):\((minutes % 60).twoDigits)" }
}
