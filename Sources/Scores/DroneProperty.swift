extension Score.Drone {
    /// What can be said of a drone beside its notes: under the same name in scores, settings and options.
    package struct Property: Sendable {
        /// The key in a score's `drone`.
        package let key: String
        /// The setting, and what scores can prefer; nil where there is no setting.
        package let setting: String?
        /// What it is called in messages: "the level".
        package let name: String
        /// What it may be, for people: "0 dB to 24 dB".
        package let form: String
        /// What it means, in one sentence.
        package let help: String
        /// Changes it as a text says. Errors: what is wrong with the text.
        package let read: @Sendable (String, inout Score.Drone) throws(TextError) -> Void
        /// The text of what it is, as scores and options have it.
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

        /// All, in the order in which a score has them.
        package static let all: [Property] =
            [
                Property(
                    "level", setting: "drone-level", \.level, "the level",
                    form: "-120 dB to 0 dB, a percentage, or off", help: "How loud the drone is.",
                    read: Level.init(scoreText:), text: \.description)
            ] + ofVoice + [
                Property(
                    "fade", setting: "fade", \.fade, "the fade", form: "0.01 to 60 seconds",
                    help: "How long the drone takes to come and to go.",
                    read: { text throws(TextError) in try Duration(scoreText: text, as: .fade) }, text: \.exactSeconds)
            ]
    }
}
