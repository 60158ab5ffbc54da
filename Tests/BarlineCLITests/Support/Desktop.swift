internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// An invisible desktop: an X server, its own bus, and a real notification daemon.
final class Desktop: Sendable {
    /// The environment of programs on this desktop.
    let environment: [String: String]
    private let processes: [Child]
    private let folder: String

    /// Starts the desktop; without a daemon, nothing shows notifications.
    init(hasDaemon: Bool = true) throws {
        folder = NSTemporaryDirectory() + "barline-desktop-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var values = [
            "HOME": folder, "XDG_RUNTIME_DIR": folder,
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
        ]
        var started: [Child] = []
        started.append(
            try Child(
                [
                    "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=\(folder)/bus",
                ], values))
        try wait(for: "the bus, which `make unit-test` installs") { [folder] in
            FileManager.default.fileExists(atPath: folder + "/bus")
        }
        if hasDaemon {
            started.append(
                try Child(
                    [
                        "/bin/sh", "-c",
                        "exec Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>\(folder)/display",
                    ], values))
            var display = ""
            try wait(for: "the display, which `make unit-test` installs") { [folder] in
                display = (try? String(contentsOfFile: folder + "/display", encoding: .utf8)) ?? ""
                return display.hasSuffix("\n")
            }
            values["DISPLAY"] = ":" + display.trimmingCharacters(in: .whitespacesAndNewlines)
            started.append(try Child(["/bin/sh", "-c", "exec dunst -print > \(folder)/shown 2>&1"], values))
        }
        environment = values
        processes = started
        if hasDaemon {
            try wait(for: "dunst, which `make unit-test` installs") { [self] in (try? control("is-paused")) == "false" }
        }
    }

    deinit {
        for process in processes.reversed() { process.end() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Everything that was shown so far, as dunst prints it.
    var shown: String { (try? String(contentsOfFile: folder + "/shown", encoding: .utf8)) ?? "" }

    /// Makes a desktop on a thread that may block; the threads that run the tests are few.
    static func make(hasDaemon: Bool = true) async throws -> Desktop {
        try await Slots.run { try Desktop(hasDaemon: hasDaemon) }
    }

    /// The same as `count`, from a thread that may block.
    var left: Int { get async throws { try await Slots.run(isAwaited: true) { try self.count } } }

    /// How many notifications are on the screen.
    var count: Int { get throws { Int(try control("count", "displayed")) ?? -1 } }

    /// Presses the button of the notification.
    func press() throws { _ = try control("action") }

    /// Lets the daemon do nothing for a while.
    func stall(for duration: Duration) {
        guard let daemon = processes.last else { return }
        daemon.send(SIGSTOP)
        usleep(UInt32(duration / .microseconds(1)))
        daemon.send(SIGCONT)
    }

    private func control(_ words: String...) throws -> String { try run("/usr/bin/dunstctl", words) }

    /// Runs a program on this desktop; returns what it prints. The calling thread must be one that may block.
    func run(_ program: String, _ words: [String]) throws -> String {
        try Child.output(of: [program] + words, environment, isQuiet: true).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
