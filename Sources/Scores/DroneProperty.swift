internal import Languages

extension Score.Drone {
    /// A property of a drone other than its notes, as scores, settings and options give it.
    package struct Property: Sendable {
        /// The key in a score's `drone`.
        package let key: String
        /// The name of the setting, and of the preference in a score; nil if there is no setting.
        package let setting: String?
        /// The option of commands that have a drone.
        package let option: Option
        /// The name in messages, such as "the level".
        package let name: String
        /// The valid values for messages, such as "0 dB to 24 dB".
        package let form: String
        /// The help text of the setting: one sentence.
        package let help: String
        /// Reads a value, and returns what gives it to a drone. Errors: the text is not a valid value.
        package let read: @Sendable (String) throws(TextError) -> Change
        /// The value as scores and options write it.
        package let text: @Sendable (Score.Drone) -> String

        /// Gives a drone the value of a property.
        package typealias Change = @Sendable (inout Score.Drone) -> Void

        /// An option by which commands take a property.
        package struct Option: Sendable {
            /// The names without dashes.
            package let names: [String]
            /// What stands for the value in the help, such as "percent".
            package let value: String
            /// The help text: one sentence, with an example of a value.
            package let help: String
            /// The values, if there are only a few; otherwise empty.
            package let words: [String]

            init(_ names: String..., value: String, help: String, words: [String] = []) {
                (self.names, self.value, self.help, self.words) = (names, value, help, words)
            }
        }

        init<Value: Sendable>(
            _ key: String, setting: String?, _ path: any WritableKeyPath<Score.Drone, Value> & Sendable, _ name: String,
            form: String, help: String, option: Option,
            read: @escaping @Sendable (String) throws(TextError) -> Value, text: @escaping @Sendable (Value) -> String
        ) {
            self.key = key
            self.setting = setting
            self.option = option
            self.name = name
            self.form = form
            self.help = help
            self.read = { words throws(TextError) in
                let value = try read(words)
                return { $0[keyPath: path] = value }
            }
            self.text = { text($0[keyPath: path]) }
        }

        /// All properties, in the order in which a score has them.
        package static let all: [Property] =
            [
                Property(
                    "level", setting: "drone-level", \.level, localized("the level"),
                    form: localized("-120 dB to 0 dB, a percentage, or off"), help: localized("How loud the drone is."),
                    option: Option(
                        "drone-level", value: "level", help: localized("The drone's level: -24dB, 6%, or off.")),
                    read: Level.init(scoreText:), text: \.description)
            ] + ofTimbre + [
                Property(
                    "fade", setting: "fade", \.fade, localized("the fade"), form: localized("0.01 to 60 seconds"),
                    help: localized("The time of the drone's fade-in and fade-out."),
                    option: Option(
                        "fade", value: "seconds", help: localized("The time of the drone's fade-in and fade-out: 2s.")),
                    read: { text throws(TextError) in try Duration(scoreText: text, as: .fade) }, text: \.exactSeconds)
            ]
    }
}
