internal import CTerminal
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The terminal on standard input and output. While held, it delivers single keys; when released, it gets its old
/// settings back.
package final class Terminal: Sendable {
    private struct State {
        /// The settings of the terminal before it was held; nil while it is not held.
        var saved: termios?
        var timesSpoiled = 0
        /// Whether the program uses the alternate screen.
        var isWhole = false
        /// Output that has been drawn but that the terminal has not taken yet.
        var pending: ArraySlice<UInt8> = []
    }

    /// Guards the settings of the terminal: the screen draws, and signals suspend it.
    private let state = Mutex(State())
    private static let plain = Atomic(false)

    /// Whether this program writes no escape sequences: no color, no cursor movement, no picture. Set it before anything is
    /// written. Thread: any.
    package static var isPlain: Bool {
        get { plain.load(ordering: .relaxed) }
        set { plain.store(newValue, ordering: .relaxed) }
    }

    /// Whether a user sits at the terminal: both standard input and output are a terminal.
    package static var isInteractive: Bool { isatty(0) == 1 && isatty(1) == 1 }

    /// Whether to write color to a descriptor (1 or 2): it is a terminal that is not plain, NO_COLOR is not set, and no
    /// screen is up that would show standard error.
    package static func hasColor(_ descriptor: Int32) -> Bool {
        guard !isPlain, isatty(descriptor) == 1, descriptor != 2 || !Notices.areOnScreen else { return false }
        return getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    }

    /// The most columns and rows that are used: a terminal may claim 65535 of both, for which no memory suffices.
    private static let largest: UInt16 = 1000

    /// The size in columns and rows; 80 × 24 if the system does not know it.
    package static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(min(size.ws_col, largest)), Int(min(size.ws_row, largest)))
    }

    package init() {}

    deinit { release() }

    /// How often anything drawn before may have gone from the screen.
    package var timesSpoiled: Int { state.withLock { $0.timesSpoiled } }

    /// Takes note that what was drawn may have gone from the screen, so that all of it is drawn again.
    package func spoil() { state.withLock { $0.timesSpoiled += 1 } }

    /// Reads keys one by one without echo, and hides the cursor. Ctrl-C and Ctrl-Z still send signals. With `whole`,
    /// the program uses the alternate screen, and the old contents come back afterwards. What the program says to people
    /// meanwhile is given to `notices`.
    package func hold(whole: Bool = false, notices: (@Sendable (String) -> Void)? = nil) {
        state.withLock { state in
            var settings = termios()
            guard state.saved == nil, tcgetattr(0, &settings) == 0 else { return }
            (state.saved, state.isWhole) = (settings, whole)
            if let notices { Notices.show(keeps: whole, on: notices) }
            terminal_guard(&settings, Terminal.leave(whole), StandardStream.output.descriptor)
            Terminal.take(&state)
        }
    }

    /// Restores the terminal. Safe to call twice.
    package func release() {
        state.withLock { state in
            Terminal.giveBack(&state)
            guard state.saved != nil else { return }
            terminal_guard(nil, "", -1)
            state.saved = nil
            Notices.screenHasClosed()
        }
    }

    /// Writes text to standard output: all of it, however slow the reader is, unless the program has been asked to end.
    package func write(_ text: String) { _ = try? StandardStream.output.writeAll(Array(text.utf8)) }

    /// Whether the terminal has taken everything that was drawn. Draw the next picture only then.
    package var hasDrawn: Bool {
        state.withLock { state in
            Terminal.drawPending(&state)
            return state.pending.isEmpty
        }
    }

    /// Draws on the terminal without waiting. Output that the terminal does not take at once is written when `hasDrawn`
    /// is read. A terminal with synchronized output (mode 2026) shows the whole text at one moment; others ignore the
    /// mode.
    package func draw(_ text: String) {
        state.withLock { state in
            state.pending += (Terminal.picture.begin + text + Terminal.picture.end).utf8
            Terminal.drawPending(&state)
        }
    }

    /// Restores the terminal, stops the program as Ctrl-Z does, and takes the terminal again when the program
    /// continues.
    package func suspend() {
        state.withLock { state in
            Terminal.giveBack(&state, isHurried: true)
            Terminal.stop()
            Terminal.take(&state)
        }
    }

    /// Takes a held terminal again if another program has changed it, as after a SIGSTOP, which cannot be caught.
    package func retake() {
        state.withLock { state in
            state.timesSpoiled += 1
            var settings = termios()
            guard tcgetattr(0, &settings) == 0, settings.c_lflag & tcflag_t(ICANON) != 0 else { return }
            if tcgetpgrp(0) == getpgrp() { Terminal.take(&state) }
        }
    }

    /// The escape sequences around a picture that is to be shown at one moment.
    private static let picture = (begin: "\u{1B}[?2026h", end: "\u{1B}[?2026l")

    /// The escape sequences that restore the terminal, even in the middle of a picture.
    private static func leave(_ whole: Bool) -> String {
        isPlain ? "" : (whole ? Terminal.picture.end : "") + "\u{1B}[0m\u{1B}[?25h" + (whole ? "\u{1B}[?1049l" : "")
    }

    private static func take(_ state: inout State) {
        guard var settings = state.saved else { return }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &settings)
        let begin = (state.isWhole ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l"
        state.pending = Array((isPlain ? "" : begin).utf8)[...]
        drawPending(&state)
        state.timesSpoiled += 1
    }

    /// Restores the terminal: its settings at once, its screen when it takes the sequences. A half-drawn picture is not
    /// finished.
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

    /// Stops here until SIGCONT; goes on at once if no shell could send one (an orphaned process group).
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
