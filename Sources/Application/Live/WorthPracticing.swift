internal import Languages
internal import Screens
internal import UserSettings

/// The question after a piece that a microphone has heard: whether to loop the bars worth practicing.
enum WorthPracticing {
    /// Asks at a terminal with keys; false without one.
    static func isWanted() -> Bool {
        guard LivePlay.hasKeys, let keys = try? LoadedSettings.get()[Setting.keys] else { return false }
        let name = keys.name(of: .weakBars)
        guard !name.isEmpty else { return false }
        StandardError.write(localized("\(name) loops these bars; any other key ends") + "\n")
        let pressed = HeldTerminal.key { $0 }
        return pressed.map { keys.action(of: .character(Character($0))) == .weakBars } ?? false
    }
}
