internal import Synchronization

/// What the program says to people on standard error, from any thread.
///
/// Nothing is written across a screen: while one is up at a terminal, the screen shows it. A screen that is drawn shows only
/// the beginning, so that everything follows on standard error once it has closed.
package enum Notices {
    private struct State {
        /// Shows a text; nil if no screen is up.
        var screen: (@Sendable (String) -> Void)?
        /// What is written when the screen has closed.
        var kept: [UInt8] = []
        var keeps = false
    }

    /// Guards who shows what is said; held while it is written.
    private static let state = Mutex(State())
    /// No more than this is kept, in bytes: debug logs of hours are longer.
    private static let limit = 1 << 20

    /// Whether a screen is up that shows what is said.
    package static var areOnScreen: Bool { state.withLock { $0.screen != nil } }

    /// Says a text, which ends with a line ending.
    package static func write(_ text: String) {
        // Under the lock, so that no screen opens before everything has been written.
        let screen = state.withLock { state in
            guard state.screen != nil else {
                _ = try? StandardStream.error.writeAll(Array(text.utf8))
                return state.screen
            }
            if state.keeps { keep(text, &state) }
            return state.screen
        }
        screen?(text)
    }

    /// Writes a line that nobody needs to see at once, as of a debug log: no screen shows it. What standard error does not
    /// take now is dropped.
    package static func log(_ text: String) {
        state.withLock { state in
            if state.screen != nil { return keep(text, &state) }
            _ = try? StandardStream.error.writeNow(Array(text.utf8)[...])
        }
    }

    /// Lets a screen at this terminal show what is said from now on. With `keeps`, it is written after the screen has closed,
    /// too.
    static func show(keeps: Bool, on screen: @escaping @Sendable (String) -> Void) {
        guard StandardStream.error.isTerminal else { return }
        state.withLock { ($0.screen, $0.keeps) = (screen, keeps) }
    }

    /// Takes note that the screen has closed.
    static func screenHasClosed() {
        state.withLock { state in
            guard state.screen != nil else { return }
            _ = try? StandardStream.error.writeAll(state.kept)
            state = State()
        }
    }

    private static func keep(_ text: String, _ state: inout State) {
        if state.kept.count + text.utf8.count <= limit { state.kept += text.utf8 }
    }
}
