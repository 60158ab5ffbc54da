internal import Languages

extension Score.Drone {
    package typealias Property = ScoreProperty<Score.Drone>

    /// The properties of a drone other than its notes, in the order in which a score has them.
    package static let properties: [Property] =
        [
            Property(
                "level", \.level, localized("the level"),
                setting: "drone-level", form: localized("-120 dB to 0 dB, a percentage, or off"),
                help: localized("How loud the drone is."),
                option: .init(
                    "drone-level", value: "level", help: localized("The drone's level: -24dB, 6%, or off.")),
                read: Level.init(scoreText:), text: \.description)
        ] + propertiesOfTimbre + [
            Property(
                "fade", \.fade, localized("the fade"),
                setting: "fade", form: localized("0.01 to 60 seconds"),
                help: localized("The time of the drone's fade-in and fade-out."),
                option: .init(
                    "fade", value: "seconds", help: localized("The time of the drone's fade-in and fade-out: 2s.")),
                read: { text throws(TextError) in try Duration(scoreText: text, as: .fade) }, text: \.exactSeconds)
        ]
}
