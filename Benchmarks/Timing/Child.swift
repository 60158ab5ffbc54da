import Foundation

/// Why the bench cannot go on.
struct BenchFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// A running `barline` process and its resource use as counted by the kernel.
final class Child {
    private let process = Process()

    /// The resource use of all threads that are alive.
    struct Use {
        /// The time of the measurement, and the processor time used so far, in seconds.
        var time: Double
        var busy: Double
        /// How often threads have slept and been woken.
        var wakes: Int
        /// Resident memory in MB.
        var memory: Double
    }

    /// Starts another program from /usr/bin.
    static func other(_ name: String, _ arguments: [String]) throws -> Child { try Child(name, arguments) }

    private init(_ name: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + name)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Starts `barline`. `place` is a program that starts it elsewhere; `errors` is a file for its messages.
    init(_ arguments: [String], folder: String, alsa: String, within place: [String] = [], errors: String? = nil) throws
    {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("barline").path
        let command = place + [program] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = [
            "ALSA_CONFIG_PATH": alsa, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "LANG": "C.UTF-8",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.standardError
        if let errors {
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            process.standardError = FileHandle(forWritingAtPath: errors)
        }
        try process.run()
    }

    /// How many descriptors are open.
    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// Waits for its end. Errors: it ended without success.
    func wait() throws(BenchFailure) {
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = process.arguments ?? []
            throw BenchFailure("this ended with \(process.terminationStatus): \(words.joined(separator: " "))")
        }
    }

    /// Kills the process with SIGKILL.
    func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What it has used so far. Errors: it has ended.
    func use() throws(BenchFailure) -> Use {
        guard process.isRunning else {
            throw BenchFailure("this has ended early: \((process.arguments ?? []).joined(separator: " "))")
        }
        let root = "/proc/\(process.processIdentifier)"
        var use = Use(time: Date().timeIntervalSinceReferenceDate, busy: 0, wakes: 0, memory: 0)
        for task in (try? FileManager.default.contentsOfDirectory(atPath: root + "/task")) ?? [] {
            let schedule = (try? String(contentsOfFile: "\(root)/task/\(task)/schedstat", encoding: .utf8)) ?? ""
            use.busy += (schedule.split(separator: " ").first.flatMap { Double($0) } ?? 0) * 1e-9
            use.wakes += Int(Child.field("voluntary_ctxt_switches", "\(root)/task/\(task)/status"))
        }
        use.memory = Child.field("VmRSS", root + "/status") / 1024
        return use
    }

    /// Looks at its use after a pause, and then after each of five others; both in seconds.
    func looks(after first: Double, every pause: Double) throws -> [Use] {
        Thread.sleep(forTimeInterval: first)
        return [try use()]
            + (try (0..<5).map { _ in
                Thread.sleep(forTimeInterval: pause)
                return try use()
            })
    }

    private static func field(_ name: String, _ path: String) -> Double {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
    }
}

extension [Child.Use] {
    /// The processor time in percent of a core, the median of the spans between looks: the load of other programs varies.
    var share: Double {
        let shares = zip(self, dropFirst()).map { ($1.busy - $0.busy) / ($1.time - $0.time) * 100 }.sorted()
        return shares.isEmpty ? .nan : shares[shares.count / 2]
    }
}
