package import Scores

/// A change of a calculator on a screen without a cursor, which shows all rows at once.
package enum PaceEdit: Sendable, Equatable {
    /// A value as it was typed into a row, at most `PaceCalculator.entryLimit` characters.
    case value(Run.Quantity, String)
    /// This row becomes the result.
    case lock(Run.Quantity)
    /// The next unit of a row.
    case unit(Run.Quantity)
    /// The run with which the calculator began.
    case reset
    /// A run that such a screen remembers.
    case restore(KnownRun)
}

/// A run and its units, which another calculator can take up.
package struct KnownRun: Sendable, Equatable {
    package var run: Run
    package var distanceUnit: DistanceUnit
    package var paceUnit: PaceUnit

    /// Reads what `text` writes; nil if it is anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, let distanceUnit = DistanceUnit(rawValue: words[0]),
            let paceUnit = PaceUnit(rawValue: words[1]), let run = try? Run(runText: words[2])
        else { return nil }
        (self.run, self.distanceUnit, self.paceUnit) = (run, distanceUnit, paceUnit)
    }

    package init(_ calculator: PaceCalculator) {
        (run, distanceUnit, paceUnit) = (calculator.run, calculator.distanceUnit, calculator.paceUnit)
    }

    /// The units, and the two quantities that are not the result: `km min/km 10km @ 5:00/km`.
    package var text: String { "\(distanceUnit.rawValue) \(paceUnit.rawValue) \(run.text)" }
}

/// One of three rows that belong together, as text.
package struct QuantityRow: Sendable, Equatable {
    package var quantity: Run.Quantity
    /// The value in its unit, as one could type it.
    package var value: String
    /// The unit; empty if there is only one, or the value has it.
    package var unit: String
    package var others: [String]
    package var isResult: Bool
}
