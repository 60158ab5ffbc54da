internal import Files
internal import Glibc
internal import Languages
internal import Notify
internal import Playback
internal import Scores
internal import Session
internal import Synchronization

extension Finding {
    /// Whether texts can be spoken.
    static func speech() -> Finding {
        let reason = Mutex("")
        let speaker = Espeak(language: .en, rate: 48000, waits: true, timeout: .seconds(10)) { why in
            reason.withLock { $0 = why }
        }
        // A first failure may be a moment's; the second one is told with its reason.
        if speaker.word("bar") ?? speaker.word("bar") != nil {
            return .good(localized("speech"), localized("espeak-ng speaks"))
        }
        let why = reason.withLock { $0 }
        return .note(
            localized("speech"), "espeak-ng: " + (why.isEmpty ? localized("it made no sound") : why),
            advice: "`sudo apt install espeak-ng`")
    }

    /// Whether the desktop shows notifications. One is shown for a moment.
    static func notifications() -> Finding {
        let reason = Mutex<String?>(nil)
        let notifier = Notifier(onStop: {}) { why in reason.withLock { $0 = why } }
        notifier.show("Barline", localized("A test by `barline doctor`"))
        notifier.withdraw()
        guard let why = reason.withLock({ $0 }) else {
            return .good(localized("notifications"), localized("the desktop shows them"))
        }
        return .note(
            localized("notifications"), localized("the desktop shows none (\(why)); they matter only for `--notify`"),
            advice: localized("start a notification daemon, for example `sudo apt install dunst`"))
    }

    /// Whether the user's files can be kept, and whether other terminals can control a session.
    static func folders() -> [Finding] {
        let environment = Environment.values
        var findings: [Finding] = []
        let subjects: [(BaseFolder, String)] = [
            (.config, localized("folder of settings")), (.data, localized("folder of scores and plans")),
            (.state, localized("folder of practice log")),
        ]
        for (folder, subject) in subjects {
            guard let path = folder.path(environment: environment) else {
                findings.append(
                    .note(
                        subject, localized("Barline does not know where it is"),
                        advice: localized("set HOME or \(folder.rawValue)")))
                continue
            }
            findings.append(
                canWrite(path)
                    ? .good(subject, path)
                    : .note(
                        subject, localized("\(path) cannot be written"), advice: localized("`ls -ld` shows its owner")))
        }
        if let session = SessionFolder(environment: environment) {
            findings.append(
                .good(localized("session"), localized("other terminals control a session by \(session.path)")))
        } else {
            findings.append(
                .note(
                    localized("session"),
                    localized("XDG_RUNTIME_DIR is not set: `barline pause` and `status` cannot reach a session"),
                    advice: localized("log in by a session manager, or set it to a folder of your own")))
        }
        return findings
    }

    /// Whether a folder can be written, or made: then its nearest folder that exists can be written.
    private static func canWrite(_ folder: String) -> Bool {
        var path = folder
        while !FileBytes.exists(path), path != "/", path != "." { path = FileBytes.folder(of: path) }
        return FileBytes.isDirectory(path) && access(path, W_OK) == 0
    }
}
