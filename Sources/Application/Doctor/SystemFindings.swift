internal import Files
internal import Formats
internal import Glibc
internal import Languages
internal import Notify
internal import Playback
internal import Screens
internal import Serving
internal import Session
internal import SystemPackage

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
        let type = Environment[.terminal] ?? ""
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

    /// Whether texts can be spoken.
    static func speech() -> Finding {
        let speaker = Espeak(language: .en, rate: 48000, waits: true, timeout: .seconds(10)) { _ in }
        if speaker.word("bar") != nil {
            return .good(localized("speech"), localized("espeak-ng speaks"))
        }
        return .note(
            localized("speech"), "espeak-ng: " + (speaker.failure?.reason ?? localized("it made no sound")),
            advice: speaker.failure == .notInstalled
                ? "`sudo apt install espeak-ng`" : localized("`espeak-ng bar` shows why"))
    }

    /// Whether the desktop shows notifications. One is shown for a moment.
    static func notifications() -> Finding {
        let notifier = Notifier()
        notifier.show("Barline", localized("A test by `barline doctor`"))
        guard let why = notifier.withdraw() else {
            return .good(localized("notifications"), localized("the desktop shows them"))
        }
        return .note(
            localized("notifications"), localized("the desktop shows none (\(why)); they matter only for `--notify`"),
            advice: localized("start a notification daemon, for example `sudo apt install dunst`"))
    }

    /// Whether the user's files can be kept, and whether other terminals can control a session.
    static func folders() -> [Finding] {
        let environment = Environment.values
        let subjects: [(BaseFolder, String)] = [
            (.config, localized("folder of settings")), (.data, localized("folder of scores and plans")),
            (.state, localized("folder of practice log")),
        ]
        let folders = subjects.map { folder, subject -> Finding in
            guard let path = folder.path(environment: environment) else {
                return .note(
                    subject, localized("Barline does not know where it is"),
                    advice: localized("set HOME or \(folder.rawValue)"))
            }
            let there = nearest(to: path)
            if folder == .data, let scores = ScoreFolder(environment: environment), let error = scores.refusal {
                return .note(
                    subject, localized("'\(scores.path)' cannot be read: \(error.reason)"),
                    advice: localized("`ls -ld` shows its owner"))
            }
            let isWritable = FileBytes.isDirectory(there) && access(there, W_OK) == 0
            let locked = isWritable ? written(in: folder).map { "\(path)/\($0)" }.first(where: isLocked) : path
            if let locked {
                return .note(
                    subject, localized("\(locked) cannot be written"),
                    advice: localized("`ls -ld` shows its owner"))
            }
            guard !isFull(there) else {
                return .note(
                    subject, localized("the disk of \(path) is full"),
                    advice: localized("make room on it; `df` shows how much there is"))
            }
            return .good(subject, path)
        }
        guard let session = SessionFolder(environment: environment) else {
            return folders + [
                .note(
                    localized("session"),
                    localized(
                        "XDG_RUNTIME_DIR is not set to an absolute path: `barline pause` and `status` cannot reach a session"
                    ),
                    advice: localized("log in by a session manager, or set it to a folder of your own"))
            ]
        }
        do throws(SessionError) { try session.make() } catch {
            return folders + [
                .note(
                    localized("session"), localized("\(error); a session cannot be controlled from another terminal"),
                    advice: localized("log in by a session manager, or set it to a folder of your own"))
            ]
        }
        return folders + [
            .good(localized("session"), localized("other terminals control a session by \(session.path)"))
        ]
    }

    /// What Barline writes in a folder, apart from files that it replaces as a whole.
    private static func written(in folder: BaseFolder) -> [String] {
        switch folder {
        case .config: [".lock"]
        case .data: ["scores"]
        case .state: [".lock", "practice.csv", "goals.csv", "scores", "scores/.lock"]
        }
    }

    /// Whether there is something at a path that the user cannot write.
    private static func isLocked(_ path: String) -> Bool { access(path, W_OK) != 0 && !Errno.last.meansNothing }

    /// A folder, or the nearest one above it that exists: there it can be made.
    private static func nearest(to folder: String) -> String {
        var path = folder
        while !FileBytes.exists(path), path != "/", path != "." { path = FileBytes.folder(of: path) }
        return path
    }

    /// Whether the disk of a folder has no room for the user.
    private static func isFull(_ folder: String) -> Bool {
        var disk = statvfs()
        // A size of 0 has no limit, as in file systems that are no disks.
        return statvfs(folder, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0
    }

    /// Whether a page for browsers can be served: the library is there, and the port is free. Nothing is served.
    static func browsers() -> Finding {
        let subject = localized("page for browsers")
        do throws(PageServerError) {
            _ = try PageServer(PageServer.Settings())
            return .good(subject, localized("`barline serve` can use port \(PageServer.standardPort)"))
        } catch {
            return switch error {
            case .noLibrary(let package):
                .note(
                    subject, localized("the library \(package) is missing; it matters only for `barline serve`"),
                    advice: "`sudo apt install \(package)`")
            case .noPort(let port):
                .note(
                    subject, localized("port \(port) cannot be used; it matters only for `barline serve`"),
                    advice: localized("end the other program, or use `barline serve --port 0`"))
            case .noMemory: .note(subject, "\(error)")
            }
        }
    }
}
