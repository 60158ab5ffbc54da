/// A choice that may also be left open; nil for the word that leaves it open, such as `auto`, whatever the settings say.
package struct Chosen<Value: Sendable>: Sendable {
    package var value: Value?

    package init(value: Value?) { self.value = value }
}
