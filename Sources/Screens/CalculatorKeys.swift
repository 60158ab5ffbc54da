package import Running
internal import UserSettings

extension CalculatorKey {
    /// The key of a calculator that was typed at a terminal; nil for one that calculators do not have.
    package init?(_ typed: Keys.Typed) {
        switch typed {
        case .shiftUp: self = .shiftUp
        case .shiftDown: self = .shiftDown
        case .shiftTab: self = .backTab
        case .clear: self = .clear
        case .key(let key):
            switch key {
            case .character(let character): self = .character(character)
            case .enter: self = .enter
            case .escape: self = .escape
            case .tab: self = .tab
            case .backspace: self = .backspace
            case .delete: self = .delete
            case .up: self = .up
            case .down: self = .down
            case .left: self = .left
            case .right: self = .right
            case .function, .insert, .pageUp, .pageDown, .home, .end: return nil
            }
        }
    }
}
