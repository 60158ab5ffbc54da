#if canImport(Glibc)
    internal import Glibc
#endif

/// The terminal on standard input and output: raw keys while it is held, as it was when it is let go.
public final class Terminal {
    private var saved: termios?

    /// Whether someone sits at it: both input and output are a terminal.
    public static var isInteractive: Bool { isatty(0) == 1 && isatty(1) == 1 }

    /// Whether colour is welcome on a stream (1 or 2): a terminal, and no NO_COLOR.
    public static func hasColor(_ descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        return getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    }

    /// Columns and rows; 80 × 24 where nobody says.
    public static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes a terminal that is not yet held.
    public init() {}

    deinit { release() }

    /// Takes keys one by one without echo, and hides the cursor. Ctrl-C and Ctrl-Z stay signals.
    public func hold() {
        guard saved == nil else { return }
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSADRAIN, &settings)
        write("\u{1B}[?25l")
    }

    /// Gives the terminal back as it was. Safe to call twice.
    public func release() {
        guard var settings = saved else { return }
        saved = nil
        write("\u{1B}[?5l\u{1B}[0m\u{1B}[?25h")
        tcsetattr(0, TCSADRAIN, &settings)
    }

    /// Writes text to standard output.
    public func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
