internal import UserSettings

/// The keys that the last row of the stand names.
enum StandHints {
    /// `Space pause   ←→ bar   ↑↓ line   ? keys   q end`, and shorter ones for less room; the last one is empty.
    static func texts(_ keys: KeyBindings, isRun: Bool, isLap: Bool) -> [String] {
        func hint(_ actions: [KeyAction], _ says: String) -> String? {
            let names = actions.map(keys.name).filter { !$0.isEmpty }
            let isShort = names.allSatisfy { $0.count == 1 }
            return names.isEmpty ? nil : names.joined(separator: isShort ? "" : "/") + " " + says
        }
        let help = hint([.help], "keys")
        let all = [
            hint([.pause], isLap ? "lap" : "pause"), hint([.previousBar, .nextBar], isRun ? "interval" : "bar"),
            hint([.previousLine, .nextLine], isRun ? "set" : "line"), help, hint([.quit], "end"),
        ]
        return [all.compactMap(\.self).joined(separator: "   "), help ?? "", ""]
    }
}
