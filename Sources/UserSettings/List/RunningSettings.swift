internal import Languages
package import Running
internal import Scores

/// The unit of distances and paces.
package enum UnitChoice: String, Sendable, CaseIterable {
    case km, mi
}

// Runs and plans.
extension Setting {
    /// In the order in which they are listed.
    static let ofRunning: [Setting] = [
        unit.setting, threshold.setting,
    ]

    /// The unit of runs and plans that mention none.
    package static let unit = TypedSetting<UnitChoice>(
        "unit", .km,
        help: localized("The unit of runs and plans that mention neither kilometers nor miles."),
        what: localized("a unit"))

    /// The pace of which the intervals of plans are a share, if a plan does not set it; nil for none.
    package static let threshold = TypedSetting<Pace?>(
        "threshold", "off", nil, form: localized("a pace such as 5:00/km, or off"),
        help: localized("The threshold pace of plans that do not have one: 100 % of their shares.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in
            do throws(Problem) { return try Pace(runText: text) } catch { throw error.error }
        }
    }
}
