/// The values that options of a command give to settings, over all of their layers. A pure value.
package struct OptionValues: Sendable {
    /// A value on its own, so that a given nil is not taken for none.
    private struct Given<Value: Sendable>: Sendable { var value: Value }

    private var values: [String: any Sendable] = [:]

    package init() {}

    /// The value that an option gives; nil if the option is not there.
    package subscript<Value>(_ key: TypedSetting<Value>) -> Value? {
        get { (values[key.setting.name] as? Given<Value>)?.value }
        set { values[key.setting.name] = newValue.map { Given(value: $0) } }
    }
}

/// What is asked of the program by options, some of which stand for settings.
package protocol OptionRequest: Sendable {
    /// The values of these options.
    var options: OptionValues { get set }
}

extension OptionRequest {
    /// The value that an option gives to a setting; nil if the option is not there.
    package subscript<Value>(_ key: TypedSetting<Value>) -> Value? {
        get { options[key] }
        set { options[key] = newValue }
    }
}
