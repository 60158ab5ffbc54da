/// A picture as SVG, written element by element.
package struct SVG {
    /// The elements written so far.
    package private(set) var text = ""

    /// The attributes of an element, in order. A `Double` is rounded to hundredths; other values are described.
    package typealias Attributes = KeyValuePairs<String, any CustomStringConvertible>

    /// Makes a picture without elements.
    package init() {}

    /// Adds an element with text as its content, or with none.
    package mutating func add(_ name: String, _ attributes: Attributes = [:], words: String? = nil) {
        text += SVG.opened(name, attributes)
        text += words.map { ">\($0.escapedForXML)</\(name)>\n" } ?? "/>\n"
    }

    /// Adds an element that contains other elements.
    package mutating func add(_ name: String, _ attributes: Attributes = [:], _ content: (inout SVG) -> Void) {
        text += SVG.opened(name, attributes) + ">\n"
        content(&self)
        text += "</\(name)>\n"
    }

    private static func opened(_ name: String, _ attributes: Attributes) -> String {
        attributes.reduce("<" + name) { text, attribute in
            let value = (attribute.value as? Double)?.roundedText ?? attribute.value.description.escapedForXML
            return text + " \(attribute.key)=\"\(value)\""
        }
    }
}
