/// A key that is pressed in a calculator.
package enum CalculatorKey: Sendable, Equatable {
    /// Cursor keys.
    case up, down, left, right
    /// Cursor keys with Shift.
    case shiftUp, shiftDown
    /// The Tab key, alone or with Shift.
    case tab, backTab
    /// The Enter key.
    case enter
    /// The Escape key.
    case escape
    /// The Backspace key.
    case backspace
    /// The Delete key.
    case delete
    /// A character.
    case character(Character)
}
