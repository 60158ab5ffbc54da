internal import Languages
internal import Scores

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
    /// The run.
    package var run: Run
    /// The unit that its distance is shown in.
    package var distanceUnit: DistanceUnit
    /// The unit that its pace is shown in.
    package var paceUnit: PaceUnit

    /// Reads what `text` writes; nil if it is anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, let distanceUnit = DistanceUnit(rawValue: words[0]),
            let paceUnit = PaceUnit(rawValue: words[1]), let run = try? Run(runText: words[2])
        else { return nil }
        (self.run, self.distanceUnit, self.paceUnit) = (run, distanceUnit, paceUnit)
    }

    /// What a calculator knows.
    package init(_ calculator: PaceCalculator) {
        (run, distanceUnit, paceUnit) = (calculator.run, calculator.distanceUnit, calculator.paceUnit)
    }

    /// The units, and the two quantities that are not the result: `km min/km 10km @ 5:00/km`.
    package var text: String { "\(distanceUnit.rawValue) \(paceUnit.rawValue) \(run.text)" }
}

/// One of three rows that belong together, as text.
package struct QuantityRow: Sendable, Equatable {
    /// Its quantity.
    package var quantity: Run.Quantity
    /// The value in its unit, as one could type it.
    package var value: String
    /// The unit; empty if there is only one, or the value has it.
    package var unit: String
    /// The value in other units.
    package var others: [String]
    /// Whether it follows from the other two.
    package var isResult: Bool
}

/// What can be done with the rows of a calculator, in words for a terminal's keys and for buttons.
package enum CalculatorWord: Sendable, CaseIterable {
    /// Making a row the result.
    case lock
    /// Changing the unit.
    case unit
    /// Beginning again.
    case reset

    /// The words in the language of the process.
    package var text: String {
        switch self {
        case .lock: localized("lock as result")
        case .unit: localized("unit")
        case .reset: localized("reset")
        }
    }
}
