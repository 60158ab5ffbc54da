internal import CTerminal
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The terminal on standard input and output: raw keys while it is held, as it was when it is let go.
package final class Terminal: Sendable {
    private struct State {
        /// What the terminal was set to; nil while it is not held.
        var saved: termios?
        var holds = 0
        /// Whether the whole terminal is drawn on, what stood there kept aside.
        var isWhole = false
        /// What has been drawn, and the terminal has not taken yet.
        var pending: ArraySlice<UInt8> = []
    }

    private let state = Mutex(State())

    /// Whether someone sits at it: both input and output are a terminal.
    package static var isInteractive: Bool { isatty(0) == 1 && isatty(1) == 1 }

    /// Whether color is welcome on a stream (1 or 2): a terminal, and no NO_COLOR.
    package static func hasColor(_ descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        return getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    }

    /// Columns and rows; 80 × 24 where nobody says.
    package static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes a terminal that is not yet held.
    package init() {}

    deinit { release() }

    /// How often it has been taken: after each time, what was drawn before is someone else's.
    package var holds: Int { state.withLock { $0.holds } }

    /// Takes keys one by one without echo, and hides the cursor. Ctrl-C and Ctrl-Z stay signals. The `whole` terminal is a
    /// page of its own, and what stood there comes back afterwards.
    package func hold(whole: Bool = false) { state.withLock { Terminal.hold(&$0, whole) } }

    /// Gives the terminal back as it was. Safe to call twice.
    package func release() { state.withLock { Terminal.release(&$0) } }

    /// Writes text to standard output: all of it, however slow its reader is, unless an end has been asked for.
    package func write(_ text: String) { _ = try? StandardStream.output.writeAll(Array(text.utf8)) }

    /// Whether the terminal has taken all that was drawn. As long as it has not, a newer picture waits for it.
    package var hasDrawn: Bool {
        state.withLock { state in
            Terminal.drawPending(&state)
            return state.pending.isEmpty
        }
    }

    /// Draws on the terminal, and waits for nothing: the rest that it does not take at once is written when `hasDrawn` is read.
    package func draw(_ text: String) {
        state.withLock { state in
            state.pending += text.utf8
            Terminal.drawPending(&state)
        }
    }

    /// Gives the terminal back, stops the program as Ctrl-Z does, and takes the terminal again once the program goes
    /// on.
    package func suspend() {
        state.withLock { state in
            Terminal.giveBack(&state, isHurried: true)
            Terminal.stop()
            Terminal.take(&state)
        }
    }

    /// Takes a held terminal again that someone else may have had in between, as after a stop that none could catch.
    package func retake() {
        state.withLock { state in
            var settings = termios()
            guard tcgetattr(0, &settings) == 0, settings.c_lflag & tcflag_t(ICANON) != 0 else { return }
            if tcgetpgrp(0) == getpgrp() { Terminal.take(&state) }
        }
    }

    private static func hold(_ state: inout State, _ whole: Bool) {
        var settings = termios()
        guard state.saved == nil, tcgetattr(0, &settings) == 0 else { return }
        state.saved = settings
        state.isWhole = whole
        terminal_guard(&settings, leave(whole), StandardStream.output.descriptor)
        take(&state)
    }

    /// What a terminal is told when it is given back.
    private static func leave(_ whole: Bool) -> String { "\u{1B}[0m\u{1B}[?25h" + (whole ? "\u{1B}[?1049l" : "") }

    private static func release(_ state: inout State) {
        giveBack(&state)
        if state.saved != nil { terminal_guard(nil, "", -1) }
        state.saved = nil
    }

    private static func take(_ state: inout State) {
        guard var settings = state.saved else { return }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &settings)
        state.pending = Array(((state.isWhole ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l").utf8)[...]
        drawPending(&state)
        state.holds += 1
    }

    /// Gives the terminal back: its settings at once, the rest when the terminal takes it. Half a picture is left as it is.
    private static func giveBack(_ state: inout State, isHurried: Bool = false) {
        guard var settings = state.saved else { return }
        tcsetattr(0, TCSANOW, &settings)
        state.pending = []
        let bytes = Array(leave(state.isWhole).utf8)
        let stream = StandardStream.output
        do throws(Errno) {
            if try stream.writeAll(bytes, isHurried: isHurried) { return }
            guard tcgetpgrp(1) == getpgrp() else { return }
            // Resumes output that Ctrl-S has stopped, as Ctrl-C does. tcflow only resumes output that tcflow has stopped.
            tcflow(1, TCOOFF)
            tcflow(1, TCOON)
            if try stream.writeAll(bytes, isHurried: true) { return }
            // Discards output that nobody reads, so that there is room for the sequence that restores the terminal.
            tcflush(1, TCOFLUSH)
            _ = try stream.writeNow(bytes[...])
        } catch {
            // Nobody is left to see it.
            return
        }
    }

    private static func drawPending(_ state: inout State) {
        do throws(Errno) {
            while !state.pending.isEmpty {
                let count = try StandardStream.output.writeNow(state.pending)
                if count == 0 { return }
                state.pending = state.pending.dropFirst(count)
            }
        } catch {
            // Nobody sees it.
            state.pending = []
        }
    }

    /// Stops here until SIGCONT; goes on at once where no shell could send one (an orphaned process group).
    private static func stop() {
        var only = sigset_t()
        var before = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, SIGTSTP)
        let handler = signal(SIGTSTP, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &only, &before)
        raise(SIGTSTP)
        signal(SIGTSTP, handler)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
