/// A key that is pressed in a calculator.
package enum CalculatorKey: Sendable, Equatable {
    case up, down, left, right, shiftUp, shiftDown, tab, backTab, enter, escape, backspace, delete, clear
    case character(Character)
}
