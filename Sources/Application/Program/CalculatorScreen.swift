package import Running
internal import Screens

/// Runs a calculator at a terminal: draws, waits for keys, and restores the terminal however it ends.
package enum CalculatorScreen {
    /// Draws `lines` and calls `press` with every key until it returns false.
    package static func run(
        marks: (String, String) = ("", ""), lines: () -> [String], press: (CalculatorKey) throws -> Bool
    ) rethrows {
        try HeldTerminal.run { terminal in
            var sheet = TerminalFoot(terminal)
            var reader = Keys()
            while true {
                sheet.draw(lines(), marks: marks)
                guard let typed = HeldTerminal.typed(&reader, within: 100) else { return }
                for key in typed.compactMap(CalculatorKey.init) {
                    guard try press(key) else { return sheet.draw(lines(), marks: marks) }
                }
            }
        }
    }
}
