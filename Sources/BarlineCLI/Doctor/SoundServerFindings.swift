internal import Files
internal import Glibc
internal import Languages
internal import Scores

extension Finding {
    /// A sound server that runs, and whether ALSA can reach it.
    static func soundServers() -> [Finding] {
        let runtime = Environment.values["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        let folders = moduleFolders()
        func has(_ module: String) -> Bool {
            folders.contains { FileBytes.exists("\($0)/libasound_module_pcm_\(module).so") }
        }
        var findings: [Finding] = []
        if FileBytes.exists(runtime + "/pipewire-0") {
            findings.append(
                has("pipewire")
                    ? .good(localized("sound server"), localized("PipeWire runs, and ALSA can reach it"))
                    : .note(
                        localized("sound server"), localized("PipeWire runs, but ALSA's module for it is missing"),
                        advice: "`sudo apt install pipewire-alsa`"))
        }
        if Environment.values["PULSE_SERVER"] != nil || FileBytes.exists(runtime + "/pulse/native") {
            findings.append(
                has("pulse")
                    ? .good(
                        localized("sound server"),
                        localized("PulseAudio, or PipeWire in its place, runs, and ALSA can reach it"))
                    : .note(
                        localized("sound server"),
                        localized("PulseAudio, or PipeWire in its place, runs, but ALSA's module for it is missing"),
                        advice: "`sudo apt install libasound2-plugins`"))
        }
        return findings.isEmpty
            ? [.note(localized("sound server"), localized("none runs; Barline uses ALSA's own devices"))] : findings
    }

    /// Where ALSA looks for its modules.
    private static func moduleFolders() -> [String] {
        FileBytes.names(in: "/usr/lib").filter { $0.contains("-linux-") }.map { "/usr/lib/\($0)/alsa-lib" }
            + ["/usr/lib/alsa-lib", "/usr/lib64/alsa-lib"]
    }
}
