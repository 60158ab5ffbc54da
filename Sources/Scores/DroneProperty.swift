internal import Languages

extension Score.Drone {
    /// A property of a drone other than its notes, as scores, settings and options give it.
    package struct Property: Sendable {
        /// The key in a score's `drone`.
        package let key: String
        /// The name of the setting, and of the preference in a score; nil if there is no setting.
        package let setting: String?
        /// The name in messages, such as "the level".
        package let name: String
        /// The valid values for messages, such as "0 dB to 24 dB".
        package let form: String
        /// The help text: one sentence.
        package let help: String
        /// Sets the property of a drone from a text. Errors: the text is not a valid value.
        package let read: @Sendable (String, inout Score.Drone) throws(TextError) -> Void
        /// The value as scores and options write it.
        package let text: @Sendable (Score.Drone) -> String

        init<Value>(
            _ key: String, setting: String?, _ path: any WritableKeyPath<Score.Drone, Value> & Sendable, _ name: String,
            form: String, help: String, read: @escaping @Sendable (String) throws(TextError) -> Value,
            text: @escaping @Sendable (Value) -> String
        ) {
            self.key = key
            self.setting = setting
            self.name = name
            self.form = form
            self.help = help
            self.read = { words, drone throws(TextError) in drone[keyPath: path] = try read(words) }
            self.text = { text($0[keyPath: path]) }
        }

        /// All properties, in the order in which a score has them.
        package static let all: [Property] =
            [
                Property(
                    "level", setting: "drone-level", \.level, localized("the level"),
                    form: localized("-120 dB to 0 dB, a percentage, or off"), help: localized("How loud the drone is."),
                    read: Level.init(scoreText:), text: \.description)
            ] + ofTimbre + [
                Property(
                    "fade", setting: "fade", \.fade, localized("the fade"), form: localized("0.01 to 60 seconds"),
                    help: localized("The time of the drone's fade-in and fade-out."),
                    read: { text throws(TextError) in try Duration(scoreText: text, as: .fade) }, text: \.exactSeconds)
            ]
    }
}
