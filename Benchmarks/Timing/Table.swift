import Glibc

/// Prints a table, row by row as the results arrive.
struct Table {
    /// The bound that a result must meet.
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
        case within(Double)
        case exactly(Double)

        var text: String {
            switch self {
            case .atMost(let bound): "<= \(Table.short(bound))"
            case .atLeast(let bound): ">= \(Table.short(bound))"
            case .within(let bound): "+- \(Table.short(bound))"
            case .exactly(let bound): "= \(Table.short(bound))"
            }
        }

        func holds(_ value: Double) -> Bool {
            switch self {
            case .atMost(let bound): value <= bound
            case .atLeast(let bound): value >= bound
            case .within(let bound): abs(value) <= bound
            case .exactly(let bound): value == bound
            }
        }
    }

    private var missed = 0
    /// Whether results must meet their bounds; if not, it is enough that there is a result.
    private let isStrict: Bool

    init(isStrict: Bool) { self.isStrict = isStrict }

    func note(_ text: String) { print(text) }

    mutating func row(_ name: String, _ value: Double, _ unit: String, _ bound: Bound) {
        let holds = isStrict ? bound.holds(value) : value.isFinite
        if !holds { missed += 1 }
        let figure = "\(Table.short(value)) \(unit)"
        print(Table.pad(name, 52), Table.pad(figure, 16), Table.pad(bound.text, 10), holds ? "" : "MISSED")
        fflush(nil)
    }

    /// Notes what should have had a result and has none.
    mutating func nothing(_ text: String) {
        missed += 1
        print(text, "MISSED")
    }

    /// Prints how it ended; returns whether nothing was missed.
    func finish() -> Bool {
        print(missed == 0 ? isStrict ? "every bound holds" : "everything has a result" : "\(missed) bounds missed")
        return missed == 0
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }

    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "nothing" }
        if value == value.rounded(), abs(value) < 1e9 { return "\(Int(value))" }
        return "\((value * 1000).rounded() / 1000)"
    }
}
