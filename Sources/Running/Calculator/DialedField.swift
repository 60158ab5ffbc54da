internal import Scores

/// A value as digits that can be turned or typed one by one. It is stored as a whole number of units of the last digit.
struct DialedField {
    /// The value of one step of each digit, from left to right.
    let weights: [Int64]
    /// The number of values of each digit, from left to right: 10, or 6 for tens of minutes and seconds.
    let radices: [Int64]
    /// The separator before each digit, such as ":" or ".".
    let separators: [String]

    private init(_ weights: [Int64], _ radices: [Int64], _ separators: [String]) {
        (self.weights, self.radices, self.separators) = (weights, radices, separators)
    }

    /// A field with digits before and after a point.
    static func decimal(_ whole: Int, _ decimals: Int) -> DialedField {
        let count = whole + decimals
        let weights = (0..<count).map { Int64(Rounding.pow10(count - 1 - $0)) }
        let separators = (0..<count).map { $0 == whole ? "." : "" }
        return DialedField(weights, Array(repeating: 10, count: count), separators)
    }

    /// Hours, minutes and seconds.
    static let time = DialedField(
        [360_000, 36_000, 3_600, 600, 60, 10, 1], [10, 10, 10, 6, 10, 6, 10], ["", "", "", ":", "", ":", ""])
    /// Minutes and seconds.
    static let pace = DialedField([600, 60, 10, 1], [10, 10, 6, 10], ["", "", ":", ""])

    var count: Int { weights.count }
    var limit: Int64 { zip(weights, radices).reduce(0) { $0 + $1.0 * ($1.1 - 1) } }

    func digit(_ place: Int, of units: Int64) -> Int64 { units / weights[place] % radices[place] }

    /// The units with one digit replaced; nil if that place does not allow the digit.
    func typed(_ digit: Int64, at place: Int, in units: Int64) -> Int64? {
        guard digit < radices[place] else { return nil }
        return units + (digit - self.digit(place, of: units)) * weights[place]
    }

    /// The units after `step` steps of a digit; nil if they are out of range.
    func turned(_ place: Int, by step: Int64, in units: Int64) -> Int64? {
        let turned = units + step * weights[place]
        return (0...limit).contains(turned) ? turned : nil
    }

    /// The digits, the one at `cursor` between `marks`.
    func text(_ units: Int64, cursor: Int?, marks: (String, String)) -> String {
        let units = min(max(units, 0), limit)
        return (0..<count).map { place in
            let digit = "\(digit(place, of: units))"
            return separators[place] + (place == cursor ? marks.0 + digit + marks.1 : digit)
        }.joined()
    }
}
