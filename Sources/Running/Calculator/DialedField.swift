internal import Scores

/// A value as digits that can be turned one by one. It is stored as a whole number of units of the last digit, and is as
/// wide as it needs.
package struct DialedField {
    /// The value of one step of each digit, from left to right.
    package let weights: [Int64]
    /// The number of values of each digit, from left to right: 10, or 6 for tens of minutes and seconds.
    package let radices: [Int64]
    /// The separator before each digit, such as ":" or ".".
    package let separators: [String]

    /// A field whose last digits are `radices`, with more digits before them: at least `width` in all, and as many as a
    /// value of `units` needs. `marks` are the separators before the last digits.
    private init(_ radices: [Int64], _ marks: [String], width: Int, for units: Int64) {
        var weights: [Int64] = [1]
        for radix in radices.reversed() { weights.append(weights[weights.count - 1] * radix) }
        let isFull = { (weights: [Int64]) in weights.count > width && units < weights[weights.count - 1] }
        // 18 digits are more than any run has, and less than overflow.
        while !isFull(weights), weights.count < 18 { weights.append(weights[weights.count - 1] * 10) }
        weights.removeLast()
        let more = weights.count - radices.count
        self.weights = weights.reversed()
        self.radices = Array(repeating: 10, count: more) + radices
        separators = Array(repeating: "", count: more) + marks
    }

    /// A field with digits before and after a point, wide enough for a value.
    package static func decimal(_ whole: Int, _ decimals: Int, for units: Int64 = 0) -> DialedField {
        guard decimals > 0 else { return DialedField([10], [""], width: whole, for: units) }
        let marks = ["."] + Array(repeating: "", count: decimals - 1)
        return DialedField(Array(repeating: 10, count: decimals), marks, width: whole + decimals, for: units)
    }

    /// Hours, minutes and seconds.
    package static func time(for units: Int64) -> DialedField {
        DialedField([6, 10, 6, 10], [":", "", ":", ""], width: 7, for: units)
    }

    /// Minutes and seconds.
    package static func pace(for units: Int64 = 0) -> DialedField {
        DialedField([6, 10], [":", ""], width: 4, for: units)
    }

    package var count: Int { weights.count }

    package func digit(_ place: Int, of units: Int64) -> Int64 { units / weights[place] % radices[place] }

    /// The units after `step` steps of a digit; nil if they would be negative.
    package func turned(_ place: Int, by step: Int64, in units: Int64) -> Int64? {
        let turned = units + step * weights[place]
        return turned >= 0 ? turned : nil
    }

    /// The digits, the one at `cursor` between `marks`.
    package func text(_ units: Int64, cursor: Int?, marks: (String, String)) -> String {
        (0..<count).map { place in
            let digit = "\(digit(place, of: units))"
            return separators[place] + (place == cursor ? marks.0 + digit + marks.1 : digit)
        }.joined()
    }
}
