/// The value of an option that may leave its setting open; nil for the word that does, such as `auto` or `off`.
struct Chosen<Value: Sendable>: Sendable {
    var value: Value?
}
