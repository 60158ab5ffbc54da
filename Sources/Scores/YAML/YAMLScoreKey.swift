internal import Languages

extension YAMLScore {
    /// The keys of a score, in the order in which a file has them. Most have a row in `Score.properties`; the others depend on
    /// each other, or have more than one value.
    enum Key: String, CaseIterable {
        case title, composer, a4, tuning, tonic
        case keyboardMap = "keyboard-map"
        case instrument, temperature, drone
        case countIn = "count-in"
        case warning, speed, tempo, beats, subdivide, grid
        case firstBar = "first-bar"
        case pickup, timecode, total, realize, order, orders, fragments, voices, brackets, sections, lines, bars,
            `repeat`
    }
}

extension Score {
    package typealias Property = ScoreProperty<Score>

    /// The properties that a key of the head gives.
    package static let properties: [Property] =
        [
            Property("title", \.title, localized("a title")),
            Property("composer", \.composer, localized("a composer")),
            Property("a4", \.a4, "A4", read: Score.a4(scoreText:), text: \.plainText),
            Property(
                "tonic", \.tuning.tonic, localized("the tonic"), read: Score.tonic(scoreText:), text: Score.text(tonic:)
            ),
            Property(
                "count-in", \.countIn, localized("a count-in"),
                read: { text throws(TextError) in try Lead(scoreText: text, localized("a count-in")) }, text: \.text),
            Property(
                "warning", \.warning, localized("a warning"),
                read: { text throws(TextError) in try Lead(scoreText: text, localized("a warning")) }, text: \.text),
            Property("speed", \.speed, localized("the speed"), read: Speed.init(scoreText:), text: \.description),
            Property("tempo", \.writtenTempo, localized("the tempo"), read: Tempo.init(scoreText:), text: { $0?.text }),
            Property("beats", \.beats, "'beats'", read: Bool.init(scoreText:), text: { $0 ? "on" : "off" }),
            Property("subdivide", \.subdivision, "'subdivide'", read: Beat.parts(scoreText:), text: \.description),
            Property("first-bar", \.firstBar, "'first-bar'", within: Score.firstBarRange),
            Property("pickup", \.pickup, "'pickup'", within: Score.pickupRange),
            Property(
                "timecode", \.timecode, localized("the timecode"),
                read: { text throws(TextError) in try Timecode(scoreText: text) }, text: { $0?.textWithRate }),
            Property("total", \.total, localized("the total"), read: Total.init(scoreText:), text: { $0?.text }),
        ] + propertiesOfTuning + propertiesOfClicks

    /// Those of the tuning that have their settings here.
    package static let propertiesOfTuning: [Property] = [
        Property(
            "instrument", \.tuning.instrument, localized("the instrument"),
            setting: "instrument", form: Instrument.allCases.map(\.rawValue).joined(separator: ", "),
            help: localized("The key of the instrument for which pitches are written."),
            read: Instrument.init(scoreText:), text: \.rawValue),
        Property(
            "temperature", \.tuning.temperature, localized("the temperature"),
            setting: "temperature", form: localized("-20 C to 50 C"),
            help: localized("The temperature of the instruments; at 20 C, their pitch is correct."),
            read: Score.temperature(scoreText:), text: { "\($0.plainText) C" }),
    ]

    /// Those of clicks inside bars that have their settings here.
    package static let propertiesOfClicks: [Property] = [
        Property(
            "grid", \.grid, localized("the grid"),
            setting: "grid", form: localized("seconds, clock, 4 parts, 170/min or off"),
            help: localized("Clicks inside bars of seconds."),
            option: .init(
                "grid", value: "grid",
                help: localized("Clicks inside bars of seconds: seconds, clock, '4 parts', 170/min, or off.")),
            read: Grid.init(scoreText:), text: \.text)
    ]
}

extension Score.Property {
    /// A property that is a text by the author.
    fileprivate init(_ key: String, _ path: any WritableKeyPath<Score, String?> & Sendable, _ name: String) {
        self.init(
            key, path, name, read: { text throws(TextError) in try TextRule.check(text, what: name) },
            text: { $0.flatMap(YAMLText.author) })
    }

    /// A property that is a whole number within limits.
    fileprivate init(
        _ key: String, _ path: any WritableKeyPath<Score, Int> & Sendable, _ name: String,
        within limits: ClosedRange<Int>
    ) {
        self.init(
            key, path, name,
            read: { text throws(TextError) in try Int(scoreText: text, name, within: limits) }, text: \.description)
    }
}
