internal import Files
internal import Glibc
internal import Languages
internal import Playback
internal import Screens

extension Finding {
    /// The program, the system and the kernel.
    static func system(version: String) -> Finding {
        var names = utsname()
        uname(&names)
        let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let machine = withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let about = String(decoding: (try? FileBytes.read("/etc/os-release", limit: 1 << 16)) ?? [], as: UTF8.self)
        let pretty = about.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let system = pretty.map { $0.dropFirst(12).filter { $0 != "\"" } } ?? "Linux"
        return .good(localized("system"), "barline \(version), \(system), Linux \(release), \(machine)")
    }

    /// Whether an audio thread may have real-time priority.
    static func priority() -> Finding {
        let subject = localized("real-time priority")
        var policy = sched_param(sched_priority: 10)
        if pthread_setschedparam(pthread_self(), SCHED_FIFO, &policy) == 0 {
            policy.sched_priority = 0
            pthread_setschedparam(pthread_self(), SCHED_OTHER, &policy)
            return .good(subject, localized("the system gives it"))
        }
        guard let refusal = RealtimeKit.refusal() else { return .good(subject, localized("RealtimeKit gives it")) }
        return .note(
            subject,
            localized("neither the system nor RealtimeKit gives it (\(refusal)); a busy machine may lose sound"),
            advice: localized(
                "`sudo apt install rtkit`, or `sudo adduser $USER audio` with an rtprio limit for that group"))
    }

    /// The terminal.
    static func terminal() -> Finding {
        let subject = localized("terminal")
        guard StandardOutput.isInteractive else {
            return .note(
                subject,
                localized("Barline does not run at a terminal here; `play` prints a line for each bar and has no keys"))
        }
        let (columns, rows) = Terminal.size
        let type = Environment.values["TERM"] ?? ""
        let color = Terminal.hasColor(1) ? localized("with color") : localized("without color")
        guard !Terminal.isPlain else {
            let reason = type == "dumb" ? localized("TERM is 'dumb'") : localized("the setting plain is on")
            return .good(subject, localized("plain (\(reason)); `play` prints a line for each bar, and all keys work"))
        }
        return .good(subject, "\(type), \(columns) x \(rows), \(color)")
    }

    /// Whether the wall clock is synchronized, which matters for `--at`.
    static func clock() -> Finding {
        isWallClockSynchronized()
            ? .good(localized("time of day"), localized("synchronized"))
            : .note(
                localized("time of day"),
                localized("this machine's clock is not synchronized; it matters only for `--at`"),
                advice: "`sudo timedatectl set-ntp true`")
    }
}
