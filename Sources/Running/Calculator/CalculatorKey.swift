/// A key that is pressed in a calculator.
package enum CalculatorKey: Sendable, Equatable {
    case up, down, left, right, shiftUp, shiftDown, tab, backTab, enter, escape, backspace, delete, clear
    case character(Character)
}

extension CaseIterable where Self: Equatable {
    /// The next case; after the last one, the first.
    package var next: Self {
        let all = Array(Self.allCases)
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
