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

    /// Examples, for a message.
    var example: String {
        switch self {
        case .distance: localized("for example 400m, 5k or 26.2mi")
        case .time: localized("for example 25:00, 90s or 1h30min")
        case .pace: localized("for example 5:30/km, 10:00/mi or 6mph")
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

    /// The message that a quantity is not this one.
    var isNotThis: String {
        switch self {
        case .distance: localized("this is not a distance")
        case .time: localized("this is not a time")
        case .pace: localized("this is not a pace")
        }
    }

    /// The message that it is given a second time.
    var isSecond: String {
        switch self {
        case .distance: localized("this is a second distance")
        case .time: localized("this is a second time")
        case .pace: localized("this is a second pace")
        }
    }

    /// The message that something follows it.
    var isFollowed: String {
        switch self {
        case .distance: localized("unexpected text after a distance")
        case .time: localized("unexpected text after a time")
        case .pace: localized("unexpected text after a pace")
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
        case (.distance, .distance), (.time, .time), (.pace, .pace): wanted.isNotThis
        }
    }
}
