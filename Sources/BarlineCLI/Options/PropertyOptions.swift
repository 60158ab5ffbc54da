internal import Application
internal import ArgumentParser
internal import Scores

/// A type with properties that have options.
protocol OptionProperties: Sendable {
    /// These properties, in the order in which the help lists their options.
    static var optionProperties: [ScoreProperty<Self>] { get }
}

extension Score.Drone: OptionProperties {
    static var optionProperties: [Property] { properties }
}

extension Score: OptionProperties {
    static var optionProperties: [Property] { propertiesOfClicks }
}

/// Options for the properties of a score, or of its drone: one for each.
struct PropertyOptions<Whole: OptionProperties>: ParsableArguments, CustomReflectable {
    private typealias Property = ScoreProperty<Whole>

    /// The options by the keys of their properties. A type usually declares each of its options as a property of its own,
    /// which the parser finds by reflection, and sets as the type is decoded.
    private var options = Whole.optionProperties.compactMap { property in
        PropertyOptions.option(property).map { (key: property.key, option: $0) }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        options = try options.map {
            ($0.key, try values.decode(Option<Property.Change?>.self, forKey: Key(stringValue: $0.key)))
        }
    }

    var customMirror: Mirror { Mirror(self, children: options.map { (label: $0.key, value: $0.option) }) }

    /// The same for the application.
    var changes: PropertyChanges<Whole> {
        var changes = PropertyChanges<Whole>()
        for change in options.compactMap(\.option.wrappedValue) { changes.add(change) }
        return changes
    }

    private static func option(_ property: Property) -> Option<Property.Change?>? {
        property.option.map { option in
            Option(
                name: NameSpecification(option.names.map { .customLong($0) }), parsing: .unconditional,
                help: ArgumentHelp(option.help, valueName: option.value),
                completion: option.words.isEmpty ? nil : .list(option.words),
                transform: { try OptionText.read($0, property.read) })
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
