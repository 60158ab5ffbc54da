internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// A terminal emulated by tmux, an independent judge of what a program draws: keys go in, screens come out.
final class Tmux {
    private let socket: String
    private let scratch: Scratch
    private let environment: [String: String]

    /// Runs `body` with `barline` in a terminal of the given size.
    static func run<Value: Sendable>(
        _ arguments: [String], in scratch: Scratch, columns: Int, rows: Int, environment: [String: String] = [:],
        _ body: @escaping @Sendable (Tmux) throws -> Value
    ) async throws -> Value {
        try await Slots.run {
            let tmux = try Tmux(arguments, scratch, columns, rows, environment)
            defer { tmux.end() }
            return try body(tmux)
        }
    }

    private init(
        _ arguments: [String], _ scratch: Scratch, _ columns: Int, _ rows: Int, _ environment: [String: String]
    ) throws {
        self.scratch = scratch
        self.environment = scratch.environment.merging(environment) { $1 }
        // The path of a socket must be short.
        socket = NSTemporaryDirectory() + "barline-tmux-\(UUID().uuidString.prefix(8))"
        let command = ([Program.path] + arguments).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        // The sleep keeps the terminal, whose final contents are examined, too.
        let line = command.joined(separator: " ") + "; echo \"ended $?\"; sleep 100"
        _ = try tell(
            ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", line])
    }

    /// The screen as a person sees it, row by row.
    func rows() throws -> [String] {
        try tell(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The screen with its colors, as escape sequences.
    func colors() throws -> String { try tell(["capture-pane", "-p", "-e"]) }

    func shows(_ text: String) throws -> Bool { try rows().contains { $0.contains(text) } }

    /// Presses keys as tmux names them, or types their characters.
    func press(_ keys: String...) throws { _ = try tell(["send-keys"] + keys) }

    /// Gives the terminal another size.
    func resize(columns: Int, rows: Int) throws {
        _ = try tell(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Waits until a row shows `text`.
    func wait(for text: String) throws { try wait(for: text) { try shows(text) } }

    /// Waits until `isSo` is true. Errors: it never is; the message contains the screen.
    func wait(for what: String, _ isSo: () throws -> Bool) throws {
        try Shared.wait(for: what, isSo) { "the terminal shows:\n" + (try rows().joined(separator: "\n")) }
    }

    private func end() {
        _ = try? tell(["kill-server"])
        unlink(socket)
        unlink(socket + ".out")
    }

    /// Runs a tmux command and returns its output, through a file: the server, which lives on, would keep a pipe open.
    private func tell(_ arguments: [String]) throws -> String {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let script = "exec /usr/bin/tmux -u -S \"$0\" \"$@\" > \"$0.out\""
        let child = try Child(
            ["/bin/sh", "-c", script, socket] + arguments, environment, scratch.folder,
            descriptors: [null, null, null],
            isLeader: false)
        child.wait()
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: socket + ".out")), as: UTF8.self)
    }
}
