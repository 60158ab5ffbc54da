internal import Languages
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
        let help = hint([.help], localized("keys"))
        let all = [
            hint([.pause], isLap ? localized("lap") : localized("pause")),
            hint([.previousBar, .nextBar], isRun ? localized("interval") : localized("bar")),
            hint([.previousLine, .nextLine], isRun ? localized("set") : localized("line")), help,
            hint([.quit], localized("end")),
        ]
        return [all.compactMap(\.self).joined(separator: "   "), help ?? "", ""]
    }
}
