internal import Languages

// Each sentence is a text of its own: in other languages, its words depend on the quantity.
extension Run.Quantity {
    /// The word for it in the language of the process.
    package var word: String {
        switch self {
        case .distance: localized("distance")
        case .time: localized("time")
        case .pace: localized("pace")
        }
    }

    /// Examples, and the messages that something is not this quantity, is a second one, or follows one; that this total is the
    /// result of the other two, has become it, or is unknown.
    var says:
        (
            example: String, isNot: String, isSecond: String, isFollowed: String, isResult: String, isResultNow: String,
            isUnknown: String
        )
    {
        switch self {
        case .distance:
            (
                localized("for example 400m, 5k or 26.2mi"), localized("this is not a distance"),
                localized("this is a second distance"), localized("unexpected text after a distance"),
                localized("the distance is the result"), localized("the distance is the result now"),
                localized("the total distance is unknown")
            )
        case .time:
            (
                localized("for example 25:00, 90s or 1h30min"), localized("this is not a time"),
                localized("this is a second time"), localized("unexpected text after a time"),
                localized("the time is the result"), localized("the time is the result now"),
                localized("the total time is unknown")
            )
        case .pace:
            (
                localized("for example 5:30/km, 10:00/mi or 6mph"), localized("this is not a pace"),
                localized("this is a second pace"), localized("unexpected text after a pace"),
                localized("the pace is the result"), localized("the pace is the result now"),
                localized("the total pace is unknown")
            )
        }
    }

    /// The message that a text is not this quantity.
    func isNot(_ text: String) -> String {
        switch self {
        case .distance: localized("\(text) is not a distance")
        case .time: localized("\(text) is not a time")
        case .pace: localized("\(text) is not a pace")
        }
    }

    /// The message that it stands where another quantity is expected.
    func isInsteadOf(_ wanted: Run.Quantity) -> String {
        switch (self, wanted) {
        case (.distance, .time): localized("this is a distance, not a time")
        case (.distance, .pace): localized("this is a distance, not a pace")
        case (.time, .distance): localized("this is a time, not a distance")
        case (.time, .pace): localized("this is a time, not a pace")
        case (.pace, .distance): localized("this is a pace, not a distance")
        case (.pace, .time): localized("this is a pace, not a time")
        case (.distance, .distance), (.time, .time), (.pace, .pace): wanted.says.isNot
        }
    }
}
