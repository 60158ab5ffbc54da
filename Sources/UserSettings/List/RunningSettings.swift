internal import Languages

/// The unit of distances and paces.
package enum UnitChoice: String, Sendable, CaseIterable {
    case km, mi
}

// Runs and plans.
extension Setting {
    /// The unit of runs and plans that mention none.
    package static let unit = TypedSetting<UnitChoice>(
        "unit", .km, form: localized("km or mi"),
        help: localized("The unit of runs and plans that mention neither kilometers nor miles."),
        what: localized("a unit"))
}
