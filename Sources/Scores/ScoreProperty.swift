/// A property of a score, or of its drone, that one key gives: how scores, settings and options name, read and write it.
package struct ScoreProperty<Whole>: Sendable {
    /// The key in a score.
    package let key: String
    /// The name in messages, such as "the level".
    package let name: String
    /// The name of the setting, and of the preference in a score; nil if there is no setting here.
    package let setting: String?
    /// The valid values of the setting for messages, such as "0 dB to 24 dB".
    package let form: String
    /// The help text of the setting: one sentence.
    package let help: String
    /// The option of commands; nil if they have none, or one of their own.
    package let option: Option?
    /// Reads a value, and returns what gives it to the whole. Errors: the text is not a valid value.
    package let read: @Sendable (String) throws(TextError) -> Change
    /// The value as scores and options write it; nil if there is none.
    package let text: @Sendable (Whole) -> String?

    /// Gives the whole the value of a property.
    package typealias Change = @Sendable (inout Whole) -> Void

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
        _ key: String, _ path: any WritableKeyPath<Whole, Value> & Sendable, _ name: String, setting: String? = nil,
        form: String = "", help: String = "", option: Option? = nil,
        read: @escaping @Sendable (String) throws(TextError) -> Value, text: @escaping @Sendable (Value) -> String?
    ) {
        (self.key, self.name, self.setting, self.form, self.help, self.option) = (
            key, name, setting, form, help, option
        )
        self.read = { words throws(TextError) in
            let value = try read(words)
            return { $0[keyPath: path] = value }
        }
        self.text = { text($0[keyPath: path]) }
    }
}
